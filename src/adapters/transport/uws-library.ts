/** Loads uWebSockets.js, and listens with it. */
import { createServer as createProbe } from 'node:net';
import type * as Uws from 'uWebSockets.js';
import type { us_listen_socket as ListenSocket } from 'uWebSockets.js';
import { listenOn } from './listen.js';
import type { ListenResult } from './server.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export type NativeTransport = typeof Uws;

/**
 * LIBUS_LISTEN_EXCLUSIVE_PORT; without it a second server on the same port would silently take half of the
 * connections.
 */
const EXCLUSIVE_PORT = 1;
/**
 * Loads the library with `load`, else from the installed packages. Undefined if there is no binary for this Node or C
 * library.
 */
export async function loadUws(load?: () => NativeTransport | undefined): Promise<NativeTransport | undefined> {
  // the library reads this variable only once, when it is loaded
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(FIXED_LIMITS.headerBytes);
  const loaded = load?.();
  if (loaded !== undefined) return loaded;
  try {
    return await import('uWebSockets.js');
  } catch {
    return undefined;
  }
}

/** Listens exclusively on a port; `listened` is called with false on failure. */
export function listenExclusively(
  app: Uws.TemplatedApp,
  host: string,
  port: number,
  listened: (socket: ListenSocket | false) => void,
): void {
  // the package does not declare the overload with options
  const listen: unknown = Reflect.get(app, 'listen');
  if (typeof listen === 'function') Reflect.apply(listen, app, [host, port, EXCLUSIVE_PORT, listened]);
}

/** Finds out why listening failed, because the library does not report the reason. */
export async function listenFailure(host: string, port: number): Promise<ListenResult> {
  const probe = createProbe();
  const result = await listenOn(probe, host, port);
  if (!result.ok) return result;
  await new Promise((resolve) => probe.close(resolve));
  return { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: 'uWebSockets.js could not listen' };
}
