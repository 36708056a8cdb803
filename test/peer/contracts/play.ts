/** A chain with validators, delegations, proposals and allowances, and transactions of its accounts. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { getContractAddress, type Hex, hexToBytes, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { encodeForSigning, encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import type { EthereumTransaction } from '../../../src/core/ethereum/transaction.js';
import { writeWrapper } from '../../../src/core/ethereum/wrapper-codec.js';

export const EVM_CHAIN_ID = 4321n;
/** Gas is free, so that a difference in gas does not change balances. */
const PRICE = 0n;
export const GAS = 1_000_000n;

/** Keys of the accounts of the genesis document, in the order of `table.ts`, and of some that it does not have. */
const KEYS: readonly Hex[] = [
  '0xe9b1d63e8acd7fe676acb43afb390d4b0202dab61abec9cf2a561e4becb147de',
  '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  '0x741de4f8988ea941d3ff0287911ca4074e62b7d45c991a51186455366f10b544',
  `0x${'11'.repeat(32)}`,
];

interface Document {
  readonly app_state: Record<string, { readonly params: Record<string, unknown> }>;
  readonly consensus: { readonly params: { readonly block: { max_gas: string } } };
}

/** The genesis: long voting periods, large blocks, and no minimum for the gas used. */
export function genesis(): Uint8Array {
  const packed = readFileSync(new URL('../../fixtures/chains/aoak/genesis.json.gz', import.meta.url));
  const document: Document = JSON.parse(gunzipSync(packed).toString());
  const { gov, staking, feemarket } = document.app_state;
  Object.assign(gov?.params ?? {}, {
    voting_period: '900000s',
    max_deposit_period: '900000s',
    expedited_voting_period: '800000s',
  });
  Object.assign(staking?.params ?? {}, { max_entries: 200, unbonding_time: '900000s' });
  Object.assign(feemarket?.params ?? {}, { min_gas_multiplier: '0.000000000000000000', no_base_fee: true });
  document.consensus.params.block.max_gas = '400000000';
  return Buffer.from(JSON.stringify(document));
}

export interface Call {
  /** undefined creates a contract. */
  readonly to: Hex | undefined;
  readonly input: Uint8Array;
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** An account that signs with increasing nonces. */
export class Account {
  readonly address: Hex;

  constructor(
    private readonly key: Hex,
    private nonce: bigint,
  ) {
    this.address = privateKeyToAddress(key);
  }

  /** Address of the contract that the next transaction creates. */
  made(): Hex {
    return getContractAddress({ from: this.address, nonce: this.nonce });
  }

  send({ to, input, value = 0n, gas = GAS }: Call): Uint8Array {
    const unsigned: EthereumTransaction = {
      type: 0,
      nonce: this.nonce,
      gasLimit: gas,
      gasPrice: PRICE,
      to: to === undefined ? undefined : hexToBytes(to),
      value,
      data: input,
      chainId: EVM_CHAIN_ID,
      r: 0n,
      s: 0n,
      yParity: 0,
    };
    this.nonce += 1n;
    const bytes = secp256k1.sign(keccak_256(encodeForSigning(unsigned)), hexToBytes(this.key), {
      prehash: false,
      format: 'recovered',
    });
    const [r = 0n, s = 0n] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => BigInt(toHex(part)));
    const raw = encodeTransaction({ ...unsigned, r, s, yParity: bytes[0] === 1 ? 1 : 0 });
    return writeWrapper({ from: hexToBytes(this.address), raw, denom: 'aoak', fee: gas * PRICE, gasLimit: gas });
  }
}

/** The first account has made the validator of the genesis document. */
export const accounts = (): readonly Account[] => KEYS.map((key, index) => new Account(key, index === 0 ? 1n : 0n));
