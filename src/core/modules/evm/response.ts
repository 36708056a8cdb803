/**
 * Encodes `MsgEthereumTxResponse` (cosmos/evm v0.6 `x/vm/types/tx.pb.go`) with the generated codec's bytes but
 * several times faster: every Ethereum transaction has one.
 */
import { MessageWriter } from '../../bytes/message-writer.js';
import { invariant } from '../../errors.js';
import { NS_PER_SECOND, type TimeNs } from '../../primitives.js';
import type { EvmLog } from '../../evm/outcome.js';
import { hex } from '../../bytes/hex.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';

const HASH_BYTES = 32;
/** Tag of field 7, length-delimited. */
const BLOCK_HASH_TAG = 0x3a;
const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** Execution result for a response. */
export interface ExecutionResult {
  /** Ethereum transaction hash in hex with `0x`. */
  readonly hash: string;
  readonly logs: readonly EvmLog[];
  /** Return or revert data. */
  readonly output: Uint8Array;
  /** Empty on success. */
  readonly vmError: string;
  readonly gasUsed: bigint;
  /** Gas used before refunds. */
  readonly maxUsedGas: bigint;
  /** Index of the transaction, and of its first log, in the block. */
  readonly index: number;
  readonly firstLog: number;
}

const writer = new MessageWriter();

/** Encodes a response; field 8 is the block time in whole seconds. */
export function encodeResponse(context: Context, result: ExecutionResult): Uint8Array {
  writer.number(8, context.time / NS_PER_SECOND);
  writer.bytes(7, context.block.hash);
  writer.number(6, result.maxUsedGas);
  writer.number(5, result.gasUsed);
  writer.text(4, result.vmError);
  writer.bytes(3, result.output);
  for (let at = result.logs.length - 1; at >= 0; at -= 1) writeLog(context, result, at);
  writer.text(1, result.hash);
  return writer.finish();
}

/** Writes a block hash (32 bytes) into result data that ends with a response. `time`: block time. */
export function writeBlockHash(data: Uint8Array, time: TimeNs, hash: Uint8Array): void {
  const before = writer.length;
  writer.number(8, time / NS_PER_SECOND);
  const behind = writer.length - before;
  writer.finish();
  const start = data.length - behind - HASH_BYTES;
  invariant(data[start - 1] === HASH_BYTES && data[start - 2] === BLOCK_HASH_TAG, 'a response holds a block hash');
  data.set(hash, start);
}

/**
 * Writes a log like cosmos/evm v0.6: only the enclosing response has transaction and block hashes, the log has zeros.
 */
function writeLog(context: Context, { logs, index, firstLog }: ExecutionResult, at: number): void {
  const log = logs[at];
  if (log === undefined) return;
  const before = writer.length;
  writer.number(8, firstLog + at);
  writer.text(7, ZERO_HASH);
  writer.number(6, index);
  writer.text(5, ZERO_HASH);
  writer.number(4, context.height);
  writer.bytes(3, log.data);
  for (const topic of log.topics.toReversed()) writer.text(2, `0x${hex(topic)}`);
  writer.text(1, checksumAddress(context.crypto, log.address));
  writer.close(2, before);
}
