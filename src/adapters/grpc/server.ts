/** The gRPC server: plaintext HTTP/2. */
import { createServer, type Server as NetServer } from 'node:net';
import type { OnCall } from '../../core/activity/client-call.js';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import type { ServiceTable } from '../services/index.js';
import { Connections, ConnectionLimit, listenOn, type ListenResult, Turns } from '../transport/index.js';
import type { Calls } from './calls.js';
import { PacedConnection, refusalOf } from './paced-connection.js';

export interface GrpcOptions {
  readonly services: () => Promise<ServiceTable>;
  readonly limits?: Limits;
  readonly timers: Timers;
  /** Called for each call of a client. */
  readonly onCall?: OnCall | undefined;
  /** Connection limit shared by the servers of a process; by default only `limits` applies. */
  readonly connections?: ConnectionLimit;
  /** Called with an exception of a handler (a bug); the client gets `internal error`. */
  readonly onDefect: (error: unknown) => void;
}

export interface GrpcServer {
  /** Starts listening. Port 0 lets the system choose; the result has the bound port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /** Ends health watches, waits briefly for running calls, then aborts the rest. */
  close(): Promise<void>;
}

/** Creates the server. The gRPC library is loaded at the first connection, because many nodes never get one. */
export function createGrpcServer(
  api: NodeApi,
  { services, limits = DEFAULT_LIMITS, timers, connections = new ConnectionLimit(), onCall, onDefect }: GrpcOptions,
): GrpcServer {
  const turns = new Turns(limits.grpcCallsPerTurn, timers);
  const open = new Connections(limits.connections, connections);
  let calls: Promise<Calls> | undefined;
  const load = async (): Promise<Calls> => {
    const [{ createCalls }, table] = await Promise.all([import('./calls.js'), services()]);
    return createCalls(api, table, limits, { onCall, onDefect });
  };
  // Bytes that arrive before the library is loaded wait in the socket's bounded buffer.
  const sockets: NetServer = createServer((socket) => {
    // ignore: the client notices a broken connection by itself
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    socket.once('close', () => open.leave());
    const refusal = open.enter();
    if (refusal !== undefined) {
      socket.end(refusalOf(refusal));
      socket.destroySoon();
      return;
    }
    calls ??= load();
    calls.then(
      (loaded) => {
        if (socket.destroyed) return;
        loaded.serve(new PacedConnection(socket, { turns, timers, limits }));
      },
      (error: unknown) => {
        socket.destroy();
        onDefect(error);
      },
    );
  });
  return {
    listen: (host, port) => listenOn(sockets, host, port, ({ code }) => code ?? 'unknown'),
    async close() {
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
      });
      // gRPC loads on the first connection; otherwise nothing needs closing.
      const loaded = await calls?.catch(() => undefined);
      loaded?.drain();
      await closed;
      loaded?.cut();
    },
  };
}
