/** A dev chain whose accounts also send Ethereum transactions. */
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from 'viem';
import { decodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { wrapEthereumTransaction } from '../../../src/core/modules/evm/ethereum-message.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { account, chain, DevChain } from './dev-chain.js';
import { crypto, fromHex, toHex } from './support.js';

export const GWEI = 1_000_000_000n;
export const evm = createEngineFactory(loadEngineModule(), crypto);
export const ethereumChain = (): DevChain => new DevChain({ evm });

export const signer = (index: number) => privateKeyToAccount(`0x${toHex(account(index).secret)}`);
export const addressOf = (index: number): Uint8Array => fromHex(signer(index).address.slice(2).toLowerCase());
export const bytesOf = (hex: string): Uint8Array => fromHex(hex.replace(/^0x/, ''));

/** Fields of a type 2 transaction; 2 gwei and 21,000 gas by default. */
export interface Fields {
  readonly nonce: number;
  readonly to?: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
  readonly data?: Hex;
  readonly chainId?: number;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

/** Raw bytes of a transaction signed by dev account `from`. */
export async function rawOf(from: number, fields: Fields): Promise<Uint8Array> {
  return bytesOf(
    await signer(from).signTransaction({
      type: 'eip1559',
      chainId: Number(chain.evmChainId),
      gas: 21_000n,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: 0n,
      ...fields,
    }),
  );
}

/** The consensus transaction around raw bytes. */
export function wrap(raw: Uint8Array, from: number): Uint8Array {
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw new Error(decoded.message);
  return wrapEthereumTransaction(raw, decoded.transaction, addressOf(from), chain.baseDenom);
}

export async function tx(from: number, fields: Fields): Promise<Uint8Array> {
  return wrap(await rawOf(from, fields), from);
}
