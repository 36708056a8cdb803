import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Clock } from '../../core/ports/time.js';
import { openEventLog } from '../../store/log/event-log.js';
import type { LogHead } from '../../store/log/head.js';
import { loadVersionOf } from '../load-preset.js';
import { readChunks } from '../snapshots/chunks.js';
import { newChainOf, openChain } from './open-chain.js';
import {
  restoredHeadProblems,
  restoredDataWithHead,
  restoredRows,
  restoredState,
  stateOf,
  type SnapshotWithChain,
} from './restored-chain.js';

export interface BeginFromSnapshotOptions {
  /** An empty database. */
  readonly store: KeyValueStore;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly snapshot: SnapshotWithChain;
}

/**
 * Initializes a database from a snapshot of a node with embedded consensus: writes its genesis, then the
 * SnapshotRestored event and the state in one batch. The content must match the app hash, and the head's commit must be
 * signed by the chain's validators. Throws SnapshotRefused, and GenesisRefused for a genesis that this build cannot
 * start from.
 */
export async function beginFromSnapshot({
  store,
  crypto,
  clock,
  snapshot,
}: BeginFromSnapshotOptions): Promise<LogHead> {
  const { height, chunks, chain } = snapshot;
  const content = readChunks(crypto, { height, appHash: chain.appHash, chunks });
  const log = await openEventLog({ store, crypto, clock, sync: 'os' });
  const { genesis, preset, evmChainId } = chain.started;
  const { started, history } = await openChain({
    ...{ store, log, crypto },
    handlers: new Set(),
    skipUpgradeHeights: [],
    minGasPrice: 0n,
    invariantPeriod: 0n,
    newChain: () => newChainOf({ crypto, preset, evmChainId, genesis, minGasPrice: 0n, skipInvariants: true }),
  });
  const version = await loadVersionOf(started);
  const values = stateOf(content);
  const data = restoredDataWithHead(crypto, version, started, snapshot, values);
  const [problem] =
    started.chainId === chain.started.chainId && started.bech32Prefix === chain.started.bech32Prefix
      ? restoredHeadProblems(crypto, version, started, data, values)
      : ['its genesis begins another chain in this build'];
  if (problem !== undefined) throw new SnapshotRefused(problem);
  const rows = await restoredRows(store, history, restoredState(crypto, started, data), content);
  await log.append([{ event: { type: 'SnapshotRestored', v: 2, data } }], rows, { sync: true });
  return log.head();
}
