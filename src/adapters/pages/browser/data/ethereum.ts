/** JSON-RPC client of the Ethereum face that serves the application. */
import { max, min } from '../../../../core/bigint.js';
import { fetchNode } from './origin.js';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown };

/** The node answered with an error; `message` is its text. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

interface RpcAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends a batch; resolves with the results in order. Rejects if the node does not answer. */
export async function askAll(
  calls: readonly Call[],
  by: (path: string, init: RequestInit) => Promise<Response> = fetchNode,
): Promise<readonly Result[]> {
  if (calls.length === 0) return [];
  const response = await by('/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  });
  const answers: unknown = await response.json();
  if (!Array.isArray(answers)) throw new Error(`the node refused a batch: ${JSON.stringify(answers).slice(0, 200)}`);
  return calls.map((_, id): Result => {
    const answer = (answers as readonly RpcAnswer[]).find((one) => one.id === id);
    if (answer === undefined) return { ok: false, code: 0, message: 'no answer' };
    return answer.error === undefined ? { ok: true, value: answer.result } : { ok: false, ...answer.error };
  });
}

/** Calls a method; the caller chooses the result type. Throws `Refused` for an error of the node. */
export async function ask<Value>(method: string, ...params: readonly unknown[]): Promise<Value> {
  const [result] = await askAll([{ method, params }]);
  if (result === undefined || !result.ok)
    throw new Refused(result?.message ?? 'no answer', result?.code ?? 0, result?.data);
  return result.value as Value;
}

/** The value of a result; null if the call failed. */
export function valueOf<Value>(result: Result | undefined): Value | null {
  return result?.ok === true ? (result.value as Value) : null;
}

/** Encodes a number as a JSON-RPC quantity. */
export function hexOf(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** A block of `eth_getBlockByNumber`; `transactions` are hashes, or full transactions if requested. */
export interface Block<Tx = string> {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly gasUsed: string;
  readonly gasLimit: string;
  readonly baseFeePerGas?: string;
  readonly miner: string;
  readonly size: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  readonly mixHash: string;
  readonly extraData: string;
  readonly transactions: readonly Tx[];
}

/** A transaction of `eth_getTransactionByHash`. */
export interface EthereumTx {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly nonce: string;
  readonly gas: string;
  readonly gasPrice: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly input: string;
  readonly type: string;
  readonly blockNumber: string | null;
  readonly blockTimestamp?: string;
  readonly transactionIndex: string | null;
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly logIndex: string;
}

export interface Receipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
  readonly logs: readonly Log[];
}

/** Maximum block range of a log search (`ethLogsBlockRange`). */
export const LOG_BLOCKS = 10_000n;

/** Block range of a search for the newest logs up to a height; `earliest` is the oldest block of the node. */
export function logBounds(to: bigint, earliest = 1n): { readonly fromBlock: string; readonly toBlock: string } {
  const from = max(max(to - LOG_BLOCKS, earliest), 1n);
  // the node says that a height before the oldest one is pruned
  return { fromBlock: hexOf(min(from, max(to, 1n))), toBlock: hexOf(to) };
}

/** A frame of `callTracer`. */
export interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly Frame[];
}
