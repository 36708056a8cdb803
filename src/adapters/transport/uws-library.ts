/** The native library: how it is loaded, and how a server of it listens. */
import { createServer as createProbe } from 'node:net';
import type * as Uws from 'uWebSockets.js';
import type { us_listen_socket as ListenSocket } from 'uWebSockets.js';
import { listenOn } from './listen.js';
import type { ListenResult } from './server.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export type NativeTransport = typeof Uws;

/** LIBUS_LISTEN_EXCLUSIVE_PORT; without it a second server on the same port silently takes half of the connections. */
const EXCLUSIVE_PORT = 1;
/**
 * Loads the native library: by `load`, else from the installed packages. Undefined where there is no binary for this
 * Node or C library.
 */
export async function loadUws(load?: () => NativeTransport | undefined): Promise<NativeTransport | undefined> {
  // the library reads this variable once, when it is loaded, and has no other configuration for it
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(FIXED_LIMITS.headerBytes);
  const loaded = load?.();
  if (loaded !== undefined) return loaded;
  try {
    return await import('uWebSockets.js');
  } catch {
    return undefined;
  }
}

/** Listens on a port that no other server has; `listened` is called with false when the system refuses. */
export function listenExclusively(
  app: Uws.TemplatedApp,
  host: string,
  port: number,
  listened: (socket: ListenSocket | false) => void,
): void {
  // the overload with options is not declared by the package
  const listen: unknown = Reflect.get(app, 'listen');
  if (typeof listen === 'function') Reflect.apply(listen, app, [host, port, EXCLUSIVE_PORT, listened]);
}

/** The library only reports that listening failed; this asks the system for the reason. */
export async function whyNot(host: string, port: number): Promise<ListenResult> {
  const probe = createProbe();
  const result = await listenOn(probe, host, port);
  if (!result.ok) return result;
  await new Promise((resolve) => probe.close(resolve));
  return { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: 'uWebSockets.js could not listen' };
}
