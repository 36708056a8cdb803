import { COMET_BODY_TOO_LARGE, createCometRpc, redirectOf } from '../adapters/comet-rpc/index.js';
import { createCometSession } from '../adapters/comet-rpc/websocket/index.js';
import {
  createServer,
  createSessions,
  type HttpHandler,
  plainText,
  type Server,
  type SharedByServers,
} from '../adapters/transport/index.js';
import type { PushEngine } from '../adapters/push/index.js';
import { DEFAULT_LIMITS } from '../core/limits/limits.js';
import { agentOf } from '../core/activity/client-call.js';
import { callsOf, type FacesHost } from './faces-host.js';
import type { RunningNode } from './node.js';
import { VERSION } from '../runtime/host/version.js';

export interface CometServer {
  readonly server: Server;
  /** Answers requests that come through another server's port. */
  readonly http: HttpHandler;
  endSessions(): void;
}

/** The server of the consensus RPC: JSON-RPC, URI routes and `/websocket` on one port. */
export async function cometServer(
  node: RunningNode,
  engine: PushEngine,
  host: FacesHost,
  shared: SharedByServers,
): Promise<CometServer> {
  const limits = DEFAULT_LIMITS;
  const onCall = callsOf(host, 'consensus RPC');
  const rpc = createCometRpc({
    api: node.api,
    limits,
    timers: host.timers,
    clock: host.clock,
    application: { name: 'chronicled', version: VERSION },
    onDefect: host.onDefect,
    onCall,
    onUnknownMethod: (method) => host.onUnknownMethod?.('consensus RPC', method),
  });
  let opened = 0;
  const sessions = createSessions((socket) => {
    opened += 1;
    const client = `${agentOf(socket.head.headers.get('user-agent'))} ws-${opened}`.trimStart();
    return createCometSession({
      engine,
      socket,
      limits,
      large: shared.large,
      callRaw: (method, rawParams) => rpc.callRaw(method, rawParams, client),
      onSubscription: onCall && ((method) => onCall(method, client)),
      onDefect: host.onDefect,
    });
  });
  const server = await createServer({
    http: rpc.http,
    ...shared,
    limits: { bodyBytes: limits.cometBodyBytes, messageBytes: limits.cometBodyBytes, webSockets: limits.connections },
    timers: host.timers,
    tooLarge: COMET_BODY_TOO_LARGE,
    onDefect: host.onDefect,
    ...host.transport,
    webSocket: {
      refuse: (head) =>
        redirectOf(head) ?? (head.path === '/websocket' ? undefined : plainText(404, '404 page not found\n')),
      handler: sessions.handler,
    },
  });
  return {
    server,
    http: rpc.http,
    endSessions: () => sessions.stop('CometBFT exited'),
  };
}
