/**
 * Replies of the executor as bytes (docs/decisions/0004-executor-bytes.md), in the format of
 * `src/runtime/threads/requests.ts`. Blocks, results and writes travel in the forms that the log holds: the executor's
 * thread packs them, and main stores the bytes as they are.
 */
import { fromBinary } from '@bufbuild/protobuf';
import type { FinalizeBlockResult } from '../../core/application.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { commitBytes } from '../../core/comet/block-bytes.js';
import { invariant } from '../../core/errors.js';
import { toHeight } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { CommitSchema } from '../../core/proto/tendermint/types/types_pb.js';
import { ByteReader, ByteWriter } from '../../store/bytes.js';
import { keepPacked, packWrites, unpackWrites } from '../../store/state-writes.js';
import { touchedBytes, unpackTouched } from '../../store/touched-codec.js';
import { packTrace, unpackTrace } from '../../store/trace-codec.js';
import { decodeMessage, encodeMessage, type Envelope } from '../threads/requests.js';
import type { Executed, ExecutorReply, MadeBlock } from './protocol.js';

/** Estimated bytes of one write of an ordinary block, key and value together. */
const EXPECTED_WRITE = 160;

/** An executed block whose results, writes and touched addresses are bytes. */
interface PackedExecuted extends Omit<Executed, 'results' | 'writes' | 'touched'> {
  readonly results: Uint8Array;
  readonly writes: Uint8Array;
  /** Empty where nothing was touched. */
  readonly touched: Uint8Array;
}

/** A block of a run, which has no transactions. */
interface PackedBlock {
  readonly round: number;
  /** Protobuf bytes of the block, and of the commit that decided it. */
  readonly block: Uint8Array;
  readonly commit: Uint8Array;
  /** Notices of consensus in the form of the log. */
  readonly trace: Uint8Array;
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

/** Bytes of a reply of the executor. */
export function encodeReply({ id, body }: Envelope<ExecutorReply>): Uint8Array<ArrayBuffer> {
  return encodeMessage<PackedReply>({ id, body: packed(body) });
}

/** Reads a reply of the executor. Throws FormatError. */
export function decodeReply(bytes: Uint8Array): Envelope<ExecutorReply> {
  const { id, body } = decodeMessage<PackedReply>(bytes);
  return { id, body: unpacked(body) };
}

function packed(reply: ExecutorReply): PackedReply {
  if (reply.kind === 'ran') return { kind: 'ran', blocks: reply.blocks.map(packBlock) };
  if (reply.kind !== 'executed') return reply;
  const { kind, result, appHash } = reply;
  return { kind, result: result.kind === 'executed' ? packExecuted(result) : result, appHash };
}

function unpacked(reply: PackedReply): ExecutorReply {
  if (reply.kind === 'ran') return { kind: 'ran', blocks: reply.blocks.map(unpackBlock) };
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

/** Results and values live on in caches, where a view would keep the whole message alive. */
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

function packBlock({ decision, result, appHash }: MadeBlock): PackedBlock {
  const { round, block, commit, trace } = decision;
  const notices = new ByteWriter();
  packTrace(trace, notices);
  const packedDecision = { round, block: block.encoded, commit: commitBytes(commit), trace: notices.finish() };
  return { ...packedDecision, result: packExecuted(result), appHash };
}

/** Copies what lives on in caches, as for results. */
function unpackBlock({ round, result, appHash, ...packedDecision }: PackedBlock): MadeBlock {
  const encoded = packedDecision.block.slice();
  const block = fromBinary(BlockSchema, encoded);
  const commit = fromBinary(CommitSchema, packedDecision.commit.slice());
  const { blockId } = commit;
  invariant(block.header !== undefined && blockId !== undefined, 'a block that was made is whole');
  const height = toHeight(block.header.height);
  const trace = unpackTrace(new ByteReader(packedDecision.trace), height);
  const decision = { height, round, block: { block, blockId, encoded, valid: true }, commit, trace };
  return { decision, result: unpackExecuted(result), appHash: appHash.slice() };
}
