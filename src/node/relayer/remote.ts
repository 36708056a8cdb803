import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { setTimeout as pause } from 'node:timers/promises';
import { callJsonRpc } from '../../adapters/client/json-rpc-client.js';
import { postJson } from '../../adapters/client/http-post.js';
import { parseTime } from '../../core/comet/time.js';
import type { KeyAccount } from '../../core/keys/accounts.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { asObject } from '../../core/text/json-object.js';

/** A chain as the relayer needs it: RPC addresses, and the account that pays fees. */
export interface RelayedChain {
  readonly chainId: string;
  /** The consensus RPC. */
  readonly comet: string;
  /** Address of Ethereum JSON-RPC, whose dev commands mine blocks; undefined if the relayer cannot mine. */
  readonly ethereum: string | undefined;
  readonly account: KeyAccount;
  /** Fee denom, and the lowest gas price in it. */
  readonly denom: string;
  readonly minGasPrice: bigint;
  /** True if the relayer mines the block that a proof needs; else it waits for it. */
  readonly isMinedAtOnce: boolean;
}

/** A request of the relayer to a chain failed. */
export class RemoteFailed extends Error {
  override readonly name = 'RemoteFailed';
}

/** A transaction was refused, or failed in its block. */
export class TxFailed extends RemoteFailed {}

/** The head of a chain. */
export interface RemoteHead {
  readonly height: bigint;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  /** Block hash in hexadecimal digits; empty before the first block. */
  readonly hash: string;
}

interface Method {
  readonly name: string;
  readonly parent: { readonly typeName: string };
  readonly input: DescMessage;
  readonly output: DescMessage;
}

/** A client of one chain: consensus RPC, and dev commands that mine blocks. All methods throw RemoteFailed. */
export class Remote {
  readonly #comet: URL;
  readonly #ethereum: URL | undefined;

  constructor(
    readonly chain: RelayedChain,
    readonly signal: AbortSignal,
  ) {
    this.#comet = new URL(chain.comet);
    this.#ethereum = chain.ethereum === undefined ? undefined : new URL(chain.ethereum);
  }

  /** Calls a method of the consensus RPC; returns its result. */
  async call(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    return asObject(await this.#ask(this.#comet, method, params)) ?? {};
  }

  async head(): Promise<RemoteHead> {
    const info = asObject((await this.call('status'))['sync_info']);
    const time = parseTime(String(info?.['latest_block_time']));
    const height = BigInt(String(info?.['latest_block_height']));
    return { height, time: time ?? 0n, hash: String(info?.['latest_block_hash']) };
  }

  /** True if a block is no longer on the chain, because of a dev-mode revert. */
  async isRemoved({ height, hash }: RemoteHead): Promise<boolean> {
    if (height === 0n) return false;
    const { header } = await this.call('header_by_hash', { hash: Buffer.from(hash, 'hex').toString('base64') });
    return header === null;
  }

  /** Calls a query of the application by its gRPC path, at a height (cosmos-sdk v0.53 `baseapp/abci.go`). */
  async query<Called extends Method>(
    { parent, name, input, output }: Called,
    request: MessageInitShape<Called['input']>,
    height = 0n,
  ): Promise<MessageShape<Called['output']>> {
    const bytes = toBinary(input, create(input, request));
    const { value } = await this.abciQuery(`/${parent.typeName}/${name}`, bytes, height, false);
    return fromBinary<Called['output']>(output, value);
  }

  /** The value and the proofs of `abci_query`. */
  async abciQuery(path: string, data: Uint8Array, height: bigint, prove: boolean) {
    const params = { path, data: Buffer.from(data).toString('hex'), height: height.toString(), prove };
    const response = asObject((await this.call('abci_query', params))['response']) ?? {};
    if (response['code'] !== 0) throw new RemoteFailed(`${path}: ${String(response['log'])}`);
    const { value } = response;
    const ops: unknown = asObject(response['proofOps'])?.['ops'];
    return {
      value: new Uint8Array(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
      proofs: (Array.isArray(ops) ? ops : []).map(
        (op: unknown) => new Uint8Array(Buffer.from(String(asObject(op)?.['data']), 'base64')),
      ),
    };
  }

  /** Mines blocks by a dev command; false if the chain does not mine on request. */
  async mine(count = 1n): Promise<boolean> {
    if (this.#ethereum === undefined) return false;
    try {
      await this.#ask(this.#ethereum, 'hardhat_mine', [`0x${count.toString(16)}`]);
      return true;
    } catch (error) {
      // the command may be disabled by the namespaces or by the genesis
      if (error instanceof RemoteFailed) return false;
      throw error;
    }
  }

  /** Calls a dev command. */
  async command(method: string, params: readonly unknown[]): Promise<void> {
    if (this.#ethereum === undefined) throw new RemoteFailed(`${this.chain.chainId} has no Ethereum face`);
    await this.#ask(this.#ethereum, method, params);
  }

  /** Resolves with the head once it is above `height`. `isHurried`: mines blocks instead of waiting for them. */
  async above(height: bigint, isHurried: boolean): Promise<RemoteHead> {
    for (;;) {
      const head = await this.head();
      if (head.height > height) return head;
      const missing = height + 1n - head.height;
      const { relayerBlocks } = FIXED_LIMITS;
      const isMade = isHurried && (await this.mine(missing < relayerBlocks ? missing : relayerBlocks));
      if (!isMade) await this.pause(FIXED_LIMITS.relayerPauseMs);
    }
  }

  /** Waits; rejects when the relayer is stopped. */
  async pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.signal });
  }

  async #ask(url: URL, method: string, params: unknown): Promise<unknown> {
    this.signal.throwIfAborted();
    const answer = await callJsonRpc((body) => postJson(url, body, FIXED_LIMITS.relayerCallMs), method, params);
    if (answer.ok) return answer.result;
    const { message, data } = answer.error;
    throw new RemoteFailed(`${method}: ${message}${data === undefined ? '' : `: ${String(data)}`}`);
  }
}
