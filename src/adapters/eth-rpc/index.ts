/** Ethereum JSON-RPC: one method registry for HTTP and websocket on the same port (`docs/interfaces/eth-rpc.md`). */
import { agentOf } from '../../core/activity/client-call.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { InspectionApi } from '../../core/inspection/api.js';
import { DEFAULT_NAMESPACES, DEV_NAMESPACES } from '../../core/ethereum/namespaces.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import {
  type StreamingHttpHandler,
  LargeRequests,
  ByteBudget,
  requestTimers,
  type ServerOptions,
  type WebSocketOptions,
  createSessions,
  plainText,
} from '../transport/index.js';
import { type CallHooks, createDispatcher } from './dispatcher.js';
import { ETHEREUM_BODY_TOO_LARGE, HTTP_CONNECTION, createEthereumHttp, inspectBodies } from './http.js';
import { createRegistry } from './registry.js';
import { createEthereumSession } from './session.js';
import type { EthereumSubscriptions } from './subscriptions/index.js';

export { ETHEREUM_BODY_TOO_LARGE };
export { rpcErrorOf } from './errors.js';
export type * from './subscriptions/index.js';

export interface EthereumRpcOptions extends CallHooks {
  readonly crypto: Crypto;
  readonly limits: Limits;
  readonly timers: Timers;
  /** Result of `web3_clientVersion`: `name/vX.Y.Z/os-arch/runtime`. */
  readonly clientVersion: string;
  /** Namespaces to serve; by default `DEFAULT_NAMESPACES`, or all if the node has dev commands. */
  readonly namespaces?: readonly string[];
  /** Delivery of subscriptions; without it `eth_subscribe` fails with `notifications not supported`. */
  readonly subscriptions?: EthereumSubscriptions;
  /** Scheduler of large websocket messages, shared by all faces; by default this face has its own. */
  readonly large?: LargeRequests | undefined;
  /** Called with an exception of a handler (a bug); the client gets a generic internal error. */
  readonly onDefect: (error: unknown) => void;
  /** The inspection API; without it the namespace `chronicle` has no methods. */
  readonly inspection?: InspectionApi | undefined;
}

export interface EthereumRpc {
  readonly http: StreamingHttpHandler;
  /** Checks bodies against JSON limits while they arrive. */
  readonly inspect: NonNullable<ServerOptions['inspect']>;
  /** Websocket upgrades on `/`. It may be mounted on several servers. */
  readonly webSocket: WebSocketOptions;
  /** Names of the served methods, sorted. */
  readonly methods: readonly string[];
  /** Number of open websockets. */
  sessions(): number;
  /** Closes every websocket with code 1001 and this reason. */
  endSessions(reason: string): void;
}

/** Creates the Ethereum JSON-RPC of a node. */
export function createEthereumRpc(api: EthereumApi, options: EthereumRpcOptions): EthereumRpc {
  const { crypto, limits, timers, clientVersion, subscriptions } = options;
  const { methods, namespaces, withheld } = createRegistry(
    api,
    options.namespaces ?? (api.dev === undefined ? DEFAULT_NAMESPACES : DEV_NAMESPACES),
    options.inspection,
  );
  const connect = createDispatcher({
    methods,
    withheld,
    context: {
      api,
      crypto,
      limits,
      timers: requestTimers(timers),
      largeAnswers: new ByteBudget(limits.pendingAnswerBytes),
      clientVersion,
      namespaces,
    },
    onDefect: options.onDefect,
    hooks: options,
  });
  const large = options.large ?? new LargeRequests(timers);
  let opened = 0;
  const sessions = createSessions((socket) => {
    opened += 1;
    return createEthereumSession({
      connect,
      socket,
      subscriptions,
      limits,
      large,
      client: `ws-${opened}`,
      name: `${agentOf(socket.head.headers.get('user-agent'))} ws-${opened}`.trimStart(),
      onDefect: options.onDefect,
    });
  });
  const anyone = connect(HTTP_CONNECTION);
  return {
    http: createEthereumHttp(({ headers }) =>
      options.onCall === undefined ? anyone : connect({ ...HTTP_CONNECTION, name: agentOf(headers.get('user-agent')) }),
    ),
    inspect: inspectBodies(limits),
    webSocket: {
      refuse: ({ path }) => (path === '/' ? undefined : plainText(404, '404 page not found\n')),
      handler: sessions.handler,
    },
    methods: [...methods.keys()].toSorted(),
    sessions: () => sessions.count(),
    endSessions: (reason) => sessions.stop(reason),
  };
}
