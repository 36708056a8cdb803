/** Messages that create and update light clients (ICS-7; ibc-go v10 `modules/light-clients/07-tendermint`). */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { toDuration } from '../comet/time.js';
import { iavlSpec, simpleSpec } from '../modules/ibc/ics23/specs.js';
import { revisionOf, type RevisionHeight } from '../modules/ibc/self-height.js';
import * as client from '../proto/ibc/core/client/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  HeaderSchema,
} from '../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Commit, Header } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import { packAny } from '../sdk/codec/any.js';
import { messageOf } from './handshake.js';

/** Block data that a light client needs. */
export interface SignedBlock {
  readonly header: Header;
  readonly commit: Commit;
  readonly validators: ValidatorSet;
}

const DAY = 86_400_000_000_000n;
/** Long enough for a dev chain that is stopped for years. */
const TRUSTING_PERIOD = 3_650n * DAY;
const UNBONDING_PERIOD = 2n * TRUSTING_PERIOD;
/**
 * Equals the trusting period, because dev mode moves one chain's clock and the other must still accept its
 * headers.
 */
const CLOCK_DRIFT = TRUSTING_PERIOD;

/** Height of a chain in IBC's form. */
export const heightOfChain = (chainId: string, revisionHeight: bigint): RevisionHeight => ({
  revisionNumber: revisionOf(chainId),
  revisionHeight,
});

/** Message that creates a client of a chain, starting at this block. */
export function createClientMessage(chainId: string, { header }: SignedBlock, signer: string): Any {
  const state = create(ClientStateSchema, {
    chainId,
    trustLevel: { numerator: 1n, denominator: 3n },
    trustingPeriod: toDuration(TRUSTING_PERIOD),
    unbondingPeriod: toDuration(UNBONDING_PERIOD),
    maxClockDrift: toDuration(CLOCK_DRIFT),
    latestHeight: heightOfChain(chainId, header.height),
    frozenHeight: {},
    proofSpecs: [iavlSpec(), simpleSpec()],
    upgradePath: ['upgrade', 'upgradedIBCState'],
  });
  const consensus = create(ConsensusStateSchema, {
    ...(header.time && { timestamp: header.time }),
    root: { hash: header.appHash },
    nextValidatorsHash: header.nextValidatorsHash,
  });
  return messageOf(client.MsgCreateClientSchema, {
    clientState: packAny(ClientStateSchema, state),
    consensusState: packAny(ConsensusStateSchema, consensus),
    signer,
  });
}

/** Message that updates a client with a block; `trusted` is the client's latest height. */
export function updateClientMessage(
  chainId: string,
  clientId: string,
  { header, commit, validators }: SignedBlock,
  trusted: { readonly height: bigint; readonly nextValidators: ValidatorSet },
  signer: string,
): Any {
  const message = create(HeaderSchema, {
    signedHeader: { header, commit },
    validatorSet: validators,
    trustedHeight: heightOfChain(chainId, trusted.height),
    trustedValidators: trusted.nextValidators,
  });
  return messageOf(client.MsgUpdateClientSchema, {
    clientId,
    clientMessage: packAny(HeaderSchema, message),
    signer,
  });
}
