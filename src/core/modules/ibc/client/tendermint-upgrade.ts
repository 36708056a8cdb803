/**
 * Upgrades a light client to its chain's new revision or parameters (ibc-go v10
 * `modules/light-clients/07-tendermint/upgrade.go`).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { utf8 } from '../../../bytes/bytes.js';
import { fromDuration, toDuration } from '../../../comet/time.js';
import {
  type ClientState,
  ClientStateSchema,
  type ConsensusState,
  ConsensusStateSchema,
} from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { decodeMessage, packAny } from '../../../sdk/codec/any.js';
import { complete } from '../../../sdk/codec/complete-message.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, ibcErrors } from '../errors.js';
import { heightText } from '../keys.js';
import { decodeProofs, verifyMembership } from '../merkle-proof.js';
import { compareHeights, heightOf } from '../self-height.js';
import { validateClientState } from './tendermint.js';
import { getConsensusState, processedNow, setClientState, setConsensusState } from './tendermint-store.js';

/** Placeholder root of the first consensus state after an upgrade; nothing can be proved under it. */
const SENTINEL_ROOT = utf8('sentinel_root');

/** New states from a relayer, with proofs against the last state of the old revision. */
export interface Upgrade {
  readonly clientState: Any;
  readonly consensusState: Any;
  readonly clientProof: Uint8Array;
  readonly consensusProof: Uint8Array;
}

/** Client state without client-chosen fields, which become zero (ibc-go v10 `ZeroCustomFields`). */
export function zeroCustomFields(state: ClientState): ClientState {
  const { chainId, unbondingPeriod, latestHeight, proofSpecs, upgradePath } = state;
  return complete(
    ClientStateSchema,
    create(ClientStateSchema, { chainId, unbondingPeriod, latestHeight, proofSpecs, upgradePath }),
  );
}

/** Verifies that the old chain committed to the new states, and stores them; throws SdkError. */
export function upgradeState(context: Context, id: string, state: ClientState, upgrade: Upgrade): void {
  const next = complete(ClientStateSchema, decodeMessage(ClientStateSchema, upgrade.clientState.value));
  const consensus = complete(ConsensusStateSchema, decodeMessage(ConsensusStateSchema, upgrade.consensusState.value));
  const [last, height] = [heightOf(state.latestHeight), heightOf(next.latestHeight)];
  if (compareHeights(height, last) <= 0)
    throw new SdkError(
      ibcErrors.invalidHeight,
      `upgraded client height ${heightText(height)} must be at greater than current client height ${heightText(last)}`,
    );
  requireProofs(context, id, state, next, consensus, upgrade);
  const taken = complete(
    ClientStateSchema,
    create(ClientStateSchema, {
      ...zeroCustomFields(next),
      ...(state.trustLevel && { trustLevel: state.trustLevel }),
      ...(state.maxClockDrift && { maxClockDrift: state.maxClockDrift }),
      trustingPeriod: toDuration(trustingPeriodOf(state, next)),
    }),
  );
  wrapping('updated client state failed basic validation', () => validateClientState(taken));
  setClientState(context, id, taken);
  const { timestamp, nextValidatorsHash } = consensus;
  const first = create(ConsensusStateSchema, {
    ...(timestamp && { timestamp }),
    root: { hash: SENTINEL_ROOT },
    nextValidatorsHash,
  });
  setConsensusState(context, id, height, first, processedNow(context));
}

function requireProofs(
  context: Context,
  id: string,
  state: ClientState,
  next: ClientState,
  consensus: ConsensusState,
  { clientProof, consensusProof }: Upgrade,
): void {
  const { upgradePath, proofSpecs: specs } = state;
  if (upgradePath.length === 0)
    throw new SdkError(clientErrors.invalidUpgrade, 'cannot upgrade client, no upgrade path set');
  const proofs = {
    client: decodeProofs(clientProof, 'could not unmarshal client merkle proof'),
    consensus: decodeProofs(consensusProof, 'could not unmarshal consensus state merkle proof'),
  };
  const last = heightOf(state.latestHeight);
  const known = getConsensusState(context, id, last);
  if (known === undefined)
    throw new SdkError(clientErrors.noConsensusState, 'could not retrieve consensus state for lastHeight');
  const root = known.root?.hash ?? new Uint8Array();
  const verify = (of: 'client' | 'consensus', name: string, any: Any, what: string): void => {
    const key = `${upgradePath[upgradePath.length - 1] ?? ''}/${last.revisionHeight}/${name}`;
    const path = [...upgradePath.slice(0, -1), key].map((part) => utf8(part));
    const shown = path.map((part) => `[${part.join(' ')}]`).join(' ');
    wrapping(`${what} proof failed. Path: [${shown}]`, () =>
      verifyMembership(context.crypto, { specs, root, path }, proofs[of], toBinary(AnySchema, any)),
    );
  };
  verify('client', 'upgradedClient', packAny(ClientStateSchema, zeroCustomFields(next)), 'client state');
  verify('consensus', 'upgradedConsState', packAny(ConsensusStateSchema, consensus), 'consensus state');
}

/** Scale of the SDK's decimals. */
const UNIT = 10n ** 18n;

/** Trusting period in nanoseconds; it shrinks in proportion to the chain's unbonding period. */
function trustingPeriodOf(state: ClientState, next: ClientState): bigint {
  const trusting = fromDuration(state.trustingPeriod);
  const [before, after] = [fromDuration(state.unbondingPeriod), fromDuration(next.unbondingPeriod)];
  if (after >= before) return trusting;
  // Rounded like the peer's decimals: a quotient with 18 places, half to even, then truncated.
  const scaled = trusting * after * UNIT;
  const [quotient, rest] = [scaled / before, scaled % before];
  const isUp = 2n * rest > before || (2n * rest === before && quotient % 2n === 1n);
  return (isUp ? quotient + 1n : quotient) / UNIT;
}
