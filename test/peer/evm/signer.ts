/** The account that signs in chains over the fixture aoak. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { bech32 } from '@scure/base';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { getContractAddress, type Hex, hexToBytes, type SignedAuthorization } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { writeWrapper } from '../../../src/core/ethereum/wrapper-codec.js';
import { signTx } from '../../support/sign-tx.js';

export const GENESIS = gunzipSync(readFileSync(new URL('../../fixtures/chains/aoak/genesis.json.gz', import.meta.url)));
export const EVM_CHAIN_ID = 4321n;
const KEY = '0xe9b1d63e8acd7fe676acb43afb390d4b0202dab61abec9cf2a561e4becb147de';
const account = privateKeyToAccount(KEY);
export const SENDER = account.address;
export const NAME = bech32.encode('cosmos', bech32.toWords(hexToBytes(SENDER)));
/** In wei; above every base fee in these tests. */
const PRICE = 10n ** 12n;
const GAS = 1_000_000n;
/** A transaction and its description. */
export interface Step {
  readonly name: string;
  readonly tx: Uint8Array;
}

export interface Call {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly gas?: bigint;
  readonly value?: bigint;
  /** Other accounts that delegate (EIP-7702). */
  readonly authorizations?: readonly SignedAuthorization[];
}

/** Init code that deploys `runtime`. */
export const deploying = (runtime: string): Hex =>
  `0x61${(runtime.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${runtime}`;

/** Signs with the nonces of one account, which the genesis has at 1. */
export class Signer {
  #nonce: number;

  constructor(
    private readonly chainId: string,
    nonce = 1,
  ) {
    this.#nonce = nonce;
  }

  /** Address of the contract that the next transaction creates. */
  made(): Hex {
    return getContractAddress({ from: SENDER, nonce: BigInt(this.#nonce) });
  }

  /** Signs a raw transaction with the next nonce without using the nonce up. */
  raw({ gas = GAS, value = 0n, to, data, authorizations }: Call, ahead = 0): Promise<Hex> {
    const common = {
      chainId: Number(EVM_CHAIN_ID),
      nonce: this.#nonce + ahead,
      gas,
      value,
      maxFeePerGas: PRICE,
      maxPriorityFeePerGas: 0n,
      ...(to && { to }),
      ...(data && { data }),
    };
    return authorizations === undefined
      ? account.signTransaction({ type: 'eip1559', ...common })
      : account.signTransaction({ type: 'eip7702', authorizationList: [...authorizations], ...common });
  }

  async ethereum(name: string, call: Call): Promise<Step> {
    const raw = hexToBytes(await this.raw(call));
    this.#nonce += 1;
    const gasLimit = call.gas ?? GAS;
    const tx = writeWrapper({ from: hexToBytes(SENDER), raw, denom: 'aoak', fee: gasLimit * PRICE, gasLimit });
    return { name, tx };
  }

  cosmos(name: string, messages: readonly Any[], accountNumber: bigint, gasLimit = 2_000_000n): Step {
    const unsigned = {
      messages,
      memo: '',
      fee: { amount: [{ denom: 'aoak', amount: gasLimit * PRICE }], gasLimit },
      chainId: this.chainId,
      accountNumber,
      sequence: BigInt(this.#nonce),
      coinMetadata: new Map(),
    };
    this.#nonce += 1;
    return { name, tx: signTx(unsigned, hexToBytes(KEY)) };
  }
}
