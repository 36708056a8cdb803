/**
 * State of the key-value application, and the rows that keep it: keys and values of the rows are those of CometBFT
 * v0.38 `abci/example/kvstore/kvstore.go`.
 */
import { toBinary } from '@bufbuild/protobuf';
import { concat, text, utf8 } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { invariant } from '../../../src/core/errors.js';
import { type Height, toHeight } from '../../../src/core/primitives.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';

export interface KvState {
  /** Transactions that were executed so far; the app hash is made of it. */
  readonly size: bigint;
  readonly height: Height;
  /** By public key, lower-case hex. */
  readonly validators: ReadonlyMap<string, ValidatorUpdate>;
}

export const EMPTY_STATE: KvState = { size: 0n, height: toHeight(0n), validators: new Map() };

/** Row of size and height. */
export const STATE_ROW = utf8('stateKey');
/** First bytes of the rows of validators; the public key follows. */
const VALIDATOR_ROWS = utf8('val=');
/** All rows of validators: `>` follows `=`. */
export const VALIDATOR_RANGE = { start: VALIDATOR_ROWS, end: utf8('val>') } as const;
const PAIR_ROWS = utf8('kvPairKey:');
const HASH_BYTES = 8;

export function pairRow(key: Uint8Array): Uint8Array {
  return concat(PAIR_ROWS, key);
}

export function validatorRow(publicKey: Uint8Array): Uint8Array {
  return concat(VALIDATOR_ROWS, publicKey);
}

/** The public key of a validator; every update that is kept has one. */
export function keyOf({ pubKey }: ValidatorUpdate): Uint8Array {
  const sum = pubKey?.sum;
  invariant(sum?.case !== undefined, 'a validator has a public key');
  return sum.value;
}

export function withValidator(
  validators: ReadonlyMap<string, ValidatorUpdate>,
  update: ValidatorUpdate,
): ReadonlyMap<string, ValidatorUpdate> {
  const changed = new Map(validators);
  const key = hex(keyOf(update));
  if (update.power === 0n) changed.delete(key);
  else changed.set(key, update);
  return changed;
}

/** The row's value: size and height as JSON. */
export function encodeState({ size, height }: KvState): Uint8Array {
  return utf8(`{"size":${size},"height":${height}}`);
}

/** Size and height of a row that `encodeState` wrote. */
export function decodeState(row: Uint8Array): Pick<KvState, 'size' | 'height'> {
  const match = /^\{"size":([0-9]+),"height":([0-9]+)\}$/.exec(text(row));
  invariant(match !== null, 'the row of the state is as it was written');
  return { size: BigInt(match[1] ?? ''), height: toHeight(BigInt(match[2] ?? '')) };
}

/** The row's value: the update with its length before it, which is below 128. */
export function encodeValidator(update: ValidatorUpdate): Uint8Array {
  const message = toBinary(ValidatorUpdateSchema, update);
  return concat(Uint8Array.of(message.length), message);
}

/** The app hash: the size as a signed varint in 8 bytes (Go's `binary.PutVarint`). */
export function appHashOf({ size }: Pick<KvState, 'size'>): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  let rest = size * 2n;
  let at = 0;
  for (; rest > 0x7fn; rest >>= 7n) {
    hash[at] = Number(rest & 0x7fn) | 0x80;
    at += 1;
  }
  invariant(at < HASH_BYTES, 'the size fits the app hash');
  hash[at] = Number(rest);
  return hash;
}
