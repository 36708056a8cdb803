/** The gRPC face: plaintext HTTP/2 on a listening socket of this program. */
import { createServer, type Server as NetServer } from 'node:net';
import type { OnCall } from '../../core/activity/client-call.js';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import type { ServiceTable } from '../services/index.js';
import { Connections, ConnectionRoom, listenOn, type ListenResult, Turns } from '../transport/index.js';
import type { Calls } from './calls.js';
import { PacedConnection, refusalOf } from './paced-connection.js';

export interface GrpcOptions {
  readonly services: () => Promise<ServiceTable>;
  readonly limits?: Limits;
  readonly timers: Timers;
  /** Hears of each call of a client. */
  readonly onCall?: OnCall | undefined;
  /** Room for connections, common to the servers of a process; by default only `limits` bound them. */
  readonly connections?: ConnectionRoom;
  /** Receives the error of a handler that threw: a defect, answered by `internal error`. */
  readonly onDefect: (error: unknown) => void;
}

export interface GrpcServer {
  /** Port 0 lets the system choose; the result holds the port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /** Ends watches, gives running calls a moment to end, then cuts the rest. */
  close(): Promise<void>;
}

/**
 * Creates the server; it listens after `listen`. The gRPC library is loaded by the first connection, because many nodes
 * never have one.
 */
export function createGrpcServer(
  api: NodeApi,
  { services, limits = DEFAULT_LIMITS, timers, connections = new ConnectionRoom(), onCall, onDefect }: GrpcOptions,
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
    // the client notices a broken connection itself
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
