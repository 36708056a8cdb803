import type { DomainErrorCode } from '../../errors.js';

/**
 * Registered errors of the Cosmos SDK: a code inside a codespace and a text "outer: inner: root" (cosmos-sdk v0.53
 * `types/errors/errors.go`).
 *
 * A message handler deep inside a transaction ends it by throwing `SdkError`, as gas exhaustion must unwind from any
 * store access. It never leaves the application: `runTx` and the query router turn it into a result value.
 */
export interface RegisteredError {
  readonly codespace: string;
  readonly code: number;
  readonly text: string;
  /** gRPC status name when the SDK answers queries with a status instead of a registered error. */
  readonly grpc?: string;
}

/** A registered error with its detail; the text is what clients see. */
export class SdkError extends Error {
  readonly registered: RegisteredError;

  /** `detail` precedes the registered text, also when it is empty (`cosmossdk.io/errors` v1.0.2 Wrap). */
  constructor(registered: RegisteredError, detail?: string) {
    super(detail === undefined ? registered.text : `${detail}: ${registered.text}`);
    this.name = 'SdkError';
    this.registered = registered;
  }
}

const sdk = (code: number, text: string): RegisteredError => ({ codespace: 'sdk', code, text });

/** Codespace `sdk` (cosmos-sdk v0.53 `types/errors/errors.go`). */
export const sdkErrors = {
  txDecode: sdk(2, 'tx parse error'),
  unauthorized: sdk(4, 'unauthorized'),
  insufficientFunds: sdk(5, 'insufficient funds'),
  unknownRequest: sdk(6, 'unknown request'),
  invalidAddress: sdk(7, 'invalid address'),
  invalidPubKey: sdk(8, 'invalid pubkey'),
  unknownAddress: sdk(9, 'unknown address'),
  invalidCoins: sdk(10, 'invalid coins'),
  outOfGas: sdk(11, 'out of gas'),
  memoTooLarge: sdk(12, 'memo too large'),
  insufficientFee: sdk(13, 'insufficient fee'),
  tooManySignatures: sdk(14, 'maximum number of signatures exceeded'),
  noSignatures: sdk(15, 'no signatures supplied'),
  invalidRequest: sdk(18, 'invalid request'),
  txInMempool: sdk(19, 'tx already in mempool'),
  mempoolFull: sdk(20, 'mempool is full'),
  txTooLarge: sdk(21, 'tx too large'),
  keyNotFound: sdk(22, 'key not found'),
  invalidSigner: sdk(24, 'tx intended signer does not match the given signer'),
  invalidHeight: sdk(26, 'invalid height'),
  invalidType: sdk(29, 'invalid type'),
  unknownExtensionOptions: sdk(31, 'unknown extension options'),
  txTimeoutHeight: sdk(30, 'tx timeout height'),
  wrongSequence: sdk(32, 'incorrect account sequence'),
  logic: sdk(35, 'internal logic error'),
  notSupported: sdk(37, 'feature not supported'),
  notFound: sdk(38, 'not found'),
  invalidGasLimit: sdk(41, 'invalid gas limit'),
  txTimeout: sdk(42, 'tx timeout'),
} as const satisfies Record<string, RegisteredError>;

/** Refusals of the mempool that the SDK reports as codes of a transaction. */
export const MEMPOOL_ERRORS: Partial<Readonly<Record<DomainErrorCode, RegisteredError>>> = {
  'tx-in-cache': sdkErrors.txInMempool,
  'mempool-full': sdkErrors.mempoolFull,
  'tx-too-large': sdkErrors.txTooLarge,
};

/** An error without registration: codespace `undefined`, code 1. */
export const internalError: RegisteredError = { codespace: 'undefined', code: 1, text: 'internal' };

/** Error with codespace `undefined`, code 1 and exactly this text (an unregistered Go error). */
export function plainError(text: string): SdkError {
  return new SdkError({ ...internalError, text });
}

/** SDK error 18, `invalid request`, with this text before its own. */
export function invalidRequest(text: string): SdkError {
  return new SdkError(sdkErrors.invalidRequest, text);
}

/** Puts `text` before an error (`cosmossdk.io/errors` v1.0.2 Wrap); a panic passes by all that wraps errors. */
export function wrapped(error: SdkError, text: string): SdkError {
  if (error instanceof RecoveredPanic) return error;
  return new SdkError({ ...error.registered, text: error.message }, text);
}

/** Code of `aroundRegistered`; it is never shown. */
export const AROUND_REGISTERED = 2;

/**
 * Makes the error of a query: an unregistered Go error around a registered one. `abci_query` takes it for an unknown
 * request, gRPC has exactly this text.
 */
export function aroundRegistered(text: string): SdkError {
  return new SdkError({ ...internalError, code: AROUND_REGISTERED, text });
}

/**
 * A failed query as baseapp reports a gRPC status over ABCI: log `rpc error: code = NotFound desc = <text>: key not
 * found` (cosmos-sdk v0.53 `handleQueryGRPC` in `baseapp/abci.go`). cosmjs matches this text.
 */
export function grpcError(
  grpc:
    | 'NotFound'
    | 'InvalidArgument'
    | 'FailedPrecondition'
    | 'ResourceExhausted'
    | 'Unimplemented'
    | 'Internal'
    | 'Unknown',
  text: string,
): SdkError {
  const registered =
    grpc === 'NotFound'
      ? sdkErrors.keyNotFound
      : grpc === 'InvalidArgument' || grpc === 'FailedPrecondition'
        ? sdkErrors.invalidRequest
        : sdkErrors.unknownRequest;
  return new SdkError({ ...registered, grpc }, `rpc error: code = ${grpc} desc = ${text}`);
}

/** The registration of a panic (`cosmossdk.io/errors` v1.0.2 ErrPanic). */
export const panicError: RegisteredError = { codespace: 'undefined', code: 111222, text: 'panic' };

/**
 * A panic of a peer's code, which its `baseapp` recovers: nothing names the message, and the fee stays taken
 * (cosmos-sdk v0.53 `baseapp/recovery.go`; Go adds a stack to the text).
 */
export class RecoveredPanic extends SdkError {
  /** `reason`: what Go's code panicked with. `gas`: what a rule has taken without the meter of the transaction. */
  constructor(
    readonly reason: string,
    readonly gas = 0n,
  ) {
    super(panicError, `recovered: ${reason}`);
    this.name = 'RecoveredPanic';
  }
}

/** The reason of Go's commonest panic. */
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';
