/**
 * Transactions of the key-value application: `key=value`, `key:value`, and `val=type!key!power`, which gives a
 * validator a power (CometBFT v0.38 `abci/example/kvstore/kvstore.go`).
 */
import { create } from '@bufbuild/protobuf';
import { fromBase64 } from '../../../src/core/bytes/base64.js';
import { text, utf8 } from '../../../src/core/bytes/bytes.js';
import { MAX_TOTAL_POWER } from '../../../src/core/comet/validator-set.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { PublicKey } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';

const VALIDATOR = utf8('val=');
const EQUALS = 0x3d;
const COLON = 0x3a;
/** Bytes of a public key, by the name of its type. */
const KEY_BYTES = { ed25519: 32, secp256k1: 33 } as const;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function isValidatorTransaction(tx: Uint8Array): boolean {
  return startsWith(tx, VALIDATOR);
}

/** True for transactions that a block may hold. */
export function isValidTransaction(tx: Uint8Array): boolean {
  return isValidatorTransaction(tx) ? validatorUpdate(tx) !== undefined : isPair(tx, EQUALS) || isPair(tx, COLON);
}

/** The form in which a block holds a valid transaction: with `=` between key and value. */
export function withEquals(tx: Uint8Array): Uint8Array {
  const at = tx.indexOf(COLON);
  if (at < 0) return tx;
  const changed = tx.slice();
  changed[at] = EQUALS;
  return changed;
}

/** Key and value; without exactly one `=`, both are the whole transaction. */
export function pairOf(tx: Uint8Array): { readonly key: Uint8Array; readonly value: Uint8Array } {
  const at = tx.indexOf(EQUALS);
  if (at < 0 || tx.includes(EQUALS, at + 1)) return { key: tx, value: tx };
  return { key: tx.subarray(0, at), value: tx.subarray(at + 1) };
}

/**
 * The change that `val=type!key!power` asks for: a key of one of the two types in base64, and a power that a set of
 * validators can have, 0 for removal. undefined for any other transaction. The example accepts other types, sizes and
 * powers, with which every node of its chain stops at the block.
 */
export function validatorUpdate(tx: Uint8Array): ValidatorUpdate | undefined {
  if (!isValidatorTransaction(tx)) return undefined;
  const [type, key, power, ...rest] = text(tx.subarray(VALIDATOR.length)).split('!');
  if (type === undefined || key === undefined || power === undefined || rest.length > 0) return undefined;
  if (!BASE64.test(key) || !/^[+-]?[0-9]{1,40}$/.test(power)) return undefined;
  const number = BigInt(power);
  const value = fromBase64(key);
  if (number < 0n || number > MAX_TOTAL_POWER) return undefined;
  if (type !== 'ed25519' && type !== 'secp256k1') return undefined;
  const update = create(ValidatorUpdateSchema, { pubKey: { sum: { case: type, value } }, power: number });
  return isValidKey(update.pubKey) ? update : undefined;
}

/** True for a key of a known type with as many bytes as those keys have. */
export function isValidKey(key: PublicKey | undefined): boolean {
  return key?.sum.case !== undefined && key.sum.value.length === KEY_BYTES[key.sum.case];
}

/** Exactly one separator, of one kind, neither at the beginning nor at the end. */
function isPair(tx: Uint8Array, separator: typeof EQUALS | typeof COLON): boolean {
  const at = tx.indexOf(separator);
  if (at <= 0 || at === tx.length - 1) return false;
  return !tx.includes(separator, at + 1) && !tx.includes(separator === EQUALS ? COLON : EQUALS);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
