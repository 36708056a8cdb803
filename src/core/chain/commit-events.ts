import { upperHex } from '../bytes/hex.js';
import { blockIdToJson } from '../comet/json/block-id-json.js';
import { blockToJson } from '../comet/json/block-json.js';
import { evidenceToJson } from '../comet/json/evidence-json.js';
import { headerToJson } from '../comet/json/header-json.js';
import { eventToJson, finalizeBlockToJson, txResultToJson } from '../comet/json/results-json.js';
import { validatorToJson } from '../comet/json/validator-json.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import { attributesOf, type ConsensusEvent, type ConsensusEventType } from '../comet/websocket-events.js';
import { invariant } from '../errors.js';
import type { Height, Position } from '../primitives.js';
import { toHeight } from '../primitives.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../proto/tendermint/types/types_pb.js';
import type { Validator } from '../proto/tendermint/types/validator_pb.js';
import { jsonText } from '../text/json-text.js';

export interface PublishedBlock {
  readonly position: Position;
  readonly block: Block;
  readonly blockId: BlockID;
  /** Results with the app hash after this block. */
  readonly results: EncodedResults;
  readonly txHashes: readonly Uint8Array[];
  /** Validator updates as subscribers see them; made by `updatedValidators`. */
  readonly validatorUpdates: readonly Validator[];
}

/**
 * Events of one executed block in CometBFT's order: block, header, block events, evidence, transactions, validator
 * updates (v0.38 `fireEvents` in `state/execution.go`).
 */
export function commitEvents(published: PublishedBlock): readonly ConsensusEvent[] {
  const { block, blockId, results, position } = published;
  const { header, data } = block;
  invariant(header !== undefined && data !== undefined, 'a block has a header and data');
  const height = toHeight(header.height);
  const atHeight = (): readonly (readonly [string, string])[] => [[BLOCK_HEIGHT, `${height}`]];
  const make = (
    type: ConsensusEventType,
    value: () => unknown,
    abci: () => readonly Event[] = () => [],
    keys: () => readonly (readonly [string, string])[] = () => [],
    unshown?: string,
  ): ConsensusEvent => new LazyEvent({ type, height, position, value, abci, keys, unshown });
  return [
    make(
      'NewBlock',
      () => ({
        block: blockToJson(block),
        block_id: blockIdToJson(blockId),
        result_finalize_block: finalizeBlockToJson(results),
      }),
      () => results.events,
      atHeight,
      BLOCK_HEIGHT,
    ),
    make('NewBlockHeader', () => ({ header: headerToJson(header) }), undefined, atHeight, BLOCK_HEIGHT),
    make(
      'NewBlockEvents',
      () => ({ height: `${height}`, events: results.events.map(eventToJson), num_txs: `${data.txs.length}` }),
      () => results.events,
      atHeight,
    ),
    ...(block.evidence?.evidence ?? []).map((evidence) =>
      make('NewEvidence', () => ({ height: `${height}`, evidence: evidenceToJson(evidence) })),
    ),
    ...data.txs.map((tx, index) => {
      const hash = published.txHashes[index];
      invariant(hash !== undefined && index < results.txCount, 'every transaction has its hash and result');
      return make(
        'Tx',
        () => {
          const result = results.txResult(index);
          invariant(result !== undefined, 'every transaction has its result');
          return txResultToJson(height, index, tx, result);
        },
        () => results.txEvents(index),
        () => [
          ['tx.hash', upperHex(hash)],
          ['tx.height', `${height}`],
        ],
      );
    }),
    ...(published.validatorUpdates.length === 0
      ? []
      : [make('ValidatorSetUpdates', () => ({ validator_updates: published.validatorUpdates.map(validatorToJson) }))]),
  ];
}

/** Event key of the height in queries; CometBFT sets it in NewBlockEvents only. */
const BLOCK_HEIGHT = 'block.height';

interface EventSource {
  readonly type: ConsensusEventType;
  readonly height: Height;
  readonly position: Position;
  readonly value: () => unknown;
  readonly abci: () => readonly Event[];
  readonly keys: () => readonly (readonly [string, string])[];
  readonly unshown: string | undefined;
}

/** Computes JSON and attributes on first use and shares them between subscribers: most blocks have no subscriber. */
class LazyEvent implements ConsensusEvent {
  readonly type: ConsensusEventType;
  readonly height: Height;
  readonly position: Position;
  readonly unshown: string | undefined;
  readonly #source: EventSource;
  #value: string | undefined;
  #attributes: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(source: EventSource) {
    this.type = source.type;
    this.height = source.height;
    this.position = source.position;
    this.unshown = source.unshown;
    this.#source = source;
  }

  get dataType(): string {
    return `tendermint/event/${this.type}`;
  }

  get value(): string {
    return (this.#value ??= jsonText(this.#source.value()));
  }

  get attributes(): ReadonlyMap<string, readonly string[]> {
    return (this.#attributes ??= this.#collect());
  }

  #collect(): ReadonlyMap<string, readonly string[]> {
    const attributes = attributesOf(this.#source.abci());
    for (const [key, value] of [['tm.event', this.type] as const, ...this.#source.keys()]) {
      attributes.set(key, [...(attributes.get(key) ?? []), value]);
    }
    return attributes;
  }
}
