/** Encoding of Ethereum transactions (EIP-155, 2718, 2930, 1559, 4844, 7702). Error texts are geth's. */
import { concat } from '../bytes/bytes.js';
import { decodeRlp, encodeRlp, rlpNumber, type RlpItem } from './rlp.js';
import type { EthereumTransaction } from './transaction.js';
import { FieldError, FieldReader } from './transaction-fields.js';
import type { UnsignedTransaction } from './unsigned.js';

export type DecodedTransaction =
  | { readonly ok: true; readonly transaction: EthereumTransaction }
  | { readonly ok: false; readonly message: string };

export const INVALID_SIGNATURE = 'invalid transaction v, r, s values';
const UNSUPPORTED_TYPE = 'transaction type not supported';

/**
 * Decodes one signed transaction: an RLP list (type 0), or a type byte and an RLP list. `recoverSender` checks the
 * range of signature values.
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const type = bytes[0] ?? 0;
  const legacy = type > 0x7f;
  if (!legacy && bytes.length <= 1) return { ok: false, message: 'typed transaction too short' };
  if (!legacy && (type === 0 || type > 4)) return { ok: false, message: UNSUPPORTED_TYPE };
  const decoded = decodeRlp(legacy ? bytes : bytes.subarray(1));
  if (!decoded.ok) return decoded;
  try {
    const transaction = legacy ? readLegacy(decoded.item) : readTyped(type, decoded.item);
    return transaction === undefined ? { ok: false, message: UNSUPPORTED_TYPE } : { ok: true, transaction };
  } catch (error) {
    if (error instanceof FieldError) return { ok: false, message: error.message };
    throw error;
  }
}

/** Transaction type (EIP-2718) from the signed bytes; 0 for an RLP list. */
export function typeOf(raw: Uint8Array): number {
  const [first = 0] = raw;
  return first > 0x7f ? 0 : first;
}

function readLegacy(item: RlpItem): EthereumTransaction {
  const fields = new FieldReader(item, 'types.LegacyTx');
  const nonce = fields.uint64('Nonce');
  const gasPrice = fields.uint256('GasPrice');
  const gasLimit = fields.uint64('Gas');
  const to = fields.optionalAddress('To');
  const value = fields.uint256('Value');
  const data = fields.bytes('Data');
  const v = fields.uint256('V');
  const r = fields.uint256('R');
  const s = fields.uint256('S');
  fields.end();
  if (v !== 27n && v !== 28n && v < 35n) throw new FieldError(INVALID_SIGNATURE);
  const isProtected = v >= 35n;
  return {
    type: 0,
    chainId: isProtected ? (v - 35n) / 2n : undefined,
    nonce,
    gasPrice,
    gasLimit,
    to,
    value,
    data,
    yParity: (isProtected ? v - 35n : v - 27n) % 2n === 0n ? 0 : 1,
    r,
    s,
  };
}

const GO_TYPES = { 1: 'types.AccessListTx', 2: 'types.DynamicFeeTx', 4: 'types.SetCodeTx' } as const;

/** Reads a typed transaction in field order; undefined for blob transactions, which are not supported here. */
function readTyped(type: number, item: RlpItem): EthereumTransaction | undefined {
  if (type !== 1 && type !== 2 && type !== 4) return undefined;
  const fields = new FieldReader(item, GO_TYPES[type], type === 4 ? '*uint256.Int' : '*big.Int');
  const head = { chainId: fields.uint256('ChainID'), nonce: fields.uint64('Nonce') };
  if (type === 1) {
    const gasPrice = fields.uint256('GasPrice');
    return { type, ...head, gasPrice, ...payload(fields, () => fields.optionalAddress('To')), ...signature(fields) };
  }
  const fees = { maxPriorityFeePerGas: fields.uint256('GasTipCap'), maxFeePerGas: fields.uint256('GasFeeCap') };
  if (type === 2)
    return { type, ...head, ...fees, ...payload(fields, () => fields.optionalAddress('To')), ...signature(fields) };
  const authorized = {
    ...payload(fields, () => fields.address('To')),
    authorizations: fields.authorizations('AuthList'),
  };
  return { type, ...head, ...fees, ...authorized, ...signature(fields) };
}

/** Reads the fields of a typed transaction from gas to access list; `readTo` reads the recipient. */
function payload<To>(fields: FieldReader, readTo: () => To) {
  return {
    gasLimit: fields.uint64('Gas'),
    to: readTo(),
    value: fields.uint256('Value'),
    data: fields.bytes('Data'),
    accessList: fields.accessList('AccessList'),
  };
}

/** Reads the last three fields of a typed transaction. */
function signature(fields: FieldReader): { readonly yParity: 0 | 1; readonly r: bigint; readonly s: bigint } {
  const v = fields.uint256('V');
  const r = fields.uint256('R');
  const s = fields.uint256('S');
  fields.end();
  if (v > 1n) throw new FieldError(INVALID_SIGNATURE);
  return { yParity: v === 0n ? 0 : 1, r, s };
}

/** Encodes a signed transaction: the input of `decodeTransaction` and of the hash. */
export function encodeTransaction(transaction: EthereumTransaction): Uint8Array {
  const { r, s, yParity } = transaction;
  if (transaction.type === 0) {
    const v = BigInt(yParity) + (transaction.chainId === undefined ? 27n : transaction.chainId * 2n + 35n);
    return encodeRlp([...unsignedFields(transaction), rlpNumber(v), rlpNumber(r), rlpNumber(s)]);
  }
  return concat(
    Uint8Array.of(transaction.type),
    encodeRlp([...unsignedFields(transaction), rlpNumber(BigInt(yParity)), rlpNumber(r), rlpNumber(s)]),
  );
}

/** Encodes an unsigned transaction with zero v, r and s (go-ethereum v1.17 `types.NewTx`). */
export function encodeUnsigned(transaction: UnsignedTransaction): Uint8Array {
  const fields = encodeRlp([...unsignedFields(transaction), rlpNumber(0n), rlpNumber(0n), rlpNumber(0n)]);
  return transaction.type === 0 ? fields : concat(Uint8Array.of(transaction.type), fields);
}

/** Encodes the bytes whose keccak256 the sender signs. */
export function encodeForSigning(transaction: UnsignedTransaction): Uint8Array {
  const fields = unsignedFields(transaction);
  if (transaction.type !== 0) return concat(Uint8Array.of(transaction.type), encodeRlp(fields));
  return encodeRlp(
    transaction.chainId === undefined
      ? fields
      : [...fields, rlpNumber(transaction.chainId), new Uint8Array(0), new Uint8Array(0)],
  );
}

function unsignedFields(transaction: UnsignedTransaction): readonly RlpItem[] {
  const { nonce, gasLimit, to = new Uint8Array(0), value, data } = transaction;
  const body = [rlpNumber(gasLimit), to, rlpNumber(value), data];
  if (transaction.type === 0) return [rlpNumber(nonce), rlpNumber(transaction.gasPrice), ...body];
  const head = [rlpNumber(transaction.chainId), rlpNumber(nonce)];
  const accessList = transaction.accessList.map(({ address, storageKeys }) => [address, storageKeys]);
  if (transaction.type === 1) return [...head, rlpNumber(transaction.gasPrice), ...body, accessList];
  const fees = [rlpNumber(transaction.maxPriorityFeePerGas), rlpNumber(transaction.maxFeePerGas)];
  if (transaction.type === 2) return [...head, ...fees, ...body, accessList];
  if (transaction.type === 3) {
    const { hashes, maxFeePerBlobGas } = transaction.blobs;
    return [...head, ...fees, ...body, accessList, rlpNumber(maxFeePerBlobGas), hashes];
  }
  const authorizations = transaction.authorizations.map((one) => [
    rlpNumber(one.chainId),
    one.address,
    rlpNumber(one.nonce),
    rlpNumber(BigInt(one.yParity)),
    rlpNumber(one.r),
    rlpNumber(one.s),
  ]);
  return [...head, ...fees, ...body, accessList, authorizations];
}
