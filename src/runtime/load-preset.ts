/**
 * Presets by name. Modules that only one preset has are loaded with that preset
 * (`docs/decisions/0007-modules-at-start.md`); shared ones are loaded at start.
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

/** Loads a preset; undefined when there is none of this name. */
export async function findPreset(name: string): Promise<AppVersion | undefined> {
  return PRESETS.get(name)?.();
}

/** Loads a preset; throws GenesisRefused when there is none of this name. */
export async function loadPreset(name: string): Promise<AppVersion> {
  const version = await findPreset(name);
  if (version === undefined)
    throw new GenesisRefused(`unknown preset ${name}; known: ${[...PRESETS.keys()].join(', ')}`);
  return version;
}

/** The application version with which a chain of a preset began; throws GenesisRefused when there is no such preset. */
export async function loadVersion({
  preset,
  chain,
}: {
  readonly preset: string;
  readonly chain: ChainConfig;
}): Promise<AppVersion> {
  return versionOfChain(await loadPreset(preset), chain);
}

/** The application version with which the chain of a log began; throws GenesisRefused when there is no such preset. */
export async function loadVersionOf(started: ChainStarted['data']): Promise<AppVersion> {
  return loadVersion({ preset: started.preset, chain: chainConfigOf(started, 0n) });
}
