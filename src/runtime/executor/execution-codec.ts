/**
 * Codec of executor replies (docs/decisions/0004-executor-bytes.md), in the message format of
 * `src/runtime/threads/requests.ts`. Blocks, results and writes are sent in their log encoding: the executor thread
 * encodes them, and main stores the bytes unchanged.
 */
import type { FinalizeBlockResult } from '../../core/application-requests.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import type { Decision } from '../../core/consensus/local-validators.js';
import { ByteReader, ByteWriter } from '../../store/bytes.js';
import { keepPacked, packWrites, unpackWrites } from '../../store/codec/state-writes.js';
import { touchedBytes, unpackTouched } from '../../store/codec/touched-codec.js';
import { decodeMessage, encodeMessage, type Envelope } from '../threads/requests.js';
import { putDecision, takeDecision } from './decision-codec.js';
import type { Executed, ExecutorReply, MadeBlock } from './protocol.js';

/** Estimated size of one state write (key and value), bytes. */
const EXPECTED_WRITE = 160;

/** An executed block with results, writes and touched addresses encoded. */
interface PackedExecuted extends Omit<Executed, 'results' | 'writes' | 'touched'> {
  readonly results: Uint8Array;
  readonly writes: Uint8Array;
  /** Empty when nothing was touched. */
  readonly touched: Uint8Array;
}

/** An encoded block of a run; it has no transactions. */
interface PackedBlock {
  /** Encoded by `decision-codec.ts`, relative to the previous block in the same reply. */
  readonly decision: Uint8Array;
  readonly result: PackedExecuted;
  readonly appHash: Uint8Array;
}

type PackedReply =
  | Exclude<ExecutorReply, { kind: 'executed' | 'ran' }>
  | {
      readonly kind: 'executed';
      readonly result: PackedExecuted | Exclude<FinalizeBlockResult, Executed>;
      readonly appHash: Uint8Array | undefined;
    }
  | { readonly kind: 'ran'; readonly blocks: readonly PackedBlock[] };

/** Encodes an executor reply. */
export function encodeReply({ id, body }: Envelope<ExecutorReply>): Uint8Array<ArrayBuffer> {
  return encodeMessage<PackedReply>({ id, body: packed(body) });
}

/** Decodes an executor reply. Throws FormatError. */
export function decodeReply(bytes: Uint8Array): Envelope<ExecutorReply> {
  const { id, body } = decodeMessage<PackedReply>(bytes);
  return { id, body: unpacked(body) };
}

function packed(reply: ExecutorReply): PackedReply {
  if (reply.kind === 'ran') return { kind: 'ran', blocks: packBlocks(reply.blocks) };
  if (reply.kind !== 'executed') return reply;
  const { kind, result, appHash } = reply;
  return { kind, result: result.kind === 'executed' ? packExecuted(result) : result, appHash };
}

function unpacked(reply: PackedReply): ExecutorReply {
  if (reply.kind === 'ran') return { kind: 'ran', blocks: unpackBlocks(reply.blocks) };
  if (reply.kind !== 'executed') return reply;
  const { kind, result, appHash } = reply;
  return { kind, result: result.kind === 'executed' ? unpackExecuted(result) : result, appHash };
}

function packExecuted({ results, writes, touched, ...rest }: Executed): PackedExecuted {
  const to = new ByteWriter((writes.length + 1) * EXPECTED_WRITE);
  packWrites(writes, to);
  return {
    ...rest,
    results: results.bytes,
    writes: to.finish(),
    touched: touched.length === 0 ? EMPTY : touchedBytes(touched),
  };
}

/** Decodes and copies: results and values are cached, where a view would keep the whole message alive. */
function unpackExecuted({ results, writes: bytes, touched, ...rest }: PackedExecuted): Executed {
  const writes = unpackWrites(new ByteReader(bytes)).map(({ store, key, value }) => ({
    store,
    key,
    value: value?.slice(),
  }));
  keepPacked(writes, bytes);
  return {
    ...rest,
    results: new EncodedResults(results.slice()),
    writes,
    touched: touched.length === 0 ? [] : unpackTouched(new ByteReader(touched.slice())),
  };
}

function packBlocks(blocks: readonly MadeBlock[]): readonly PackedBlock[] {
  return blocks.map(({ decision, result, appHash }, index) => {
    const to = new ByteWriter();
    putDecision(to, decision, blocks[index - 1]?.decision);
    return { decision: to.finish(), result: packExecuted(result), appHash };
  });
}

/** Decodes and copies, as `unpackExecuted` does. */
function unpackBlocks(blocks: readonly PackedBlock[]): readonly MadeBlock[] {
  let before: Decision | undefined;
  return blocks.map(({ decision: bytes, result, appHash }) => {
    const decision = takeDecision(new ByteReader(bytes.slice()), before);
    before = decision;
    return { decision, result: unpackExecuted(result), appHash: appHash.slice() };
  });
}
