import { existsSync, readFileSync } from 'node:fs';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { asObject, jsonOf } from '../../core/text/json-object.js';
import { homePaths } from '../../runtime/home/home.js';
import type { CommandOutput } from './command-output.js';
import { PRE_UPGRADE_FAILED as FAILED } from './refuse-home.js';
import { upgradeRehearse } from './upgrade-rehearse.js';

/** Number of blocks to execute after the upgrade's block. */
const BLOCKS_AFTER = 3;
/** Exit code that makes cosmovisor retry (cosmos-sdk v0.53 docs, "Application Upgrade", Pre-Upgrade Handling). */
const RETRY = 31;

/**
 * `pre-upgrade`, which cosmovisor runs before it starts the new version: rehearses the plan in `upgrade-info.json`.
 * Without that file there is nothing to do.
 */
export async function preUpgrade(options: DaemonOptions, output: CommandOutput): Promise<number> {
  const { upgradeInfo } = homePaths(options.home);
  if (!existsSync(upgradeInfo)) return EXIT.ok;
  const name = nameIn(readFileSync(upgradeInfo, 'utf8'));
  if (name === undefined) {
    output.stderr(`${upgradeInfo} names no upgrade\n`);
    return FAILED;
  }
  const code = await upgradeRehearse(options, { name, blocks: BLOCKS_AFTER, output: 'text' }, output);
  if (code === EXIT.ok) return EXIT.ok;
  return code === EXIT.failed ? FAILED : RETRY;
}

function nameIn(text: string): string | undefined {
  const name = asObject(jsonOf(text))?.['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}
