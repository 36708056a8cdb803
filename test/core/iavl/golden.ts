import type { StateWrite } from '../../../src/core/state/state.js';
import { createMultistore, type Multistore } from '../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../src/core/primitives.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { goldenLines } from '../../support/golden.js';

const host = createPureCrypto();
/** Pure SHA-256: five times as fast here as hash objects of Node.js. */
export const crypto = { sha256: (data: Uint8Array): Uint8Array => host.sha256(data) };

export const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
export const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');

interface WritesLine {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}

interface HashesLine {
  readonly height: number;
  readonly app_hash: string;
  readonly stores?: Readonly<Record<string, string>>;
  readonly changed?: Readonly<Record<string, string>>;
}

export interface RecordedHeight {
  readonly height: number;
  readonly writes: readonly StateWrite[];
  readonly appHash: string;
  /** Root of every store after this height, upper-case hex. */
  readonly roots: Readonly<Record<string, string>>;
}

/** Heights 1..714 of chain-a: the writes in the order of the Go node, and the hashes that it computed. */
export function recordedHeights(): readonly RecordedHeight[] {
  const hashes = goldenLines<HashesLine>('chain-a/store-hashes.jsonl');
  let roots: Readonly<Record<string, string>> = {};
  return goldenLines<WritesLine>('chain-a/writes.jsonl').map((line, index) => {
    const recorded = hashes[index];
    if (recorded?.height !== line.height) throw new Error(`no recorded hashes of height ${line.height}`);
    roots = { ...roots, ...recorded.stores, ...recorded.changed };
    const writes = Object.entries(line.writes).flatMap(([store, pairs]) =>
      pairs.map(([key, value]) => ({ store, key: bytes(key), value: value === null ? undefined : bytes(value) })),
    );
    return { height: line.height, writes, appHash: recorded.app_hash, roots };
  });
}

/** A multistore with the values of its keys, also of earlier heights. */
export class RecordedState {
  readonly multistore: Multistore;
  readonly #values = new Map<string, Uint8Array>();
  readonly #history: { readonly height: number; readonly id: string; readonly value: Uint8Array | undefined }[] = [];

  constructor(multistore: Multistore) {
    this.multistore = multistore;
  }

  play(recorded: RecordedHeight): void {
    for (const { store, key, value } of recorded.writes) {
      const id = `${store}/${hex(key)}`;
      this.#history.push({ height: recorded.height, id, value });
      if (value === undefined) this.#values.delete(id);
      else this.#values.set(id, value);
    }
    this.multistore.apply(recorded.writes);
    this.multistore.commit(toHeight(BigInt(recorded.height)));
  }

  readonly valueOf = (store: string, key: Uint8Array): Uint8Array | undefined =>
    this.#values.get(`${store}/${hex(key)}`);

  /** Values at a height: those of the last write at or below it. */
  valueAt(height: number): (store: string, key: Uint8Array) => Uint8Array | undefined {
    return (store, key) =>
      this.#history.findLast((change) => change.height <= height && change.id === `${store}/${hex(key)}`)?.value;
  }
}

export function newRecordedState(stores: readonly string[], provableHeights: number): RecordedState {
  return new RecordedState(createMultistore({ stores, crypto, provableHeights }));
}
