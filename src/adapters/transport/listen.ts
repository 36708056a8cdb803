import type { AddressInfo, Server } from 'node:net';
import type { ListenResult } from './server.js';

/** Starts listening with a Node server. Port 0 lets the system choose; `reasonOf` describes a failure. */
export function listenOn(
  server: Server,
  host: string,
  port: number,
  reasonOf = (error: NodeJS.ErrnoException): string => error.message,
): Promise<ListenResult> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve(
        error.code === 'EADDRINUSE'
          ? { ok: false, code: 'E_PORT_IN_USE', host, port }
          : { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: reasonOf(error) },
      );
    server.once('error', failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', failed);
      resolve({ ok: true, port: portOf(server.address(), port) });
    });
  });
}

function portOf(address: AddressInfo | string | null, requested: number): number {
  return typeof address === 'object' && address !== null ? address.port : requested;
}
