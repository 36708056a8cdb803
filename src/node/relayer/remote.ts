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

/** A chain as the relayer finds it: addresses of its faces, and the account that pays. */
export interface RelayedChain {
  readonly chainId: string;
  /** The consensus RPC. */
  readonly comet: string;
  /** The Ethereum face, whose dev commands make blocks; undefined where blocks come by themselves alone. */
  readonly ethereum: string | undefined;
  readonly account: KeyAccount;
  /** The coin of fees, and the least price of gas in it. */
  readonly denom: string;
  readonly minGasPrice: bigint;
  /** The relayer asks for the block that a proof needs; else it waits for it. */
  readonly isMinedAtOnce: boolean;
}

/** A chain did not do what the relayer asked of it. */
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
}

interface Method {
  readonly name: string;
  readonly parent: { readonly typeName: string };
  readonly input: DescMessage;
  readonly output: DescMessage;
}

/** A chain by its public faces: consensus RPC, and dev commands that make blocks. Everything throws RemoteFailed. */
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

  /** The result of a method of the consensus RPC. */
  async call(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    return asObject(await this.#ask(this.#comet, method, params)) ?? {};
  }

  async head(): Promise<RemoteHead> {
    const info = asObject((await this.call('status'))['sync_info']);
    const time = parseTime(String(info?.['latest_block_time']));
    return { height: BigInt(String(info?.['latest_block_height'])), time: time ?? 0n };
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

  /** Has the chain make blocks where it does so on request; false where it does not. */
  async mine(count = 1n): Promise<boolean> {
    if (this.#ethereum === undefined) return false;
    try {
      await this.#ask(this.#ethereum, 'hardhat_mine', [`0x${count.toString(16)}`]);
      return true;
    } catch (error) {
      // the namespaces of the face, or the chain's genesis, may leave the command out
      if (error instanceof RemoteFailed) return false;
      throw error;
    }
  }

  /** Gives a command of dev mode; its refusal is RemoteFailed. */
  async command(method: string, params: readonly unknown[]): Promise<void> {
    if (this.#ethereum === undefined) throw new RemoteFailed(`${this.chain.chainId} has no Ethereum face`);
    await this.#ask(this.#ethereum, method, params);
  }

  /** The head, once it is above a height. `isHurried`: blocks are asked for; else they are waited for. */
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
