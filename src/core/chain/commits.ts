import { commitEvents } from './commit-events.js';
import type { Trace } from './decision.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import type { StoredBlock } from '../comet/stored-block.js';
import { txHash } from '../comet/body-hash.js';
import { CONSENSUS_EVENT_TYPES, type ConsensusEvent, type ConsensusEventType } from '../comet/websocket-events.js';
import type { CommitEvents } from '../node-api.js';
import type { Crypto } from '../ports/crypto.js';
import type { Height, Position } from '../primitives.js';
import { create } from '@bufbuild/protobuf';
import { addressOf } from '../comet/address.js';
import type { ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import { type Validator, ValidatorSchema } from '../proto/tendermint/types/validator_pb.js';

/**
 * Validators in the event `ValidatorSetUpdates`, in the order of the block's updates. Power 0 means removed;
 * priorities are 0 (CometBFT v0.38 `types/events.go`).
 */
export function updatedValidators(
  crypto: Pick<Crypto, 'sha256' | 'ripemd160'>,
  updates: readonly ValidatorUpdate[],
): readonly Validator[] {
  return updates.flatMap(({ pubKey, power }) =>
    pubKey === undefined
      ? []
      : [create(ValidatorSchema, { address: addressOf(crypto, pubKey), pubKey, votingPower: power })],
  );
}

/** A published block as the consensus face shows it to subscribers: first the rounds, then the block. */
export interface ShownBlock extends Pick<StoredBlock, 'block' | 'blockId'> {
  readonly position: Position;
  readonly height: Height;
  /** Results with the app hash after the block. */
  readonly results: EncodedResults;
  readonly trace: Trace;
}

/** Events of a block; identical live and when rebuilt from the log. */
export function commitEventsOf(
  crypto: Crypto,
  { position, height, block, blockId, results, trace }: ShownBlock,
): CommitEvents {
  return {
    position,
    events: [
      ...roundEvents(height, trace),
      ...commitEvents({
        position,
        block,
        blockId,
        results,
        txHashes: (block.data?.txs ?? []).map((tx) => txHash(crypto, tx)),
        validatorUpdates: updatedValidators(crypto, results.validatorUpdates),
      }),
    ],
  };
}

/** `result.data.type` of round events when it differs from the event's type (CometBFT v0.38 `types/events.go`). */
const ROUND_DATA_TYPES: Partial<Record<ConsensusEventType, string>> = {
  NewRound: 'tendermint/event/NewRound',
  CompleteProposal: 'tendermint/event/CompleteProposal',
  Vote: 'tendermint/event/Vote',
};

/** Attributes of a round event: only its type. */
const ROUND_ATTRIBUTES: ReadonlyMap<string, ConsensusEvent['attributes']> = new Map(
  CONSENSUS_EVENT_TYPES.map((type) => [type, new Map([['tm.event', [type]]])]),
);

/** Round events of a height, made from the trace in the log. */
export function roundEvents(height: Height, trace: Trace): readonly ConsensusEvent[] {
  return trace.flatMap(({ type, value }) => {
    const known = CONSENSUS_EVENT_TYPES.find((each) => each === type);
    if (known === undefined) return [];
    return [
      {
        type: known,
        height,
        position: undefined,
        dataType: ROUND_DATA_TYPES[known] ?? 'tendermint/event/RoundState',
        value,
        attributes: ROUND_ATTRIBUTES.get(known) ?? new Map(),
      },
    ];
  });
}
