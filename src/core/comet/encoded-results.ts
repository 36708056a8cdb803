import { fromBinary } from '@bufbuild/protobuf';
import { concatAll, EMPTY } from '../bytes/bytes.js';
import { MessageFields } from '../bytes/message-fields.js';
import '../text/message-text.js';
import { invariant } from '../errors.js';
import { eventType, readEvent } from './event-fields.js';
import * as pb from '../proto/tendermint/abci/types_pb.js';
import { type ConsensusParams, ConsensusParamsSchema } from '../proto/tendermint/types/params_pb.js';
import { type BlockResults, encodeResults } from './results-codec.js';

/** Field numbers of `tendermint.abci.ResponseFinalizeBlock` (proto/tendermint/abci/types.proto). */
const RESPONSE = { events: 1, txResults: 2, validatorUpdates: 3, consensusParamUpdates: 4 } as const;
/** Field numbers of `tendermint.abci.ExecTxResult`. */
const RESULT = { code: 1, data: 2, log: 3, info: 4, gasWanted: 5, gasUsed: 6, events: 7 } as const;

/** Transaction result without events and texts: the part that most readers need. */
export interface TxOutcome {
  readonly code: number;
  /** Encoded `TxMsgData`; a view of the results. */
  readonly data: Uint8Array;
  readonly gasUsed: bigint;
}

/**
 * Block results as encoded bytes from the log. Parts are decoded on each read and not cached: most blocks have no
 * reader, and decoded events of thousands of transactions would outlive the young generation of the heap.
 */
export class EncodedResults implements BlockResults {
  /** Encoded `tendermint.abci.ResponseFinalizeBlock` without app hash, written by `encodeResults`. */
  readonly bytes: Uint8Array;
  /** App hash after the block (32 bytes); empty until it is known. */
  readonly appHash: Uint8Array;
  /** Start and end offset of each transaction's result in `bytes`. */
  #places: readonly number[] | undefined;

  constructor(bytes: Uint8Array, appHash: Uint8Array = EMPTY) {
    this.bytes = bytes;
    this.appHash = appHash;
  }

  static of(results: BlockResults): EncodedResults {
    return new EncodedResults(encodeResults(results));
  }

  withAppHash(appHash: Uint8Array): EncodedResults {
    const results = new EncodedResults(this.bytes, appHash);
    results.#places = this.#places;
    return results;
  }

  /** Number of transactions. */
  get txCount(): number {
    return this.#txPlaces().length / 2;
  }

  get txResults(): readonly pb.ExecTxResult[] {
    return Array.from({ length: this.txCount }, (_, index) => this.#decodeResult(index));
  }

  /** Result of one transaction; undefined for an index beyond the last. */
  txResult(index: number): pb.ExecTxResult | undefined {
    return index < this.txCount ? this.#decodeResult(index) : undefined;
  }

  /** Result of one transaction without events and texts; undefined for an index beyond the last. */
  outcome(index: number): TxOutcome | undefined {
    if (index >= this.txCount) return undefined;
    const fields = this.#resultFields(index);
    let code = 0;
    let data: Uint8Array = EMPTY;
    let gasUsed = 0n;
    while (fields.next() && fields.field < RESULT.events) {
      if (fields.field === RESULT.code) code = fields.uint32();
      else if (fields.field === RESULT.data) data = fields.content();
      else if (fields.field === RESULT.gasUsed) gasUsed = fields.int64();
    }
    return { code, data, gasUsed };
  }

  /** Events of one transaction; empty for an index beyond the last. */
  txEvents(index: number): readonly pb.Event[] {
    const events: pb.Event[] = [];
    if (index >= this.txCount) return events;
    const fields = this.#resultFields(index);
    while (fields.next())
      if (fields.field === RESULT.events) events.push(readEvent(this.bytes, fields.start, fields.end));
    return events;
  }

  /**
   * Encoded deterministic fields of each result (code, data, gas wanted, gas used): the leaves of `last_results_hash`
   * (CometBFT spec, core/data_structures, Header).
   */
  get deterministic(): readonly Uint8Array[] {
    return Array.from({ length: this.txCount }, (_, index) => this.#deterministicPart(index));
  }

  /** Block events, without those of transactions. */
  get events(): readonly pb.Event[] {
    return this.#parts(RESPONSE.events).map((part) => readEvent(part));
  }

  /** Last block event of a type. No other event is decoded. */
  lastEvent(type: string): pb.Event | undefined {
    const part = this.#parts(RESPONSE.events).findLast((event) => eventType(event) === type);
    return part && readEvent(part);
  }

  /** Block events of some types. No other event is decoded. */
  eventsOf(types: ReadonlySet<string>): readonly pb.Event[] {
    return this.#parts(RESPONSE.events)
      .filter((event) => types.has(eventType(event)))
      .map((part) => readEvent(part));
  }

  get validatorUpdates(): readonly pb.ValidatorUpdate[] {
    return this.#parts(RESPONSE.validatorUpdates).map((part) => fromBinary(pb.ValidatorUpdateSchema, part));
  }

  get consensusParamUpdates(): ConsensusParams | undefined {
    const part = this.encodedParamUpdates;
    return part && fromBinary(ConsensusParamsSchema, part);
  }

  /** Encoded `consensusParamUpdates`, for comparison. */
  get encodedParamUpdates(): Uint8Array | undefined {
    return this.#parts(RESPONSE.consensusParamUpdates)[0];
  }

  #parts(field: number): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    const fields = new MessageFields(this.bytes);
    while (fields.next()) if (fields.field === field) parts.push(fields.content());
    return parts;
  }

  #txPlaces(): readonly number[] {
    if (this.#places !== undefined) return this.#places;
    const places: number[] = [];
    const fields = new MessageFields(this.bytes);
    while (fields.next()) if (fields.field === RESPONSE.txResults) places.push(fields.start, fields.end);
    this.#places = places;
    return places;
  }

  #resultFields(index: number): MessageFields {
    const places = this.#txPlaces();
    return new MessageFields(this.bytes, places[2 * index], places[2 * index + 1]);
  }

  #decodeResult(index: number): pb.ExecTxResult {
    const places = this.#txPlaces();
    return fromBinary(pb.ExecTxResultSchema, this.bytes.subarray(places[2 * index], places[2 * index + 1]));
  }

  /** Cuts `log` and `info` out of an encoded result; they are the only fields between the deterministic ones. */
  #deterministicPart(index: number): Uint8Array {
    const fields = this.#resultFields(index);
    let from = this.#txPlaces()[2 * index];
    invariant(from !== undefined, 'the result is there');
    let to = from;
    const before: Uint8Array[] = [];
    while (fields.next() && fields.field < RESULT.events) {
      to = fields.end;
      if (fields.field !== RESULT.log && fields.field !== RESULT.info) continue;
      before.push(this.bytes.subarray(from, fields.begin));
      from = to;
    }
    const rest = this.bytes.subarray(from, to);
    return before.length === 0 ? rest : concatAll([...before, rest]);
  }
}

/** Results before the first block: empty. */
export const NO_RESULTS = new EncodedResults(EMPTY);
