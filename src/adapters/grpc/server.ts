/** The gRPC face: plaintext HTTP/2 on a socket of ours. */
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { ServiceTable } from '../services/index.js';
import type { ListenResult } from '../transport/index.js';
import type { Calls } from './calls.js';

export interface GrpcOptions {
  readonly services: () => Promise<ServiceTable>;
  readonly limits?: Limits;
  /** A handler threw: a defect, answered by `internal error`. */
  readonly onDefect: (error: unknown) => void;
}

export interface GrpcServer {
  /** Port 0 lets the system choose; the answer tells the port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /** Ends watches, lets running calls end for a moment, then cuts. */
  close(): Promise<void>;
}

/** Builds the server; nothing listens yet. What answers calls is loaded by the first connection: many nodes never have one. */
export function createGrpcServer(
  api: NodeApi,
  { services, limits = DEFAULT_LIMITS, onDefect }: GrpcOptions,
): GrpcServer {
  let calls: Promise<Calls> | undefined;
  const load = async (): Promise<Calls> => {
    const [{ createCalls }, table] = await Promise.all([import('./calls.js'), services()]);
    return createCalls(api, table, limits, onDefect);
  };
  // What arrives before there is somebody to read it waits in the buffer of its socket, which is bounded.
  const sockets: NetServer = createServer((socket) => {
    // a broken connection is the client's affair
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    calls ??= load();
    calls.then(
      (loaded) => {
        if (socket.destroyed) return;
        loaded.serve(socket);
      },
      (error: unknown) => {
        socket.destroy();
        onDefect(error);
      },
    );
  });
  sockets.maxConnections = limits.connections;
  return {
    listen: (host, port) => listen(sockets, host, port),
    async close() {
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
      });
      // Nobody has connected where nothing was loaded.
      const loaded = await calls?.catch(() => undefined);
      loaded?.drain();
      await closed;
      loaded?.cut();
    },
  };
}

function listen(sockets: NetServer, host: string, port: number): Promise<ListenResult> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      resolve(
        error.code === 'EADDRINUSE'
          ? { ok: false, code: 'E_PORT_IN_USE', host, port }
          : { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: error.code ?? 'unknown' },
      );
    };
    sockets.once('error', failed);
    sockets.listen({ host, port }, () => {
      sockets.off('error', failed);
      resolve({ ok: true, port: boundPort(sockets.address(), port) });
    });
  });
}

function boundPort(address: AddressInfo | string | null, asked: number): number {
  return typeof address === 'object' && address !== null ? address.port : asked;
}
