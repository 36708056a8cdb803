import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { incrementProposerPriority } from '../../core/comet/proposer-priority.js';
import { invariant } from '../../core/errors.js';
import type { KeyValue, KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { ConsensusParamsSchema, type ConsensusParams } from '../../core/proto/tendermint/types/params_pb.js';
import { ValidatorSetSchema, type ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import { concat } from '../../core/bytes/bytes.js';
import { allRows } from '../rows/all-rows.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

const KINDS = { validators: 0, consensusParams: 1 } as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES: readonly Kind[] = ['validators', 'consensusParams'];
/**
 * After how many heights a change made by a block takes effect (CometBFT spec, core/data_structures, Header:
 * NextValidatorsHash).
 */
const AHEAD: Readonly<Record<Kind, bigint>> = { validators: 2n, consensusParams: 1n };

/**
 * An unchanged validator set is stored again after this many heights, so that a read computes a bounded number of
 * proposer rotations.
 */
const TURNS_MAX = 1_000n;

/**
 * Validator sets and consensus parameters at any height. A row is written only at heights where they change; the list
 * of these heights is small and is kept in memory.
 */
export class History {
  readonly #store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly #heights: Record<Kind, Height[]> = { validators: [], consensusParams: [] };

  /** The consensus parameters read last: every block reads those of the head, which rarely change. */
  #params: { readonly from: Height; readonly params: ConsensusParams } | undefined;

  private constructor(store: Pick<KeyValueStore, 'get' | 'range'>) {
    this.#store = store;
  }

  static async open(store: Pick<KeyValueStore, 'get' | 'range'>): Promise<History> {
    const history = new History(store);
    for (const kind of KIND_NAMES) {
      const end = Uint8Array.of(PREFIX.history, KINDS[kind] + 1);
      const rows = await allRows(store, rowKey(kind, toHeight(0n)), end);
      for (const { key } of rows) history.#heights[kind].push(toHeight(readU64(key, 2)));
    }
    return history;
  }

  /**
   * Rows that store the validator set of `height`, for the batch of its block; empty when only the proposer rotated.
   */
  validatorRows(height: Height, set: ValidatorSet, changed: boolean): readonly StoreOperation[] {
    const last = this.#heights.validators.at(-1);
    if (!changed && last !== undefined && height - last < TURNS_MAX) return [];
    return [{ type: 'put', key: rowKey('validators', height), value: toBinary(ValidatorSetSchema, set) }];
  }

  consensusParamsRows(height: Height, params: ConsensusParams): readonly StoreOperation[] {
    return [{ type: 'put', key: rowKey('consensusParams', height), value: toBinary(ConsensusParamsSchema, params) }];
  }

  /** Operations that replace all rows by the sets and parameters of a snapshot restored at `height`. */
  restoredRows(
    height: Height,
    after: {
      readonly validators: ValidatorSet;
      readonly nextValidators: ValidatorSet;
      readonly consensusParams: ConsensusParams;
    },
  ): readonly StoreOperation[] {
    const { validators, nextValidators, consensusParams } = after;
    return [
      ...this.keys().map((key): StoreOperation => ({ type: 'delete', key })),
      ...this.validatorRows(toHeight(height + 1n), validators, true),
      ...this.validatorRows(toHeight(height + 2n), nextValidators, true),
      ...this.consensusParamsRows(toHeight(height + 1n), consensusParams),
    ];
  }

  /** Makes the rows of `restoredRows` visible; call it after their batch has returned. */
  restored(height: Height): void {
    this.#params = undefined;
    this.#heights.validators = [toHeight(height + 1n), toHeight(height + 2n)];
    this.#heights.consensusParams = [toHeight(height + 1n)];
  }

  /**
   * Heights of the rows that a reader of blocks after `height` needs, including rows for later heights known at
   * `height`.
   */
  #held(kind: Kind, height: Height): readonly Height[] {
    const first = this.#last(kind, toHeight(height + 1n));
    return this.#heights[kind].filter((from) => first !== undefined && from >= first && from <= height + AHEAD[kind]);
  }

  /** The rows that a log pruned up to `height` still needs. */
  heldRows(height: Height): readonly KeyValue[] {
    return KIND_NAMES.flatMap((kind) => this.#held(kind, height).map((from) => rowKey(kind, from))).flatMap((key) => {
      const value = this.#store.get(key);
      return value === undefined ? [] : [{ key, value }];
    });
  }

  /** Operations that delete the rows older than `heldRows(height)`. */
  obsoleteRows(height: Height): readonly StoreOperation[] {
    return KIND_NAMES.flatMap((kind) => {
      const [first] = this.#held(kind, height);
      const obsolete = this.#heights[kind].filter((from) => first !== undefined && from < first);
      return obsolete.map((from): StoreOperation => ({ type: 'delete', key: rowKey(kind, from) }));
    });
  }

  /** Drops the rows of `obsoleteRows` from memory; call it after their batch has returned. */
  obsolete(height: Height): void {
    for (const kind of KIND_NAMES) {
      const [first] = this.#held(kind, height);
      if (first !== undefined) this.#heights[kind] = this.#heights[kind].filter((from) => from >= first);
    }
  }

  /** Keys of all rows that were made visible. */
  keys(): readonly Uint8Array[] {
    return KIND_NAMES.flatMap((kind) => this.#heights[kind].map((height) => rowKey(kind, height)));
  }

  /** Makes rows visible after their batch has returned. */
  published(rows: readonly StoreOperation[]): void {
    if (rows.length > 0) this.#params = undefined;
    for (const { key } of rows) {
      const kind = key[1] === KINDS.validators ? 'validators' : 'consensusParams';
      const height = toHeight(readU64(key, 2));
      const last = this.#heights[kind].at(-1);
      invariant(last === undefined || last <= height, 'history grows upwards');
      if (last !== height) this.#heights[kind].push(height);
    }
  }

  /**
   * Operations that delete the rows written by blocks above `height`: validators take effect two heights later,
   * parameters one.
   */
  revertRows(height: Height): readonly StoreOperation[] {
    return KIND_NAMES.flatMap((kind) =>
      this.#heights[kind]
        .filter((from) => from > height + AHEAD[kind])
        .map((from): StoreOperation => ({ type: 'delete', key: rowKey(kind, from) })),
    );
  }

  /** Drops the rows of `revertRows` from memory; call it after their batch has returned. */
  reverted(height: Height): void {
    this.#params = undefined;
    for (const kind of KIND_NAMES)
      this.#heights[kind] = this.#heights[kind].filter((from) => from <= height + AHEAD[kind]);
  }

  /** The validator set that signs block `height`, with its proposer priorities; undefined below the first height. */
  validators(height: Height): ValidatorSet | undefined {
    const from = this.#last('validators', height);
    const row = from === undefined ? undefined : this.#store.get(rowKey('validators', from));
    if (from === undefined || row === undefined) return undefined;
    const set = fromBinary(ValidatorSetSchema, row);
    return height === from ? set : incrementProposerPriority(set, Number(height - from));
  }

  consensusParams(height: Height): ConsensusParams | undefined {
    const from = this.#last('consensusParams', height);
    if (from === undefined) return undefined;
    if (this.#params?.from === from) return this.#params.params;
    const row = this.#store.get(rowKey('consensusParams', from));
    if (row === undefined) return undefined;
    this.#params = { from, params: fromBinary(ConsensusParamsSchema, row) };
    return this.#params.params;
  }

  #last(kind: Kind, height: Height): Height | undefined {
    const heights = this.#heights[kind];
    let low = 0;
    let high = heights.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = heights[middle];
      if (at !== undefined && at <= height) low = middle + 1;
      else high = middle;
    }
    return heights[low - 1];
  }
}

/** True when the block before this height changed the consensus parameters. */
export function paramsChangedBefore(store: Pick<KeyValueStore, 'get'>, height: Height): boolean {
  return store.get(rowKey('consensusParams', height)) !== undefined;
}

function rowKey(kind: Kind, height: Height): Uint8Array {
  return concat(Uint8Array.of(PREFIX.history, KINDS[kind]), be64(height));
}
