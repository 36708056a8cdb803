/**
 * Extracts the Ethereum transaction from a consensus transaction, and its execution response: `MsgEthereumTx` and
 * `MsgEthereumTxResponse` of cosmos/evm v0.6 (`x/vm/types`). Reads only fields that Ethereum JSON-RPC shows; the ante
 * handler has checked the rest.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { equal, utf8 } from '../bytes/bytes.js';
import type { EvmLog } from '../evm/outcome.js';
import { cachingLast, onFirstCall } from '../on-first-call.js';
import { MsgEthereumTxSchema } from '../proto/cosmos/evm/vm/v1/tx_pb.js';
import { TxBodySchema, TxRawSchema } from '../proto/cosmos/tx/v1beta1/tx_pb.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { MESSAGE_URL, readWrapper } from './wrapper-codec.js';

/** Type URL of the message, and ethermint's, which the application also accepts. */
const MESSAGE_TYPES: readonly string[] = [MESSAGE_URL, '/ethermint.evm.v1.MsgEthereumTx'];
const RESPONSE_TYPE = utf8('/cosmos.evm.vm.v1.MsgEthereumTxResponse');

export interface WrappedTransaction {
  /** Sender, 20 bytes; equals the signer once the transaction passed the ante handler. */
  readonly from: Uint8Array;
  /** RLP, or typed envelope (EIP-2718). */
  readonly raw: Uint8Array;
}

export interface ExecutionResponse {
  /** Decoded on first use: a block may have tens of thousands of logs, and most readers need none. */
  readonly logs: readonly EvmLog[];
  /** Decodes the log at an index below `logCount`. */
  readonly log: (index: number) => EvmLog;
  /** Number of logs. */
  readonly logCount: number;
  /** Return or revert data. */
  readonly returned: Uint8Array;
  /** Error text of the VM; empty on success. */
  readonly vmError: string;
  readonly gasUsed: bigint;
}

/**
 * Wrapped transaction; undefined for any other consensus transaction. Uses the application's decoder, so that both
 * agree on bytes with repeated fields or unusual encoding.
 */
export function unwrapTransaction(consensusTx: Uint8Array): WrappedTransaction | undefined {
  const located = readWrapper(consensusTx);
  if (located !== undefined) return { from: located.from, raw: located.raw };
  return quietly(() => {
    const { messages } = fromBinary(TxBodySchema, fromBinary(TxRawSchema, consensusTx).bodyBytes);
    const [only] = messages;
    if (only === undefined || messages.length > 1 || !MESSAGE_TYPES.includes(only.typeUrl)) return undefined;
    const { from, raw } = fromBinary(MsgEthereumTxSchema, only.value);
    return from.length === 20 && raw.length > 0 ? { from, raw } : undefined;
  });
}

/** Reads `ExecTxResult.data` (a `TxMsgData`); undefined when it contains no response of an Ethereum transaction. */
export function readResponse(data: Uint8Array): ExecutionResponse | undefined {
  return quietly(() => {
    const any = bytesField(data, 2);
    const typeUrl = any === undefined ? undefined : bytesField(any, 1);
    if (any === undefined || typeUrl === undefined || !equal(typeUrl, RESPONSE_TYPE)) return undefined;
    return readResponseFields(bytesField(any, 2) ?? new Uint8Array(0));
  });
}

function readResponseFields(bytes: Uint8Array): ExecutionResponse {
  const positions: number[] = [];
  let returned: Uint8Array = new Uint8Array(0);
  let vmError = '';
  let gasUsed = 0n;
  const reader = new BinaryReader(bytes);
  eachField(reader, bytes.length, (field) => {
    if (field === 2) {
      positions.push(reader.pos);
      skipLog(reader);
    } else if (field === 3) returned = reader.bytes();
    else if (field === 4) vmError = reader.string();
    else if (field === 5) gasUsed = BigInt(reader.uint64());
    else return false;
    return true;
  });
  const addressOf = cachingLast(ofHex);
  const log = (index: number): EvmLog => readLog(reader, positions[index] ?? 0, addressOf);
  const logs = onFirstCall(() => positions.map((_, index) => log(index)));
  return {
    get logs() {
      return logs();
    },
    log,
    logCount: positions.length,
    returned,
    vmError,
    gasUsed,
  };
}

/** Skips a log; throws when `readLog` would. */
function skipLog(reader: BinaryReader): void {
  eachField(reader, endOf(reader), (field) => {
    if (field < 1 || field > 3) return false;
    reader.pos = endOf(reader);
    return true;
  });
}

/** Reads the log at a position. All logs share one reader, because a reader costs more than a log. */
function readLog(reader: BinaryReader, position: number, addressOf: (text: string) => Uint8Array): EvmLog {
  let address: Uint8Array = new Uint8Array(20);
  const topics: Uint8Array[] = [];
  let data: Uint8Array = new Uint8Array(0);
  reader.pos = position;
  eachField(reader, endOf(reader), (field) => {
    if (field === 1) address = addressOf(reader.string());
    else if (field === 2) topics.push(ofHex(reader.string()));
    else if (field === 3) data = reader.bytes();
    else return false;
    return true;
  });
  return { address, topics, data };
}

function ofHex(text: string): Uint8Array {
  return bytesOfDigits(text.slice(2)) ?? new Uint8Array(0);
}

/** Reads a length; returns the position at which so many bytes end. */
function endOf(reader: BinaryReader): number {
  const length = reader.uint32();
  return reader.pos + length;
}

/**
 * Calls `read` for each field of a message that ends at `end`; it returns false for a field that it does not consume.
 * Throws when a field ends behind `end`.
 */
function eachField(reader: BinaryReader, end: number, read: (field: number) => boolean): void {
  while (reader.pos < end) {
    const [field, wireType] = reader.tag();
    if (!read(field)) reader.skip(wireType, field);
  }
  if (reader.pos > end) throw new RangeError('a field ends behind its message');
}

/** First length-delimited field with this number. */
function bytesField(bytes: Uint8Array, wanted: number): Uint8Array | undefined {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === wanted && wireType === WireType.LengthDelimited) return reader.bytes();
    reader.skip(wireType, field);
  }
  return undefined;
}

/** Runs `read` and returns undefined when it throws: bytes that are not protobuf contain no Ethereum transaction. */
function quietly<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
