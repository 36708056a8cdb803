/** The gRPC face: the shared table of services with reflection and health, plaintext over HTTP/2. */
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { ServiceTable } from '../services/index.js';
import type { ListenResult } from '../transport/index.js';
import { createHealth } from './health.js';
import { answerUnknownMethods } from './unknown-method.js';
import { reflectionServices } from './reflection.js';
import { boundRequests } from './request-budget.js';
import { tableServices } from './table-services.js';

export interface GrpcOptions {
  readonly services: ServiceTable;
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

/** How long running calls may go on when the server closes, milliseconds. */
const GRACE_MS = 500;

/** Builds the server; nothing listens yet. */
export function createGrpcServer(api: NodeApi, { services, limits = DEFAULT_LIMITS, onDefect }: GrpcOptions): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': limits.grpcRequestBytes,
    'grpc.max_send_message_length': limits.grpcAnswerBytes,
    'grpc.max_concurrent_streams': limits.grpcStreams,
    'grpc.max_connection_idle_ms': limits.grpcIdleMs,
    'grpc.keepalive_time_ms': limits.grpcPingMs,
    'grpc.keepalive_timeout_ms': limits.grpcPingTimeoutMs,
    'grpc.enable_channelz': 0,
  });
  const health = createHealth(api, services);
  const reflection = reflectionServices(services);
  for (const { definition, implementation } of [...tableServices(services, limits, onDefect), ...reflection, health.service]) server.addService(definition, implementation);
  answerUnknownMethods(server);

  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  boundRequests(server, limits);
  const sockets: NetServer = createServer((socket) => {
    // a broken connection is the client's affair
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    injector.injectConnection(socket);
  });
  sockets.maxConnections = limits.connections;
  return {
    listen: (host, port) => listen(sockets, host, port),
    async close() {
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
      });
      health.stop();
      injector.drain(GRACE_MS);
      await closed;
      server.forceShutdown();
    },
  };
}

function listen(sockets: NetServer, host: string, port: number): Promise<ListenResult> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      resolve(error.code === 'EADDRINUSE' ? { ok: false, code: 'E_PORT_IN_USE', host, port } : { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: error.code ?? 'unknown' });
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
