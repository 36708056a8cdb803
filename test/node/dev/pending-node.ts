/** A simulated node that tests ask for the block `pending`. */
import { expect } from 'vitest';
import { createEthereumRpc, type EthereumRpc } from '../../../src/adapters/eth-rpc/index.js';
import { fromHex, hexQuantity } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { textOf, timers } from '../../adapters/eth-rpc/face.js';
import { resultProblems } from '../../support/openrpc.js';
import { accounts, simulate, type SimulatedNode, type Simulation } from '../simulated-node.js';
import { devOf, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

/** One coin, in its smallest unit. */
export const ETHER = 10n ** 18n;
/** An address without a known key. */
export const NOBODY = `0x${'0b'.repeat(20)}`;

/** Members of a block that tests read. */
export interface Block {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
  readonly hash: string | null;
}

/** A node with its Ethereum face. */
export interface Node {
  readonly simulated: SimulatedNode;
  readonly senders: readonly string[];
  ask<Value = string>(method: string, ...params: readonly unknown[]): Promise<Value>;
  /** Sends from the account with this index, without waiting for a block. */
  send(from: number, transaction: object): Promise<string>;
  mine(): Promise<void>;
}

/** Opens a node in dev mode that makes blocks by command, if `more` says nothing else. */
export async function opened(more: Omit<Simulation, 'store'> = {}): Promise<Node> {
  const devKeys = accounts.map(({ hex, privateKey }) => ({ address: fromHex(hex.slice(2)), privateKey }));
  const simulated = await simulate({ store: reopenable(), devKeys, ...more });
  const { ethereum } = simulated.node;
  if (ethereum === undefined) throw new Error('the node has no Ethereum face');
  const rpc: EthereumRpc = createEthereumRpc(ethereum.api, {
    crypto: createPureCrypto(),
    limits: DEFAULT_LIMITS,
    timers,
    clientVersion: 'chronicled/v0.0.0/test/node',
    onDefect: (error) => {
      throw error;
    },
    onRefusedSend: undefined,
  });
  const senders = accounts.map(({ hex }) => hex.toLowerCase());
  const ask: Node['ask'] = async <Value>(method: string, ...params: readonly unknown[]) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const headers = new Map([['content-type', 'application/json']]);
    const text = await textOf(await rpc.http({ method: 'POST', path: '/', query: '', headers, body }));
    const { result, error } = JSON.parse(text) as { result: Value; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    expect(resultProblems(method, result)).toEqual([]);
    return result;
  };
  return {
    simulated,
    senders,
    ask,
    send: (from, transaction) => ask('eth_sendTransaction', { from: senders[from], gas: '0x186a0', ...transaction }),
    mine: async () => void (await value(devOf(simulated).mine(1, undefined))),
  };
}

/** A number in the form of the JSON-RPC. */
export const quantity = (value: bigint): string => hexQuantity(value);

/** A block without the members that only a decided one has. */
export function undecided(block: Block): object {
  const { hash: _hash, nonce: _nonce, miner: _miner, size: _size, ...rest } = block as Block & Record<string, unknown>;
  return rest;
}
