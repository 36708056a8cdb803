/** All methods of the consensus RPC over HTTP. */
import type { Method } from './method.js';
import { abciMethods } from './methods/abci.js';
import { blockMethods } from './methods/blocks.js';
import { consensusMethods } from './methods/consensus.js';
import { infoMethods } from './methods/info.js';
import { mempoolMethods } from './methods/mempool.js';
import { transactionMethods } from './methods/transactions.js';

export const METHODS: ReadonlyMap<string, Method> = new Map(
  [infoMethods, blockMethods, transactionMethods, abciMethods, mempoolMethods, consensusMethods]
    .flat()
    .map((entry) => [entry.name, entry]),
);

/** Websocket-only methods: listed on the index page, but not callable over HTTP. */
export const SOCKET_METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ['subscribe', ['query']],
  ['unsubscribe', ['query']],
  ['unsubscribe_all', []],
]);
