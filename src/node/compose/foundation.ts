import type { DaemonOptions } from '../../config/daemon-options.js';
import { equal } from '../../core/bytes/bytes.js';
import { DEFAULT_LIMITS, DEV_LIMITS, type Limits } from '../../core/limits/limits.js';
import { requireHeight } from '../dev/branch-height.js';
import { openChainViews, type ChainViews } from './chain-views.js';
import { handlersOf } from '../../core/modules/upgrade/handlers.js';
import { EMPTY_STATE } from '../../core/state/overlay.js';
import { newChainOf, type NewChain } from '../../runtime/chain/open-chain.js';
import { homePaths } from '../../runtime/home/home.js';
import { loadPreset } from '../../runtime/load-preset.js';
import type { NodeHost } from './node-host.js';
import { openHome, validatorKeyOf, type OpenHome } from './open-home.js';
import { createSupervision, type Supervision } from './supervision.js';
import type { Undo } from './undo.js';
import { createSignals, type NodeSignals } from './wiring.js';

/** The parts of a node that exist before the first actor and that all others use. */
export interface Foundation {
  readonly options: DaemonOptions;
  readonly host: NodeHost;
  readonly limits: Limits;
  /** Steps that stop the started parts. */
  readonly undo: Undo;
  readonly supervision: Supervision;
  readonly home: OpenHome;
  /** The current chain, and the streams of its log. */
  readonly views: ChainViews;
  readonly signals: NodeSignals;
}

/** Opens home and chain; then the supervisor leaves the mode `booting`. */
export async function openFoundation(options: DaemonOptions, host: NodeHost, undo: Undo): Promise<Foundation> {
  const limits = options.mode === 'dev' ? DEV_LIMITS : DEFAULT_LIMITS;
  const signals = createSignals();
  const supervision = createSupervision(host, limits, signals);
  const key = validatorKeyOf(options, host);
  const early = newChainOnce(options, host, key);
  // Build the new chain before the home is opened, so that a refused start changes no file.
  if (beginsChain(options, host)) await early();
  const home = await openHome({ options, host, limits, undo, key, onDamage: supervision.noticed });
  // Another start may have written a key before it ended, while this one waited for the lock.
  const newChain = equal(home.seed, key.seed) ? early : newChainOnce(options, host, home);
  if (options.branch !== undefined) await requireHeight(home.log, options.branch);
  supervision.supervisor.send({ type: 'opened' });
  const views = await openChainViews({ options, host, limits, undo, supervision, home, newChain });
  return { options, host, limits, undo, supervision, home, views, signals };
}

/** True if this start begins a chain, for it finds no database. */
function beginsChain({ branch, ephemeral, home }: DaemonOptions, { databaseExists }: NodeHost): boolean {
  return branch === undefined && (ephemeral || !databaseExists(homePaths(home).database));
}

/** Builds the chain of the genesis at the first call. Throws GenesisRefused, ChainMismatch, UnknownVersionError. */
function newChainOnce(
  options: DaemonOptions,
  host: NodeHost,
  { seed }: Pick<OpenHome, 'seed'>,
): () => Promise<NewChain> {
  let built: Promise<NewChain> | undefined;
  const build = async (): Promise<NewChain> => {
    const genesis = host.genesis(host.signerOf(seed));
    handlersOf(await loadPreset(options.preset), EMPTY_STATE, options.appVersion);
    return newChainOf({ ...options, crypto: host.crypto, genesis });
  };
  return () => (built ??= build());
}
