import type { DomainErrorCode } from '../../errors.js';

/**
 * Registered errors of the Cosmos SDK: a code within a codespace, and a text "outer: inner: root" (cosmos-sdk v0.53
 * `types/errors/errors.go`). Message handlers throw `SdkError` to end a transaction, because running out of gas must
 * unwind from any store access. It never leaves the application: `runTx` and the query router convert it to a result
 * value.
 */
export interface RegisteredError {
  readonly codespace: string;
  readonly code: number;
  readonly text: string;
  /** gRPC status name, when the SDK's query returns a status instead of a registered error. */
  readonly grpc?: string;
}

/** A registered error with its detail. Clients see the text. */
export class SdkError extends Error {
  readonly registered: RegisteredError;

  /** `detail` precedes the registered text even when empty (`cosmossdk.io/errors` v1.0.2 Wrap). */
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

/** Mempool errors that the SDK reports as transaction codes. */
export const MEMPOOL_ERRORS: Partial<Readonly<Record<DomainErrorCode, RegisteredError>>> = {
  'tx-in-cache': sdkErrors.txInMempool,
  'mempool-full': sdkErrors.mempoolFull,
  'tx-too-large': sdkErrors.txTooLarge,
};

/** Error without registration: codespace `undefined`, code 1. */
export const internalError: RegisteredError = { codespace: 'undefined', code: 1, text: 'internal' };

/** Creates an unregistered Go error: codespace `undefined`, code 1, exactly this text. */
export function plainError(text: string): SdkError {
  return new SdkError({ ...internalError, text });
}

/** Creates SDK error 18, `invalid request`, prefixed with this text. */
export function invalidRequest(text: string): SdkError {
  return new SdkError(sdkErrors.invalidRequest, text);
}

/** Prefixes `text` to an error (`cosmossdk.io/errors` v1.0.2 Wrap); returns a panic unchanged. */
export function wrapped(error: SdkError, text: string): SdkError {
  if (error instanceof RecoveredPanic) return error;
  return new SdkError({ ...error.registered, text: error.message }, text);
}

/** Internal code of `unregisteredWrap`; clients never see it. */
export const UNREGISTERED_WRAP = 2;

/**
 * Creates the error of a query that wraps a registered error into an unregistered one. `abci_query` reports an
 * unknown request; gRPC has exactly this text.
 */
export function unregisteredWrap(text: string): SdkError {
  return new SdkError({ ...internalError, code: UNREGISTERED_WRAP, text });
}

/**
 * Creates a gRPC status error as baseapp reports it over ABCI: log `rpc error: code = NotFound desc = <text>: key not
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

/** Registered error of a panic (`cosmossdk.io/errors` v1.0.2 ErrPanic). */
export const panicError: RegisteredError = { codespace: 'undefined', code: 111222, text: 'panic' };

/**
 * A panic of a peer's code that its `baseapp` recovers: the error names no message, and the fee is kept (cosmos-sdk
 * v0.53 `baseapp/recovery.go`; Go appends a stack trace).
 */
export class RecoveredPanic extends SdkError {
  /** `reason`: value that Go panicked with. `gas`: gas used by a rule without the transaction's meter. */
  constructor(
    readonly reason: string,
    readonly gas = 0n,
  ) {
    super(panicError, `recovered: ${reason}`);
    this.name = 'RecoveredPanic';
  }
}

/** Text of Go's nil pointer panic. */
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';
