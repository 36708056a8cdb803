/** Validates the EVM's parameters (cosmos/evm v0.6 `x/vm/types/params.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { AccessType, type AccessControlType, type Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { plainError, SdkError, type RegisteredError } from '../../sdk/module/sdk-error.js';

/**
 * EIPs that parameters may activate, in order of their texts: those of go-ethereum v1.16 `core/vm/eips.go`, and 0, 1
 * and 2 of cosmos/evm (`x/vm/types/activators.go`).
 */
const ACTIVATABLE_EIPS: readonly bigint[] = [
  0n,
  1n,
  1153n,
  1344n,
  1884n,
  2n,
  2200n,
  2929n,
  3198n,
  3529n,
  3855n,
  3860n,
  4762n,
  5656n,
  6780n,
  7702n,
  7939n,
];

/** Error of ibc-go v10 `modules/core/04-channel/types/errors.go`. */
const INVALID_CHANNEL: RegisteredError = { codespace: 'channel', code: 18, text: 'invalid channel identifier' };
const MIN_CHANNEL_LENGTH = 8;
const MAX_CHANNEL_LENGTH = 64;

/** Error of invalid parameters, with cosmos/evm's text; undefined for valid ones. */
export function invalidParams(params: Params): SdkError | undefined {
  const wrong =
    invalidEips(params.extraEips) ??
    invalidPrecompiles(params.activeStaticPrecompiles) ??
    invalidAccess(params.accessControl?.create) ??
    invalidAccess(params.accessControl?.call);
  return wrong === undefined ? invalidChannels(params.evmChannels) : plainError(wrong);
}

function invalidEips(eips: readonly bigint[]): string | undefined {
  const seen = new Set<bigint>();
  for (const eip of eips) {
    if (!ACTIVATABLE_EIPS.includes(eip))
      return `EIP ${eip} is not activateable, valid EIPs are: [${ACTIVATABLE_EIPS.join(' ')}]`;
    if (seen.has(eip)) return `found duplicate EIP: ${eip}`;
    seen.add(eip);
  }
  return undefined;
}

function invalidPrecompiles(precompiles: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const precompile of precompiles) {
    if (seen.has(precompile)) return `duplicate precompile ${precompile}`;
    if (!isHexAddress(precompile)) return `invalid precompile ${precompile}`;
    seen.add(precompile);
  }
  const isSorted = precompiles.every((one, index) => index === 0 || (precompiles[index - 1] ?? '') <= one);
  return isSorted ? undefined : `precompiles need to be sorted: [${precompiles.join(' ')}]`;
}

function invalidAccess(access: AccessControlType | undefined): string | undefined {
  if (access === undefined) return undefined;
  const { accessType, accessControlList } = access;
  // The enum is open: a message may contain any number.
  if (AccessType[accessType] === undefined) return `invalid access type: ${String(accessType)}`;
  const wrong = accessControlList.find((address) => !isHexAddress(address));
  return wrong === undefined ? undefined : `invalid whitelist address: ${wrong}`;
}

/** Requires channel identifiers of ICS-24 (ibc-go v10 `modules/core/24-host/validate.go`). */
function invalidChannels(channels: readonly string[]): SdkError | undefined {
  for (const channel of channels) {
    const wrong = invalidIdentifier(channel);
    if (wrong !== undefined) return new SdkError(INVALID_CHANNEL, `${wrong}: invalid identifier`);
  }
  return undefined;
}

function invalidIdentifier(id: string): string | undefined {
  if (isBlank(id)) return 'identifier cannot be blank';
  if (id.includes('/')) return `identifier ${id} cannot contain separator '/'`;
  const { length } = utf8(id);
  if (length < MIN_CHANNEL_LENGTH || length > MAX_CHANNEL_LENGTH)
    return `identifier ${id} has invalid length: ${length}, must be between ${MIN_CHANNEL_LENGTH}-${MAX_CHANNEL_LENGTH} characters`;
  if (!/^[a-zA-Z0-9._+\-#[\]<>]+$/.test(id))
    return `identifier ${id} must contain only alphanumeric or the following characters: '.', '_', '+', '-', '#', '[', ']', '<', '>'`;
  return undefined;
}

/** True for 20 bytes in hexadecimal of any case, with or without `0x` (go-ethereum `common.IsHexAddress`). */
function isHexAddress(text: string): boolean {
  return /^(0[xX])?[0-9a-fA-F]{40}$/.test(text);
}
