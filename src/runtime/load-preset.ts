/**
 * Presets by name. A process loads the modules that only one preset has with that preset
 * (`docs/decisions/0007-modules-at-start.md`); what all have is loaded with the rest of its code.
 */
import '../core/app/presets/shared.js';
import { GenesisRefused } from '../core/app/chain-of-genesis.js';
import { chainConfigOf } from '../core/chain/chain-config.js';
import type { ChainStarted } from '../core/log-events.js';
import type { AppVersion } from '../core/sdk/module/app-version.js';
import type { ChainConfig } from '../core/sdk/module/chain-config.js';
import { versionOfChain } from '../core/sdk/module/version-of-chain.js';

const PRESETS: ReadonlyMap<string, () => Promise<AppVersion>> = new Map([
  ['chronicle', async () => (await import('../core/app/presets/chronicle.js')).chronicle],
  ['evmd', async () => (await import('../core/peers/evmd/preset.js')).evmd],
]);

/** The preset of this name; undefined when there is none. */
export async function findPreset(name: string): Promise<AppVersion | undefined> {
  return PRESETS.get(name)?.();
}

/** The preset of this name; throws GenesisRefused when there is none. */
export async function loadPreset(name: string): Promise<AppVersion> {
  const version = await findPreset(name);
  if (version === undefined)
    throw new GenesisRefused(`unknown preset ${name}; known: ${[...PRESETS.keys()].join(', ')}`);
  return version;
}

/** The version with which a chain of a preset began; throws GenesisRefused when there is no such preset. */
export async function loadVersion({
  preset,
  chain,
}: {
  readonly preset: string;
  readonly chain: ChainConfig;
}): Promise<AppVersion> {
  return versionOfChain(await loadPreset(preset), chain);
}

/** The version with which the chain of a log began; throws GenesisRefused when there is no such preset. */
export async function loadVersionOf(started: ChainStarted['data']): Promise<AppVersion> {
  return loadVersion({ preset: started.preset, chain: chainConfigOf(started, 0n) });
}
