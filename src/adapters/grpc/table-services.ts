/**
 * Serves the shared method table over gRPC. The height is in request and response metadata (cosmos-sdk v0.53
 * `baseapp/grpcserver.go`).
 */
import { Metadata, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { agentOf, type CallEnd, type OnCall } from '../../core/activity/client-call.js';
import type { Limits } from '../../core/limits/limits.js';
import {
  HEIGHT_HEADER,
  parseHeight,
  pathOf,
  STATUS,
  type ServiceAnswer,
  type ServiceMethod,
  type ServiceTable,
} from '../services/index.js';
import { RAW, type RegisteredService, routeOf } from './definition.js';

type Call = ServerUnaryCall<Uint8Array, Uint8Array>;
type Callback = sendUnaryData<Uint8Array>;

/** Callbacks for each call, and for exceptions of handlers. */
export interface CallHooks {
  readonly onCall?: OnCall | undefined;
  readonly onDefect: (error: unknown) => void;
}

/** Reports a call to `onCall`; returns the function to call at its end. */
export function reportCall({ onCall }: CallHooks, path: string, metadata: Metadata): CallEnd | undefined {
  return onCall?.(path, agentOf(metadata.get('user-agent').map(String)[0]));
}

/** Creates unary handlers for the methods of the table. */
export function tableServices(
  table: ServiceTable,
  limits: Pick<Limits, 'grpcErrorText'>,
  hooks: CallHooks,
): readonly RegisteredService[] {
  return table.services.map((service) => {
    const served = service.methods.flatMap((desc) => table.methods.get(pathOf(desc)) ?? []);
    return {
      definition: Object.fromEntries(served.map(({ desc }) => [desc.name, { ...routeOf(desc), ...RAW }])),
      implementation: Object.fromEntries(
        served.map((method) => [
          method.desc.name,
          (call: Call, callback: Callback) => answerCall(method, call, callback, limits, hooks),
        ]),
      ),
    };
  });
}

function answerCall(
  method: ServiceMethod,
  call: Call,
  callback: Callback,
  limits: Pick<Limits, 'grpcErrorText'>,
  hooks: CallHooks,
): void {
  const ended = reportCall(hooks, method.path, call.metadata);
  ask(method, call).then(
    (answer) => {
      ended?.(answer.ok ? undefined : answer.code);
      if (call.cancelled) return;
      if (answer.height !== undefined) {
        const header = new Metadata();
        header.set(HEIGHT_HEADER, String(answer.height));
        call.sendMetadata(header);
      }
      if (answer.ok) callback(null, answer.value);
      else callback({ code: answer.code, details: trailerText(answer.message, limits.grpcErrorText) });
    },
    (error: unknown) => {
      ended?.(STATUS.internal);
      hooks.onDefect(error);
      if (!call.cancelled) callback({ code: STATUS.internal, details: 'internal error' });
    },
  );
}

async function ask(method: ServiceMethod, call: Call): Promise<ServiceAnswer> {
  const height = parseHeight(call.metadata.get(HEIGHT_HEADER).map(String)[0]);
  return height.ok ? method.call(call.request, height.height) : { ...height, height: undefined };
}

/** Makes a text valid for a trailer: limits its length, and replaces lone surrogates, which cannot be encoded. */
export function trailerText(message: string, maximum: number): string {
  const short = message.length > maximum ? `${message.slice(0, maximum)}...` : message;
  return new TextDecoder().decode(new TextEncoder().encode(short));
}
