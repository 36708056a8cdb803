/** Serves gRPC calls over HTTP/2: the shared service table, reflection and health. */
import type { Duplex } from 'node:stream';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import { STATUS, type ServiceTable, unknownMethod } from '../services/index.js';
import { createHealth } from './health.js';
import { reflectionServices } from './reflection.js';
import { boundRequests } from './request-budget.js';
import { type CallHooks, reportCall, tableServices, trailerText } from './table-services.js';
import { RAW } from './definition.js';

/**
 * Gives unregistered methods grpc-go's error texts instead of grpc-js's. grpc-js 1.14.7 has no hook for this, so its
 * private handler map is replaced; `test/adapters/grpc/bad-input.test.ts` fails if that changes.
 */
function answerUnknownMethods(server: Server, hooks: CallHooks): void {
  const handlers: unknown = server['handlers'];
  if (!isHandlerMap(handlers)) return;
  const { grpcShownPath: shown } = FIXED_LIMITS;
  const find = handlers.get.bind(handlers);
  const services = new Set([...handlers.keys()].map((path) => path.slice(1, path.lastIndexOf('/'))));
  handlers.get = (path: string) =>
    find(path) ?? {
      type: 'bidi',
      path,
      serialize: RAW.responseSerialize,
      deserialize: RAW.requestDeserialize,
      func: (call: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        reportCall(hooks, path, call.metadata)?.(STATUS.unimplemented);
        call.emit('error', {
          code: STATUS.unimplemented,
          details: trailerText(unknownMethod(path, services, shown).message, shown * 2),
        });
      },
    };
}

function isHandlerMap(value: unknown): value is Map<string, unknown> {
  return value instanceof Map;
}

export interface Calls {
  /** Serves the calls of a connection. */
  serve(connection: Duplex): void;
  /** Ends health watches and waits briefly for running calls; `cut` aborts the rest. */
  drain(): void;
  cut(): void;
}

/** Creates the gRPC services: those of the table, reflection and health. */
export function createCalls(api: NodeApi, services: ServiceTable, limits: Limits, hooks: CallHooks): Calls {
  const server = new Server({
    'grpc.max_receive_message_length': limits.grpcRequestBytes,
    'grpc.max_send_message_length': limits.grpcAnswerBytes,
    'grpc.max_concurrent_streams': limits.grpcStreams,
    'grpc.max_connection_idle_ms': limits.grpcIdleMs,
    'grpc.keepalive_time_ms': limits.grpcPingMs,
    'grpc.keepalive_timeout_ms': limits.grpcPingTimeoutMs,
    'grpc.enable_channelz': 0,
  });
  const health = createHealth(api, services, hooks);
  const reflection = reflectionServices(services, hooks);
  for (const { definition, implementation } of [
    ...tableServices(services, limits, hooks),
    ...reflection,
    health.service,
  ])
    server.addService(definition, implementation);
  answerUnknownMethods(server, hooks);
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
