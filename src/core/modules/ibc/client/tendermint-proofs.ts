/**
 * Verifies proofs of another chain's state with its light client (ibc-go v10
 * `modules/light-clients/07-tendermint/client_state.go`).
 */
import type { ClientState } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, ibcErrors, tendermintErrors as errors } from '../errors.js';
import { goHeight, heightText } from '../keys.js';
import { decodeProofs, verifyMembership, verifyNonMembership } from '../merkle-proof.js';
import { compareHeights, heightOf, type RevisionHeight, selfHeight } from '../self-height.js';
import { getConsensusState, processedHeight, processedTime } from './tendermint-store.js';

/** Delay after a header before its proofs are valid: nanoseconds, and blocks of this chain. */
export interface Delay {
  readonly time: bigint;
  readonly blocks: bigint;
}

/** Handshake proofs are valid immediately. */
export const NO_DELAY: Delay = { time: 0n, blocks: 0n };

/** A claim about another chain: a path from the root, and its value; without a value, that the path is absent. */
export interface Claim {
  readonly path: readonly Uint8Array[];
  readonly value: Uint8Array | undefined;
  readonly proof: Uint8Array;
  readonly height: RevisionHeight;
  readonly delay: Delay;
}

/** Verifies a claim's proof; throws SdkError when it is invalid. */
export function verifyClaim(context: Context, id: string, state: ClientState, claim: Claim): void {
  const { path, value, proof, height } = claim;
  const latest = heightOf(state.latestHeight);
  if (compareHeights(latest, height) < 0)
    throw new SdkError(
      ibcErrors.invalidHeight,
      `client state height < proof height (${goHeight(latest)} < ${goHeight(height)}), please ensure the client has been updated`,
    );
  requireDelay(context, id, claim);
  const proofs = decodeProofs(proof, 'failed to unmarshal proof into ICS 23 commitment merkle proof');
  const known = getConsensusState(context, id, height);
  if (known === undefined)
    throw new SdkError(
      clientErrors.noConsensusState,
      'please ensure the proof was constructed against a height that exists on the client',
    );
  const commitment = { specs: state.proofSpecs, root: known.root?.hash ?? new Uint8Array(), path };
  if (value === undefined) verifyNonMembership(context.crypto, commitment, proofs);
  else verifyMembership(context.crypto, commitment, proofs, value);
}

function requireDelay(context: Context, id: string, { height, delay }: Claim): void {
  if (delay.time !== 0n) {
    const processed = processedTime(context, id, height);
    if (processed === undefined)
      throw new SdkError(errors.noProcessedTime, `processed time not found for height: ${heightText(height)}`);
    const valid = BigInt.asUintN(64, processed + delay.time);
    if (context.time < valid)
      throw new SdkError(
        errors.delayNotPassed,
        `cannot verify packet until time: ${valid}, current time: ${context.time}`,
      );
  }
  if (delay.blocks !== 0n) {
    const processed = processedHeight(context, id, height);
    if (processed === undefined)
      throw new SdkError(errors.noProcessedHeight, `processed height not found for height: ${heightText(height)}`);
    const now = selfHeight(context);
    const valid = {
      revisionNumber: processed.revisionNumber,
      revisionHeight: BigInt.asUintN(64, processed.revisionHeight + delay.blocks),
    };
    if (compareHeights(now, valid) < 0)
      throw new SdkError(
        errors.delayNotPassed,
        `cannot verify packet until height: ${heightText(valid)}, current height: ${heightText(now)}`,
      );
  }
}
