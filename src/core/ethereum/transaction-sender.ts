/** Hashes, fees and senders of Ethereum transactions. */
import { concat } from '../bytes/bytes.js';
import type { EvmAuthorization, EvmTransaction } from '../evm/transaction.js';
import type { Crypto } from '../ports/crypto.js';
import { wordOf } from '../bytes/big-endian.js';
import { encodeRlp, rlpNumber } from './rlp.js';
import type { EthereumTransaction, SignedAuthorization } from './transaction.js';
import type { UnsignedTransaction } from './unsigned.js';
import { encodeForSigning, encodeTransaction, INVALID_SIGNATURE } from './transaction-codec.js';

/** Order of secp256k1; EIP-2 allows s up to half of it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** First byte of the message that an authority signs (EIP-7702). */
const AUTHORIZATION_MAGIC = 0x05;

export type SenderResult =
  | { readonly ok: true; readonly sender: Uint8Array }
  | { readonly ok: false; readonly message: string };

/** keccak256 of the signed bytes (32 bytes): the transaction's hash. */
export function transactionHash(crypto: Crypto, transaction: EthereumTransaction): Uint8Array {
  return crypto.keccak256(encodeTransaction(transaction));
}

/** keccak256 of the bytes that the sender signs (32 bytes). */
export function signingHash(crypto: Crypto, transaction: UnsignedTransaction): Uint8Array {
  return crypto.keccak256(encodeForSigning(transaction));
}

/** Input of public key recovery. */
export interface RecoveryInput {
  /** keccak256 of the message, 32 bytes. */
  readonly digest: Uint8Array;
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array;
  readonly yParity: 0 | 1;
}

const UNSIGNED = { ok: false, message: `invalid sender: ${INVALID_SIGNATURE}` } as const;
/** Error for an r that is not the x coordinate of a curve point. */
const UNRECOVERED = { ok: false, message: 'invalid sender: recovery failed' } as const;

/** First half of `recoverSender`: all checks that need no curve arithmetic. */
export function recoveryInput(
  crypto: Crypto,
  transaction: EthereumTransaction,
  chainId: bigint,
): { readonly ok: true; readonly input: RecoveryInput } | { readonly ok: false; readonly message: string } {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId) {
    return {
      ok: false,
      message: `invalid sender: invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    };
  }
  const input = inputOf(crypto, encodeForSigning(transaction), transaction);
  return input === undefined ? UNSIGNED : { ok: true, input };
}

/** Second half of `recoverSender`: sender of a recovered key (64 bytes); undefined means that recovery failed. */
export function senderOf(crypto: Crypto, publicKey: Uint8Array | undefined): SenderResult {
  return publicKey === undefined ? UNRECOVERED : { ok: true, sender: addressOf(crypto, publicKey) };
}

/**
 * Recovers the sender's address on a chain with EIP-155 id `chainId`. Rejects (with geth's texts) other chain ids,
 * high-s and invalid signatures. Accepts type 0 transactions without chain id; the caller decides about them.
 */
export function recoverSender(crypto: Crypto, transaction: EthereumTransaction, chainId: bigint): SenderResult {
  const read = recoveryInput(crypto, transaction, chainId);
  if (!read.ok) return read;
  const { digest, signature, yParity } = read.input;
  return senderOf(crypto, crypto.recoverSecp256k1(digest, signature, yParity));
}

/** Recovers the authority of an authorization (EIP-7702); undefined when the signature is invalid. */
export function recoverAuthority(crypto: Crypto, authorization: SignedAuthorization): Uint8Array | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  if (yParity !== 0 && yParity !== 1) return undefined;
  const message = concat(
    Uint8Array.of(AUTHORIZATION_MAGIC),
    encodeRlp([rlpNumber(chainId), address, rlpNumber(nonce)]),
  );
  return recoverAddress(crypto, message, { r, s, yParity });
}

interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
}

function recoverAddress(crypto: Crypto, message: Uint8Array, signature: Signature): Uint8Array | undefined {
  const input = inputOf(crypto, message, signature);
  const publicKey = input && crypto.recoverSecp256k1(input.digest, input.signature, input.yParity);
  return publicKey && addressOf(crypto, publicKey);
}

/** Recovery input; undefined for r or s out of range (EIP-2). */
function inputOf(crypto: Crypto, message: Uint8Array, { r, s, yParity }: Signature): RecoveryInput | undefined {
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return undefined;
  return { digest: crypto.keccak256(message), signature: concat(wordOf(r), wordOf(s)), yParity };
}

function addressOf(crypto: Crypto, publicKey: Uint8Array): Uint8Array {
  return crypto.keccak256(publicKey).slice(12);
}

/** Fee cap per gas in wei: `maxFeePerGas`, or the gas price of types 0 and 1. */
export function feeCapOf(transaction: EthereumTransaction): bigint {
  return transaction.type === 0 || transaction.type === 1 ? transaction.gasPrice : transaction.maxFeePerGas;
}

/** Tip cap per gas in wei: `maxPriorityFeePerGas`, or the gas price of types 0 and 1. */
export function tipCapOf(transaction: EthereumTransaction): bigint {
  return transaction.type === 0 || transaction.type === 1 ? transaction.gasPrice : transaction.maxPriorityFeePerGas;
}

/** Price per gas that a sender pays at this base fee (EIP-1559), in wei. */
export function effectiveGasPrice(transaction: EthereumTransaction, baseFee: bigint): bigint {
  const cap = feeCapOf(transaction);
  const wanted = baseFee + tipCapOf(transaction);
  return cap < wanted ? cap : wanted;
}

/** Converts authorizations for the engine and recovers their authorities. */
export function toEvmAuthorizations(
  crypto: Crypto,
  authorizations: readonly SignedAuthorization[],
): readonly EvmAuthorization[] {
  return authorizations.map((one) => ({
    chainId: one.chainId,
    address: one.address,
    nonce: one.nonce,
    authority: recoverAuthority(crypto, one),
  }));
}

/** Converts a transaction for the engine. */
export function toEvmTransaction(crypto: Crypto, transaction: EthereumTransaction, sender: Uint8Array): EvmTransaction {
  const { type, to, nonce, gasLimit, value, data } = transaction;
  const authorizations = type === 4 ? toEvmAuthorizations(crypto, transaction.authorizations) : [];
  return {
    type,
    from: sender,
    to,
    nonce,
    gasLimit,
    value,
    data,
    authorizations,
    maxFeePerGas: feeCapOf(transaction),
    maxPriorityFeePerGas: type === 0 || type === 1 ? undefined : transaction.maxPriorityFeePerGas,
    accessList: type === 0 ? [] : transaction.accessList,
    ...(type === 3 && { blobs: transaction.blobs }),
  };
}
