/** The indexed parts of a block: attributes of its events. */
import type { Event } from '../../core/proto/tendermint/abci/types_pb.js';
import { readResponse } from '../../core/ethereum/wrapped-transaction.js';
import type { EncodedResults, TxOutcome } from '../../core/comet/encoded-results.js';
import type { Touched } from '../../core/evm/touched.js';
import type { Height } from '../../core/primitives.js';
import type { IndexedLog } from './log-posting.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export type PostingKind = 'tx' | 'block';

/** One indexed attribute: the event, and the transaction or block that holds the event. */
export interface Posting {
  /**
   * Composite key `type.key`, or `tx.height` and `block.height`, whose value is empty because the posting has the
   * height.
   */
  readonly key: string;
  readonly value: string;
  readonly height: Height;
  /** Index of the transaction in its block; 0 for block events. */
  readonly index: number;
  /** Number of the event inside its transaction or block: all conditions must hold in one event. */
  readonly event: number;
}

/** The parts of an executed block that are indexed. */
export interface BlockEvents {
  readonly height: Height;
  readonly txs: readonly { readonly events: readonly Event[] }[];
  readonly events: readonly Event[];
  /** Logs of its Ethereum transactions. */
  readonly logs: readonly IndexedLog[];
  /** Addresses that frames of its Ethereum transactions touched; one may stand there several times. */
  readonly touched?: readonly Uint8Array[];
}

/**
 * The indexed parts, from the results of an executed block. The events of a transaction, and all logs, are decoded at
 * each reading, so that those of a large block are never in memory together, and not at all for its own events.
 */
export function blockEventsOf(height: Height, results: EncodedResults, touched: readonly Touched[] = []): BlockEvents {
  const indices = Array.from({ length: results.txCount }, (_, index) => index);
  return {
    height,
    txs: indices.map((index) => ({
      get events() {
        return results.txEvents(index);
      },
    })),
    events: results.events,
    get logs() {
      return indices.flatMap((index) => logsOf(results.outcome(index)));
    },
    get touched() {
      return touched.flatMap(({ addresses }) => addresses);
    },
  };
}

function logsOf(outcome: TxOutcome | undefined): readonly IndexedLog[] {
  const response = outcome?.code === 0 ? readResponse(outcome.data) : undefined;
  return response === undefined || response.vmError !== '' ? [] : response.logs;
}

/** The key under which every transaction (or block) is found by height alone. */
export const HEIGHT_KEY = { tx: 'tx.height', block: 'block.height' } as const satisfies Record<PostingKind, string>;

const RESERVED: ReadonlySet<string> = new Set(['tx.hash', HEIGHT_KEY.tx, HEIGHT_KEY.block]);

/** Takes one posting of a block, whose height is the block's. */
export type Visit = (key: string, value: string, index: number, event: number) => void;

/**
 * Visits all postings of a block in order of its events: attributes with `index` and a non-empty key, of events with a
 * type (CometBFT v0.38 `state/txindex/kv/kv.go`). Attributes that imitate a reserved key are left out; CometBFT would
 * fail to index the block.
 */
export function visitPostings(
  kind: PostingKind,
  { txs, events }: Omit<BlockEvents, 'logs' | 'touched'>,
  visit: Visit,
): void {
  const carriers = kind === 'tx' ? txs : [{ events }];
  for (const [index, carrier] of carriers.entries()) {
    visit(HEIGHT_KEY[kind], '', index, 0);
    for (const [event, { type, attributes }] of carrier.events.entries()) {
      if (type === '') continue;
      for (const attribute of attributes) {
        const key = compositeKey(type, attribute.key);
        if (attribute.index && attribute.key !== '' && !RESERVED.has(key)) visit(key, attribute.value, index, event);
      }
    }
  }
}

/** All postings of a block in order of its events. */
export function postingsOf(kind: PostingKind, block: Omit<BlockEvents, 'logs' | 'touched'>): readonly Posting[] {
  const { height } = block;
  const postings: Posting[] = [];
  visitPostings(kind, block, (key, value, index, event) => postings.push({ key, value, height, index, event }));
  return postings;
}

const compositeKeys = new Map<string, Map<string, string>>();
let compositeCount = 0;

/** `type.key`, the same text each time: joined anew for each attribute, it would be hashed anew as well. */
function compositeKey(type: string, key: string): string {
  const known = compositeKeys.get(type)?.get(key);
  if (known !== undefined) return known;
  if (compositeCount >= FIXED_LIMITS.cachedPrefixes) {
    compositeKeys.clear();
    compositeCount = 0;
  }
  const made = `${type}.${key}`;
  const keys = compositeKeys.get(type) ?? new Map<string, string>();
  compositeKeys.set(type, keys.set(key, made));
  compositeCount += 1;
  return made;
}
