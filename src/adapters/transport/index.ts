/** Chooses the transport library. */
import type { Server, ServerOptions } from './server.js';
import { createUwsServer, loadUws } from './uws.js';

export type * from './server.js';
export { CLOSED } from './guards.js';
export { LargeRequests, Turns } from './turns.js';
export { plainText } from './rules.js';
export { createSessions, type Session } from './sessions.js';

/**
 * Creates a server: over uWebSockets.js where it loads, unless `preferred` is `node`; `Server.kind` names the library.
 */
export async function createServer(options: ServerOptions & { readonly preferred?: 'uws' | 'node' }): Promise<Server> {
  const library = options.preferred === 'node' ? undefined : await loadUws();
  if (library !== undefined) return createUwsServer(library, options);
  const { createNodeServer } = await import('./node-http.js');
  return createNodeServer(options, options.webSocket === undefined ? undefined : await import('ws'));
}
