import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { contentOf } from '../../core/ethereum/content.js';
import type { Admissions } from '../../core/filters/index.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import type { EthereumHistory, ShownBlock } from '../../core/subscriptions/ethereum/index.js';
import type { EventLog } from '../../store/event-log.js';
import type { EthereumBlocks } from './blocks.js';

export interface HistoryOptions {
  readonly log: EventLog;
  readonly blocks: EthereumBlocks;
  readonly crypto: Crypto;
  /** Published head. */
  readonly head: () => Height;
}

/** Earlier blocks and admissions, read from the log for resumed subscriptions and pending filters. */
export function createEthereumHistory({ log, blocks, crypto, head }: HistoryOptions): EthereumHistory & {
  /** The first `maximum` Ethereum admissions after `from`, up to `through`. */
  admissions(from: Position, through: Position, maximum: number): Promise<Admissions>;
} {
  async function* blocksAfter(from: Position): AsyncGenerator<ShownBlock> {
    for await (const recorded of log.read({ from: toPosition(from + 1n) })) {
      for (const { event, position } of recorded) {
        const block =
          event.type === 'BlockExecuted' && log.isOnBranch({ event, position })
            ? blocks.block(event.data.height)
            : undefined;
        if (block !== undefined) yield { block, position };
      }
    }
  }
  async function* blocksFrom(height: Height): AsyncGenerator<ShownBlock> {
    for (let next = height; next <= head(); next = toHeight(next + 1n)) {
      const block: EthereumBlock | undefined = blocks.block(next);
      const position = log.blockAt(next)?.executed?.position;
      if (block !== undefined && position !== undefined) yield { block, position };
    }
  }
  async function* admitted(after: Position) {
    for await (const recorded of log.read({ from: toPosition(after + 1n) })) {
      for (const { event, position } of recorded) {
        const transaction = event.type === 'TxAdmitted' ? contentOf(crypto, event.data.tx) : undefined;
        if (transaction !== undefined) yield { transaction, position };
      }
    }
  }
  return {
    blocks: (start) => ('after' in start ? blocksAfter(start.after) : blocksFrom(start.height)),
    pending: ({ after }) => admitted(after),
    async admissions(from, through, maximum) {
      const hashes: Uint8Array[] = [];
      for await (const { transaction, position } of admitted(from)) {
        if (position > through) break;
        hashes.push(transaction.hash);
        if (hashes.length >= maximum) return { hashes, through: position };
      }
      return { hashes, through };
    },
  };
}
