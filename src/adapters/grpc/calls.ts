/** gRPC calls on open sockets: the shared table of services with reflection and health, over HTTP/2. */
import type { Duplex } from 'node:stream';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { ServiceTable } from '../services/index.js';
import { createHealth } from './health.js';
import { reflectionServices } from './reflection.js';
import { boundRequests } from './request-budget.js';
import { type CallHearers, tableServices } from './table-services.js';
import { answerUnknownMethods } from './unknown-method.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export interface Calls {
  /** Answers the calls of a connection. */
  serve(connection: Duplex): void;
  /** Ends watches and gives running calls a moment to end; `cut` ends the remaining ones. */
  drain(): void;
  cut(): void;
}

/** Makes the services of the gRPC server: those of the table, reflection and health. */
export function createCalls(api: NodeApi, services: ServiceTable, limits: Limits, hearers: CallHearers): Calls {
  const server = new Server({
    'grpc.max_receive_message_length': limits.grpcRequestBytes,
    'grpc.max_send_message_length': limits.grpcAnswerBytes,
    'grpc.max_concurrent_streams': limits.grpcStreams,
    'grpc.max_connection_idle_ms': limits.grpcIdleMs,
    'grpc.keepalive_time_ms': limits.grpcPingMs,
    'grpc.keepalive_timeout_ms': limits.grpcPingTimeoutMs,
    'grpc.enable_channelz': 0,
  });
  const health = createHealth(api, services, hearers);
  const reflection = reflectionServices(services, hearers);
  for (const { definition, implementation } of [
    ...tableServices(services, limits, hearers),
    ...reflection,
    health.service,
  ])
    server.addService(definition, implementation);
  answerUnknownMethods(server, hearers);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  boundRequests(server, limits);
  return {
    serve: (connection) => injector.injectConnection(connection),
    drain() {
      health.stop();
      injector.drain(FIXED_LIMITS.grpcGraceMs);
    },
    cut: () => server.forceShutdown(),
  };
}
