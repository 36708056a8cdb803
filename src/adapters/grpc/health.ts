/** `grpc.health.v1.Health`: serving status of the server and its services, for load balancers. */
import type { sendUnaryData, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { NodeApi } from '../../core/node-api.js';
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as Serving,
  type HealthCheckResponseSchema,
} from '../../core/proto/grpc/health/v1/health_pb.js';
import { pathOf, STATUS, type ServiceTable } from '../services/index.js';
import { codecOf, type RegisteredService, routeOf } from './definition.js';
import { type CallHooks, reportCall } from './table-services.js';

type Request = HealthCheckRequest;
type Answer = MessageInitShape<typeof HealthCheckResponseSchema>;

export interface HealthFace {
  readonly service: RegisteredService;
  /** Reports NOT_SERVING to every watch and ends it. */
  stop(): void;
}

/** Creates the service `grpc.health.v1.Health`; its status depends on the node's mode. */
export function createHealth(api: NodeApi, table: ServiceTable, hooks: CallHooks): HealthFace {
  const known = new Set(['', Health.typeName, ...table.services.map(({ typeName }) => typeName)]);
  const watches = new Set<ServerWritableStream<Request, Answer>>();
  // A halted node still serves queries; only a stopping node should get no further calls.
  const status = (): Serving => (api.queries.status().mode === 'draining' ? Serving.NOT_SERVING : Serving.SERVING);
  const { check, watch } = Health.method;
  return {
    service: {
      definition: {
        Check: { ...routeOf(check), ...codecOf(check.input, check.output) },
        Watch: { ...routeOf(watch), ...codecOf(watch.input, watch.output) },
      },
      implementation: {
        Check(call: ServerUnaryCall<Request, Answer>, callback: sendUnaryData<Answer>) {
          const isKnown = known.has(call.request.service);
          reportCall(hooks, pathOf(check), call.metadata)?.(isKnown ? undefined : STATUS.notFound);
          if (isKnown) callback(null, { status: status() });
          else callback({ code: STATUS.notFound, details: 'unknown service' });
        },
        Watch(call: ServerWritableStream<Request, Answer>) {
          reportCall(hooks, pathOf(watch), call.metadata)?.();
          watches.add(call);
          call.on('cancelled', () => watches.delete(call));
          call.on('close', () => watches.delete(call));
          call.write({ status: known.has(call.request.service) ? status() : Serving.SERVICE_UNKNOWN });
        },
      },
    },
    stop() {
      for (const call of watches) {
        call.write({ status: Serving.NOT_SERVING });
        call.end();
      }
      watches.clear();
    },
  };
}
