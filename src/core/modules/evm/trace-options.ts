import { asObject, jsonOf } from '../../text/json-object.js';
import { hasMoreJsonParts } from '../../text/json-parts.js';
import { DEFAULT_LIMITS } from '../../limits/limits.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import type { TraceConfig } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';

/** Tracer options for the engine, as JSON text, from the fields of `TraceConfig`. */
export function traceOptions(config: TraceConfig | undefined): string {
  if (config === undefined) return '{}';
  const { tracer, tracerJsonConfig, disableStack, disableStorage, enableMemory, enableReturnData, limit } = config;
  return JSON.stringify({
    ...(tracer === '' ? {} : { tracer }),
    disableStack,
    disableStorage,
    enableMemory,
    enableReturnData,
    limit,
    ...(tracerJsonConfig === '' ? {} : { tracerConfig: readObject(tracerJsonConfig) }),
  });
}

function readObject(json: string): object {
  if (hasMoreJsonParts(json))
    throw grpcError('ResourceExhausted', `limit jsonParts (${DEFAULT_LIMITS.jsonParts}) exceeded`);
  const object = asObject(jsonOf(json));
  if (object === undefined) throw grpcError('InvalidArgument', 'invalid tracer config: not a JSON object');
  return object;
}
