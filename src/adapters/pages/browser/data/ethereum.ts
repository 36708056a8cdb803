/** Calls of the application to the Ethereum face that served it. */
import { fetchNode } from './origin.js';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown };

/** The node refused a call; `message` is its own. */
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

/** Results of the calls of one batch, in order. Rejects when the node does not answer. */
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

/** Result of one call, as its caller knows its shape. Throws `Refused` for an error of the node. */
export async function ask<Value>(method: string, ...params: readonly unknown[]): Promise<Value> {
  const [result] = await askAll([{ method, params }]);
  if (result === undefined || !result.ok)
    throw new Refused(result?.message ?? 'no answer', result?.code ?? 0, result?.data);
  return result.value as Value;
}

/** The value of a result, null where the call failed. */
export function valueOf<Value>(result: Result | undefined): Value | null {
  return result?.ok === true ? (result.value as Value) : null;
}

/** A quantity in hexadecimal, as JSON-RPC has it. */
export function hexOf(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** A block as `eth_getBlockByNumber` answers it; `transactions` are hashes unless whole ones were asked for. */
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

/** A transaction as `eth_getTransactionByHash` answers it. */
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

/** Blocks between the bounds of a search for logs, at most (`ethLogsBlockRange`). */
export const LOG_BLOCKS = 10_000n;

/** The bounds of a search for the newest logs up to a height. */
export function logBounds(to: bigint): { readonly fromBlock: string; readonly toBlock: string } {
  return { fromBlock: hexOf(to > LOG_BLOCKS ? to - LOG_BLOCKS : 1n), toBlock: hexOf(to) };
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
