/** EIP-2681 at admission: the nonce 2^64 - 1 is never valid. */
import { expect, it } from 'vitest';
import { checkTransaction, MAX_NONCE } from '../../../src/core/ethereum/check-transaction.js';
import type { EthereumTransaction } from '../../../src/core/ethereum/transaction.js';

const withNonce = (nonce: bigint): EthereumTransaction => ({
  type: 0,
  chainId: 1n,
  nonce,
  gasPrice: 1n,
  gasLimit: 21_000n,
  to: new Uint8Array(20),
  value: 0n,
  data: new Uint8Array(0),
  r: 1n,
  s: 1n,
  yParity: 0,
});

it('a transaction with nonce 2^64 - 2 is accepted, and one with 2^64 - 1 is refused', () => {
  expect(MAX_NONCE).toBe(0xffff_ffff_ffff_fffen);
  expect(checkTransaction(withNonce(MAX_NONCE))).toBeUndefined();
  expect(checkTransaction(withNonce(MAX_NONCE + 1n))).toBe('nonce has max value');
});
