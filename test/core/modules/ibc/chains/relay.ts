/** What a relayer sends: states and headers of one chain for the client of another. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { toDuration } from '../../../../../src/core/comet/time.js';
import { iavlSpec, simpleSpec } from '../../../../../src/core/modules/ibc/ics23/specs.js';
import { revisionOf } from '../../../../../src/core/modules/ibc/self-height.js';
import * as client from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  type Header,
  HeaderSchema,
} from '../../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../../../../src/core/sdk/codec/any.js';
import { complete } from '../../../../../src/core/sdk/codec/complete-message.js';
import { anyOf, type IbcChain, type Shown } from './chain.js';

const SECOND = 1_000_000_000n;
const HOUR = 3_600n * SECOND;

export type Choices = Exclude<MessageInitShape<typeof ClientStateSchema>, { readonly $typeName: string }>;

/** A height of a chain. */
export const heightOf = (chain: IbcChain, height: bigint) => ({
  revisionNumber: revisionOf(chain.chainId),
  revisionHeight: height,
});

/** The state of a new client for a chain at a height. */
export const clientStateOf = (chain: IbcChain, height: bigint, choices: Choices = {}) =>
  complete(
    ClientStateSchema,
    create(ClientStateSchema, {
      chainId: chain.chainId,
      trustLevel: { numerator: 1n, denominator: 3n },
      trustingPeriod: toDuration(2n * HOUR),
      unbondingPeriod: toDuration(3n * HOUR),
      maxClockDrift: toDuration(10n * SECOND),
      latestHeight: heightOf(chain, height),
      proofSpecs: [iavlSpec(), simpleSpec()],
      upgradePath: ['upgrade', 'upgradedIBCState'],
      ...choices,
    }),
  );

/** The consensus state of a block. */
export const consensusStateOf = ({ header }: Shown) =>
  create(ConsensusStateSchema, {
    ...(header.time && { timestamp: header.time }),
    root: { hash: header.appHash },
    nextValidatorsHash: header.nextValidatorsHash,
  });

/** The message that makes a client on `on` for the last block of `of`. */
export function createClient(on: IbcChain, of: IbcChain, choices: Choices = {}): Any {
  return anyOf(client.MsgCreateClientSchema, {
    clientState: packAny(ClientStateSchema, clientStateOf(of, of.height, choices)),
    consensusState: packAny(ConsensusStateSchema, consensusStateOf(of.shown(of.height))),
    signer: on.account(0),
  });
}

/** A header of a chain with its validators, to be trusted by an earlier block. */
export const headerOf = (
  chain: IbcChain,
  trusted: bigint,
  shown: Shown = chain.shown(chain.height),
  validators = chain.validators,
  trustedValidators = chain.validators,
): Header =>
  create(HeaderSchema, {
    signedHeader: { header: shown.header, commit: shown.commit },
    validatorSet: validators,
    trustedHeight: heightOf(chain, trusted),
    trustedValidators,
  });

/** The message that brings a header to a client on `on`. */
export const updateClient = (on: IbcChain, clientId: string, header: Header): Any =>
  anyOf(client.MsgUpdateClientSchema, {
    clientId,
    clientMessage: packAny(HeaderSchema, header),
    signer: on.account(0),
  });
