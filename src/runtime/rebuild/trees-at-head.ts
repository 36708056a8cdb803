import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';
import type { StateReader, StateWrite } from '../../core/state/state.js';
import { bytesToRestore } from '../../store/checkpoints/checkpoints.js';
import { createStateReader } from '../../store/state/latest.js';
import type { EventLog } from '../../store/log/event-log.js';
import { CommittedTrees } from '../../core/chain/committed-trees.js';
import { rebuildTrees } from './rebuild-trees.js';

export interface TreesAtHeadOptions {
  readonly log: EventLog;
  readonly store: Pick<KeyValueStore, 'get' | 'commit'>;
  readonly crypto: Crypto;
  readonly version: AppVersion;
  readonly genesisWrites: readonly StateWrite[];
  /** Height of the last executed block. */
  readonly through: Height;
  /** Number of blocks that may be committed on top while the state stays readable. */
  readonly blocks: number;
  /** Writes a checkpoint when the trees reach this height. */
  readonly checkpoint?: Height;
  /** Called with each height the trees have reached. */
  readonly progress?: (height: Height) => void;
}

/**
 * Builds the trees at a home's head in memory, from the last checkpoint and the log's writes, verified by the headers.
 * The returned state can iterate ranges without database reads. Throws ReplayMismatch.
 */
export async function treesAtHead(
  options: TreesAtHeadOptions,
): Promise<{ readonly trees: CommittedTrees; readonly state: StateReader }> {
  const { store, version, crypto, through, blocks } = options;
  const trees = new CommittedTrees({ version, crypto, provableHeights: blocks + 1 });
  await rebuildTrees({
    checkpoint: undefined,
    ...options,
    executor: {
      genesis: async (writes) => trees.genesis(writes),
      replay: async (height, writes) => trees.commit(height, writes),
      checkpoint: async () => trees.multistore.snapshotBytes(),
      async restore(from) {
        const bytes = bytesToRestore(store, from);
        return bytes && trees.multistore.restore(bytes)?.appHash;
      },
    },
  });
  const latest = createStateReader(store, 'latest');
  const valueOf = (name: string, key: Uint8Array): Uint8Array | undefined => latest.get(name, key);
  const { multistore } = trees;
  return { trees, state: multistore.readerAt(through, valueOf) ?? multistore.reader(valueOf) };
}
