import type { Event } from '../proto/tendermint/abci/types_pb.js';
import type { Height, Position } from '../primitives.js';

/**
 * One event of the consensus websocket: the type in `tm.event`, the JSON text of `result.data.value`, and the
 * composite keys that queries match: `tm.event`, `tx.hash`, `tx.height`, and ABCI attributes as `type.key` (CometBFT
 * v0.38 `types/events.go`, `types/event_bus.go`).
 */
export interface ConsensusEvent {
  readonly type: ConsensusEventType;
  readonly height: Height;
  /** Log position of the record with the event; undefined for events that are shown before they are in a record. */
  readonly position: Position | undefined;
  /** `result.data.type` on the wire, for example `tendermint/event/NewBlock`. */
  readonly dataType: string;
  /** JSON text of `result.data.value`, encoded once for all subscribers. */
  readonly value: string;
  /** Values by composite key, for matching and for `result.events`; keys in insertion order. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** A key of `attributes` that queries match but `result.events` omits. */
  readonly unshown?: string | undefined;
}

export const CONSENSUS_EVENT_TYPES = [
  'NewBlock',
  'NewBlockHeader',
  'NewBlockEvents',
  'NewEvidence',
  'Tx',
  'ValidatorSetUpdates',
  'BlockSyncStatus',
  'StateSyncStatus',
  'CompleteProposal',
  'Lock',
  'NewRound',
  'NewRoundStep',
  'Polka',
  'Relock',
  'TimeoutPropose',
  'TimeoutWait',
  'Unlock',
  'ValidBlock',
  'Vote',
] as const;
export type ConsensusEventType = (typeof CONSENSUS_EVENT_TYPES)[number];

/**
 * Collects ABCI attributes by composite key `type.key`, values in order; only indexed attributes when `indexedOnly`.
 */
export function attributesOf(events: readonly Event[]): Map<string, string[]> {
  const attributes = new Map<string, string[]>();
  for (const event of events) {
    if (event.type === '') continue;
    for (const { key, value } of event.attributes) {
      if (key === '') continue;
      const name = `${event.type}.${key}`;
      const values = attributes.get(name);
      if (values === undefined) attributes.set(name, [value]);
      else values.push(value);
    }
  }
  return attributes;
}
