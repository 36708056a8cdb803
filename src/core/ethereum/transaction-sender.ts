/** Hashes, fees and senders of Ethereum transactions. */
import { concat } from '../bytes/bytes.js';
import type { EvmAuthorization, EvmTransaction } from '../evm/engine.js';
import type { Crypto } from '../ports/crypto.js';
import { wordOf } from '../bytes/big-endian.js';
import { encodeRlp, rlpNumber } from './rlp.js';
import type { EthereumTransaction, SignedAuthorization } from './transaction.js';
import { encodeForSigning, encodeTransaction, INVALID_SIGNATURE } from './transaction-codec.js';

/** Order of secp256k1's group; half of it is the highest s that EIP-2 allows. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** EIP-7702: first byte of the bytes that an authority signs. */
const AUTHORIZATION_MAGIC = 0x05;

export type SenderResult =
  | { readonly ok: true; readonly sender: Uint8Array }
  | { readonly ok: false; readonly message: string };

/** keccak256 of the signed bytes (32 bytes): the transaction's hash. */
export function transactionHash(crypto: Crypto, transaction: EthereumTransaction): Uint8Array {
  return crypto.keccak256(encodeTransaction(transaction));
}

/** keccak256 of the bytes that the sender signs (32 bytes). */
export function signingHash(crypto: Crypto, transaction: EthereumTransaction): Uint8Array {
  return crypto.keccak256(encodeForSigning(transaction));
}

/**
 * The sender's address, for a chain whose EIP-155 id is `chainId`. Refuses (with geth's texts) another chain's id,
 * high-s and other impossible signatures. A type 0 transaction without chain id passes; its caller decides whether to
 * accept it.
 */
export function recoverSender(crypto: Crypto, transaction: EthereumTransaction, chainId: bigint): SenderResult {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId) {
    return {
      ok: false,
      message: `invalid sender: invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    };
  }
  const sender = recoverAddress(crypto, encodeForSigning(transaction), transaction);
  return sender === undefined ? { ok: false, message: `invalid sender: ${INVALID_SIGNATURE}` } : { ok: true, sender };
}

/** EIP-7702 authority of one authorization; undefined when its signature is invalid. */
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

function recoverAddress(crypto: Crypto, message: Uint8Array, { r, s, yParity }: Signature): Uint8Array | undefined {
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return undefined;
  const publicKey = crypto.recoverSecp256k1(crypto.keccak256(message), concat(wordOf(r), wordOf(s)), yParity);
  return publicKey === undefined ? undefined : crypto.keccak256(publicKey).slice(12);
}

/** Highest price per gas: `maxFeePerGas`, or the gas price of types 0 and 1. wei. */
export function feeCapOf(transaction: EthereumTransaction): bigint {
  return transaction.type === 0 || transaction.type === 1 ? transaction.gasPrice : transaction.maxFeePerGas;
}

/** Highest tip per gas: `maxPriorityFeePerGas`, or the gas price of types 0 and 1. wei. */
export function tipCapOf(transaction: EthereumTransaction): bigint {
  return transaction.type === 0 || transaction.type === 1 ? transaction.gasPrice : transaction.maxPriorityFeePerGas;
}

/** Price per gas that a sender pays in a block with this base fee (EIP-1559). */
export function effectiveGasPrice(transaction: EthereumTransaction, baseFee: bigint): bigint {
  const cap = feeCapOf(transaction);
  const wanted = baseFee + tipCapOf(transaction);
  return cap < wanted ? cap : wanted;
}

/** The transaction in the form of the engine. Authorities are recovered here, once. */
export function toEvmTransaction(crypto: Crypto, transaction: EthereumTransaction, sender: Uint8Array): EvmTransaction {
  const { type, to, nonce, gasLimit, value, data } = transaction;
  const authorizations: readonly EvmAuthorization[] =
    type === 4
      ? transaction.authorizations.map((one) => ({
          chainId: one.chainId,
          address: one.address,
          nonce: one.nonce,
          authority: recoverAuthority(crypto, one),
        }))
      : [];
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
    maxPriorityFeePerGas: type === 2 || type === 4 ? transaction.maxPriorityFeePerGas : undefined,
    accessList: type === 0 ? [] : transaction.accessList,
  };
}
