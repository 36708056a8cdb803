/** The face over a fake node, called in process or through the real transport. */
import { expect } from 'vitest';
import type { CallHooks } from '../../../src/adapters/eth-rpc/dispatcher.js';
import { createEthereumRpc, type EthereumRpc } from '../../../src/adapters/eth-rpc/index.js';
import type { EthereumSubscriptions } from '../../../src/adapters/eth-rpc/subscriptions/index.js';
import type { PacketCommands } from '../../../src/core/ethereum/api.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import type { Timers } from '../../../src/core/ports/time.js';
import { argumentProblem } from '../../support/discovered.js';
import { resultProblems } from '../../support/openrpc.js';
import { type FakeNode, crypto, fakeNode } from './fake-node.js';

/** Real timers, for tests of clients that wait. */
export const timers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  yield: () => new Promise((resolve) => setImmediate(resolve)),
};

export interface Answered {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Face {
  readonly rpc: EthereumRpc;
  readonly node: FakeNode;
  readonly defects: unknown[];
  /** Body of the answer to a posted body. */
  post(body: string, contentType?: string): Promise<{ readonly status: number; readonly text: string }>;
  /** The answer to one call. Result and parameters are checked against the schema of the document, if it has one. */
  call(method: string, ...params: readonly unknown[]): Promise<Answered>;
  /** The answer to one call whose parameters have forms that `rpc_discover` does not describe. */
  callOtherwise(method: string, ...params: readonly unknown[]): Promise<Answered>;
}

export interface FaceOptions {
  /** `plain`: on a chain whose genesis does not allow unsigned transactions. */
  readonly dev?: boolean | 'plain';
  /** Commands for IBC packets; undefined on a node without a second chain. */
  readonly packets?: PacketCommands;
  readonly filterCap?: number;
  readonly lowestGasPrice?: bigint;
  readonly nextBaseFee?: bigint;
  readonly minTip?: bigint;
  readonly limits?: Partial<Limits>;
  readonly namespaces?: readonly string[];
  readonly subscriptions?: EthereumSubscriptions;
  readonly timers?: Timers;
  readonly onRefusedSend?: CallHooks['onRefusedSend'];
}

/** The body of an answer, including a streamed one. */
export async function textOf(answer: Awaited<ReturnType<EthereumRpc['http']>>): Promise<string> {
  if (!('stream' in answer)) return String(answer.body);
  const pieces: Uint8Array[] = [];
  for (let piece = await answer.stream.next(); piece !== undefined; piece = await answer.stream.next())
    pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export function openFace(options: FaceOptions = {}): Face {
  const node = fakeNode(options);
  const defects: unknown[] = [];
  const rpc = createEthereumRpc(node.api, {
    crypto,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    timers: options.timers ?? timers,
    clientVersion: 'chronicled/v0.0.0/test/node',
    onDefect: (error) => defects.push(error),
    onRefusedSend: options.onRefusedSend,
    ...(options.namespaces !== undefined && { namespaces: options.namespaces }),
    ...(options.subscriptions !== undefined && { subscriptions: options.subscriptions }),
  });
  const post: Face['post'] = async (body, contentType = 'application/json') => {
    const answer = await rpc.http({
      method: 'POST',
      path: '/',
      query: '',
      headers: new Map([['content-type', contentType]]),
      body: new TextEncoder().encode(body),
    });
    return { status: answer.status, text: await textOf(answer) };
  };
  const callOtherwise: Face['call'] = async (method, ...params) => {
    const { text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const answered = JSON.parse(text) as Answered;
    if (answered.result !== undefined) expect(resultProblems(method, answered.result)).toEqual([]);
    return answered;
  };
  return {
    rpc,
    node,
    defects,
    post,
    callOtherwise,
    async call(method, ...params) {
      const answered = await callOtherwise(method, ...params);
      if (answered.result !== undefined) expect(argumentProblem(method, params)).toBeUndefined();
      return answered;
    },
  };
}
