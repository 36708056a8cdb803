/** Chooses the transport library. */
import type { Server, ServerOptions } from './server.js';
import { createUwsServer } from './uws.js';
import { loadUws, type NativeTransport } from './uws-library.js';

export type * from './message.js';
export type * from './server.js';
export { ByteBudget } from './byte-budget.js';
export { CLOSED } from './guards.js';
export {
  Connections,
  ConnectionLimit,
  connectionsOfProcess,
  connectionsWithin,
  type OpenFiles,
} from './connection-limit.js';
export { MessageBudget } from './held-messages.js';
export { listenOn } from './listen.js';
export { LargeRequests, oneInTurn, requestTimers, Turns } from './turns.js';
export { isLoopback } from './address-limits.js';
export { plainText } from './rules.js';
export { RequestRate } from './request-rate.js';
export type { NativeTransport } from './uws-library.js';
export { createSessions, type Session } from './sessions.js';

/** The library of a server. */
export interface TransportChoice {
  /** `node`: use node:http even if uWebSockets.js is available. */
  readonly preferred?: 'uws' | 'node';
  /** Loads uWebSockets.js from another place than the installed packages; returns undefined if there is no binary. */
  readonly loadNative?: () => NativeTransport | undefined;
}

/** Creates a server with uWebSockets.js if available, else with node:http; `Server.kind` tells which. */
export async function createServer(options: ServerOptions & TransportChoice): Promise<Server> {
  const library = options.preferred === 'node' ? undefined : await loadUws(options.loadNative);
  if (library !== undefined) return createUwsServer(library, options);
  const { createNodeServer } = await import('./node-http.js');
  return createNodeServer(options, options.webSocket === undefined ? undefined : await import('ws'));
}
