/** Callback request in a memo (ibc-go v10 `modules/apps/callbacks/types/callbacks.go`, ADR 8). */
import { MAX_UINT64 } from '../../bigint.js';
import { EMPTY, utf8 } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { jsonProblem } from '../../sdk/go/go-json-syntax.js';
import { hexProblem, isBlank } from '../../sdk/go/go-text.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { asObject } from '../../text/json-object.js';
import { parseJson } from '../../text/json-text.js';
import type { PacketData } from '../transfer/packet-data.js';
import { callbackErrors } from './errors.js';

/** Memo field: callback on the destination chain, or on the source chain. */
export type CallbackKey = 'dest_callback' | 'src_callback';

/** A callback requested by a packet. */
export interface CallbackData {
  /** Contract address as written in the memo. */
  readonly address: string;
  /** Gas available for it here; less than `commitGas` when the relayer provided too little. */
  readonly executionGas: bigint;
  readonly commitGas: bigint;
  /** Sender of the packet. */
  readonly sender: string;
  readonly calldata: Uint8Array;
}

const invalid = (reason: string): SdkError => new SdkError(callbackErrors.invalidData, reason);

/**
 * Reads the callback of a transfer; undefined when the memo requests none. `remaining`: gas left; `maximum`: gas
 * limit of callbacks. Throws SdkError for an invalid request.
 */
export function readCallback(
  { memo, sender }: PacketData,
  key: CallbackKey,
  { remaining, maximum }: { readonly remaining: bigint; readonly maximum: bigint },
): CallbackData | undefined {
  if (memo === '' || jsonProblem(utf8(memo)) !== undefined) return undefined;
  const parts = asObject(asObject(parseJson(memo))?.[key]);
  if (parts === undefined) return undefined;
  const { address } = parts;
  if (typeof address !== 'string' || isBlank(address)) throw new SdkError(callbackErrors.invalidData);
  const gasLimit = gasLimitOf(parts['gas_limit']);
  const commitGas = gasLimit === 0n || gasLimit > maximum ? maximum : gasLimit;
  const executionGas = remaining < commitGas ? remaining : commitGas;
  return { address, executionGas, commitGas, sender, calldata: calldataOf(parts['calldata']) };
}

function gasLimitOf(value: unknown): bigint {
  if (value === undefined || value === '') return 0n;
  if (typeof value !== 'string') throw invalid('gas limit must be a string');
  const problem = `gas limit must be a valid uint64: strconv.ParseUint: parsing ${JSON.stringify(value)}`;
  if (!/^[0-9]+$/.test(value)) throw invalid(`${problem}: invalid syntax`);
  // Longer digits are out of range, apart from leading zeros.
  const gas = BigInt(value);
  if (gas > MAX_UINT64) throw invalid(`${problem}: value out of range`);
  return gas;
}

function calldataOf(value: unknown): Uint8Array {
  if (value === undefined || value === '') return EMPTY;
  if (typeof value !== 'string') throw invalid('calldata must be a string');
  const bytes = bytesOfDigits(value);
  if (bytes === undefined) throw invalid(`calldata must be a valid hex string: encoding/hex: ${hexProblem(value)}`);
  return bytes;
}
