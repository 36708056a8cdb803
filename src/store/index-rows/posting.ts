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
  /** Composite key `type.key`; or `tx.height` or `block.height`, whose value is empty because `height` says it. */
  readonly key: string;
  readonly value: string;
  readonly height: Height;
  /** Index of the transaction in its block; 0 for block events. */
  readonly index: number;
  /** Number of the event within its transaction or block. All conditions of a query must hold in one event. */
  readonly event: number;
}

/** The parts of an executed block that are indexed. */
export interface BlockEvents {
  readonly height: Height;
  readonly txs: readonly { readonly events: readonly Event[] }[];
  readonly events: readonly Event[];
  /** Logs of its Ethereum transactions. */
  readonly logs: readonly IndexedLog[];
  /** Addresses that call frames of its Ethereum transactions touched; may repeat. */
  readonly touched?: readonly Uint8Array[];
}

/**
 * The indexed parts of an executed block, from its results. Transaction events and logs are decoded on each access, so
 * that those of a large block are never all in memory, and not decoded at all for block events.
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

/** Composite keys under which every transaction (or block) is indexed by height alone. */
export const HEIGHT_KEY = { tx: 'tx.height', block: 'block.height' } as const satisfies Record<PostingKind, string>;

const RESERVED: ReadonlySet<string> = new Set(['tx.hash', HEIGHT_KEY.tx, HEIGHT_KEY.block]);

/** Receives one posting of a block. */
export type Visit = (key: string, value: string, index: number, event: number) => void;

/**
 * Visits all postings of a block in event order: attributes with `index` set and a non-empty key, of events with a type
 * (CometBFT v0.38 `state/txindex/kv/kv.go`). Attributes named like a reserved key are skipped; CometBFT would fail to
 * index the block.
 */
export function visitPostings(
  kind: PostingKind,
  { txs, events }: Omit<BlockEvents, 'logs' | 'touched'>,
  visit: Visit,
): void {
  const containers = kind === 'tx' ? txs : [{ events }];
  for (const [index, container] of containers.entries()) {
    visit(HEIGHT_KEY[kind], '', index, 0);
    for (const [event, { type, attributes }] of container.events.entries()) {
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

/** `type.key`, interned: a freshly joined string would be hashed again for each attribute. */
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
