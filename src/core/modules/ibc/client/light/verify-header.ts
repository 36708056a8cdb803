/** Verifies a new header by a trusted one (CometBFT v0.38 `light/verifier.go`). */
import { equal } from '../../../../bytes/bytes.js';
import { upperHex } from '../../../../bytes/hex.js';
import type { Signatures } from './crypto.js';
import { type TimeNs, toTimeNs } from '../../../../primitives.js';
import type { SignedHeader } from '../../../../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../../proto/tendermint/types/validator_pb.js';
import { goDuration } from '../../../../sdk/go/go-duration.js';
import { fromTimestamp, goTime } from '../../../../comet/time.js';
import { validatorSetHash } from '../../../../comet/validator-set.js';
import { LightProblem } from './problem.js';
import { type CheckedHeader, checkSignedHeader } from './signed-header.js';
import {
  type Share,
  NotEnoughVotingPower,
  type Verified,
  verifyCommitLight,
  verifyCommitTrusting,
} from './verify-commit.js';

/** Trusted part of a header. */
export interface Trusted {
  readonly chainId: string;
  readonly height: bigint;
  readonly time: TimeNs;
  readonly nextValidatorsHash: Uint8Array;
  /** Validators with this hash. */
  readonly validators: ValidatorSet;
}

/** Trust options of a light client; durations in nanoseconds. */
export interface Trust {
  readonly period: bigint;
  readonly clockDrift: bigint;
  readonly level: Share;
}

/**
 * Verifies a header: an adjacent one must have the trusted next validators, any other must be signed by a fraction of
 * them. Throws `LightProblem`.
 */
export function verifyHeader(
  crypto: Signatures,
  trusted: Trusted,
  { signedHeader, validators }: { readonly signedHeader: SignedHeader; readonly validators: ValidatorSet },
  now: TimeNs,
  { period, clockDrift, level }: Trust,
): void {
  const expires = toTimeNs(trusted.time + period);
  if (expires <= now) throw new LightProblem(`old header has expired at ${goTime(expires)} (now: ${goTime(now)})`);
  const verified: Verified = new Map();
  const { header, commit } = invalid(() => checkNew(crypto, trusted, signedHeader, validators, now, clockDrift));
  if (header.height === trusted.height + 1n) {
    if (!equal(header.validatorsHash, trusted.nextValidatorsHash))
      throw new LightProblem(
        `expected old header next validators (${upperHex(trusted.nextValidatorsHash)}) to match those from new header (${upperHex(header.validatorsHash)})`,
      );
  } else verifyTrusted(crypto, trusted, commit, level, verified);

  const signed = { ...commit, height: header.height };
  invalid(() => verifyCommitLight(crypto, trusted.chainId, validators, signed, commit, verified));
}

function verifyTrusted(
  crypto: Signatures,
  trusted: Trusted,
  commit: CheckedHeader['commit'],
  level: Share,
  verified: Verified,
): void {
  try {
    verifyCommitTrusting(crypto, trusted.chainId, trusted.validators, commit, level, verified);
  } catch (error) {
    if (error instanceof NotEnoughVotingPower) throw new LightProblem(`cant trust new val set: ${error.message}`);
    throw error;
  }
}

/** Runs `action` and reports its error as that of an invalid header. */
function invalid<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof LightProblem && !error.panics) throw new LightProblem(`invalid header: ${error.message}`);
    throw error;
  }
}

function checkNew(
  crypto: Signatures,
  trusted: Trusted,
  signedHeader: SignedHeader,
  validators: ValidatorSet,
  now: TimeNs,
  clockDrift: bigint,
): CheckedHeader {
  const checked = basic(crypto, signedHeader, trusted.chainId);
  const { header } = checked;
  const time = fromTimestamp(header.time);
  if (header.height <= trusted.height)
    throw new LightProblem(
      `expected new header height ${header.height} to be greater than one of old header ${trusted.height}`,
    );
  if (time <= trusted.time)
    throw new LightProblem(
      `expected new header time ${goTime(time)} to be after old header time ${goTime(trusted.time)}`,
    );
  if (time >= now + clockDrift)
    throw new LightProblem(
      `new header has a time from the future ${goTime(time)} (now: ${goTime(now)}; max clock drift: ${goDuration(clockDrift)})`,
    );
  const hash = validatorSetHash(crypto, validators);
  if (!equal(header.validatorsHash, hash))
    throw new LightProblem(
      `expected new header validators (${upperHex(header.validatorsHash)}) to match those that were supplied (${upperHex(hash)}) at height ${header.height}`,
    );
  return checked;
}

function basic(crypto: Signatures, signedHeader: SignedHeader, chainId: string): CheckedHeader {
  try {
    return checkSignedHeader(crypto, signedHeader, chainId);
  } catch (error) {
    if (error instanceof LightProblem) throw new LightProblem(`untrustedHeader.ValidateBasic failed: ${error.message}`);
    throw error;
  }
}
