import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import { STATUS } from '../services/index.js';
import { RAW } from './definition.js';
import { trailerText } from './table-services.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/**
 * Answers calls of unregistered methods with grpc-go's texts instead of grpc-js's. grpc-js 1.14.7 has no hook but the
 * lookup of the path in its map of handlers; `test/adapters/grpc/bad-input.test.ts` fails when that changes.
 */
export function answerUnknownMethods(server: Server): void {
  const handlers: unknown = server['handlers'];
  if (!isHandlerMap(handlers)) return;
  const find = handlers.get.bind(handlers);
  const services = new Set([...handlers.keys()].map(serviceOf));
  handlers.get = (path: string) =>
    find(path) ?? {
      type: 'bidi',
      path,
      serialize: RAW.responseSerialize,
      deserialize: RAW.requestDeserialize,
      func: (call: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        call.emit('error', {
          code: STATUS.unimplemented,
          details: trailerText(refusalText(path, services), FIXED_LIMITS.grpcShownPath * 2),
        });
      },
    };
}

function isHandlerMap(value: unknown): value is Map<string, unknown> {
  return value instanceof Map;
}

function serviceOf(path: string): string {
  return path.slice(1, path.lastIndexOf('/'));
}

function refusalText(path: string, services: ReadonlySet<string>): string {
  const slash = path.lastIndexOf('/');
  if (!path.startsWith('/') || slash === 0)
    return `malformed method name: ${JSON.stringify(path.slice(0, FIXED_LIMITS.grpcShownPath))}`;
  const service = serviceOf(path);
  if (!services.has(service)) return `unknown service ${service.slice(0, FIXED_LIMITS.grpcShownPath)}`;
  return `unknown method ${path.slice(slash + 1, slash + 1 + FIXED_LIMITS.grpcShownPath)} for service ${service}`;
}
