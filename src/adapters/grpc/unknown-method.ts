import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import { STATUS, unknownMethod } from '../services/index.js';
import { RAW } from './definition.js';
import { type CallHearers, hearCall, trailerText } from './table-services.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/**
 * Answers calls of unregistered methods with grpc-go's texts instead of grpc-js's. grpc-js 1.14.7 has no hook but the
 * lookup of the path in its map of handlers; `test/adapters/grpc/bad-input.test.ts` fails when that changes.
 */
export function answerUnknownMethods(server: Server, hearers: CallHearers): void {
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
        hearCall(hearers, path, call.metadata)?.(STATUS.unimplemented);
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
