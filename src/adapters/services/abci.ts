/**
 * Converts the answer of a node-level method to `abci_query` form (cosmos-sdk v0.53 `handleQueryGRPC` in
 * `baseapp/abci.go`).
 */
import type { AbciQueryAnswer } from '../../core/node-api.js';
import type { ServiceAnswer } from './method.js';
import { STATUS, statusText, type StatusCode } from './status.js';

/** Texts of the SDK errors for status codes. */
const TEXTS = { 4: 'unauthorized', 6: 'unknown request', 18: 'invalid request', 22: 'key not found' } as const;

/** The SDK error of a status code (cosmos-sdk v0.53 `gRPCErrorToSDKError` in `baseapp/abci.go`). */
function sdkCode(code: StatusCode): keyof typeof TEXTS {
  if (code === STATUS.notFound) return 22;
  if (code === STATUS.unauthenticated) return 4;
  return code === STATUS.invalidArgument || code === STATUS.failedPrecondition ? 18 : 6;
}

const NOTHING = { log: '', info: '', index: 0n, key: new Uint8Array(), value: new Uint8Array(), proofOps: undefined };

/** Converts a service answer: a gRPC status becomes an ABCI code and a log. */
export function abciAnswer(answer: ServiceAnswer): AbciQueryAnswer {
  const height = answer.height ?? 0n;
  if (answer.ok) return { ...NOTHING, code: 0, codespace: '', value: answer.value, height };
  const code = answer.abci?.code ?? sdkCode(answer.code);
  const own = answer.abci?.text ?? statusText(answer);
  return { ...NOTHING, code, codespace: 'sdk', log: `${own}: ${TEXTS[code]}`, height };
}
