/** Filter criteria as geth reads them (v1.17 `FilterCriteria.UnmarshalJSON` in `eth/filters/api.go`). */
import { DEFAULT_LIMITS } from '../../../core/limits/limits.js';
import { bytesOfDigits } from '../../../core/bytes/hex.js';
import { isObject } from '../envelope.js';
import { BLOCK_NUMBER, type BlockNumberRef, decodeBlockNumber } from './block-ref.js';
import { HASH, decodeHash } from './hex.js';
import { type Decoded, type Param, bad, good, kindOf, required } from './param.js';
import { ADDRESS, HASH as HASH_SCHEMA, type Schema, anyOf, listOf, objectOf, orNull } from '../schema.js';

export interface RawCriteria {
  /** Restricts the filter to this block; excludes the bounds. */
  readonly blockHash: Uint8Array | undefined;
  readonly from: BlockNumberRef | undefined;
  readonly to: BlockNumberRef | undefined;
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** Logs have at most four topics. */
const POSITIONS = 4;
const most = DEFAULT_LIMITS.ethFilterAlternatives;
const TERMS = {
  address: anyOf(ADDRESS, listOf(ADDRESS, most)),
  topics: listOf(orNull(anyOf(HASH_SCHEMA, listOf(orNull(HASH_SCHEMA), most))), POSITIONS),
};
/** Logs in a range of blocks, or in one block. */
export const CRITERIA: Schema = {
  title: 'Filter',
  ...anyOf(
    objectOf({ fromBlock: BLOCK_NUMBER, toBlock: BLOCK_NUMBER, ...TERMS }, []),
    objectOf({ blockHash: HASH_SCHEMA, ...TERMS }, ['blockHash']),
  ),
};
const TOO_MANY_ALTERNATIVES = 'exceed max addresses or topics per search position';

/** Decodes a filter object: addresses, topics, and a range of blocks or a block hash. */
export function decodeCriteria(value: unknown): Decoded<RawCriteria> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type filters.input`);
  const { blockHash = null, fromBlock = null, toBlock = null } = value;
  if (blockHash !== null && (fromBlock !== null || toBlock !== null))
    return bad('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
  const hash = blockHash === null ? good(undefined) : decodeHash(blockHash, { type: HASH, field: 'input.blockHash' });
  if (!hash.ok) return hash;
  const from = fromBlock === null ? good(undefined) : decodeBlockNumber(fromBlock);
  if (!from.ok) return from;
  const to = toBlock === null ? good(undefined) : decodeBlockNumber(toBlock);
  if (!to.ok) return to;
  const addresses = decodeAddresses(value['address'] ?? null);
  if (!addresses.ok) return addresses;
  const topics = decodeTopics(value['topics'] ?? null);
  if (!topics.ok) return topics;
  return good({
    blockHash: hash.value,
    from: from.value,
    to: to.value,
    addresses: addresses.value,
    topics: topics.value,
  });
}

function decodeAddresses(value: unknown): Decoded<readonly Uint8Array[]> {
  if (value === null) return good([]);
  if (typeof value === 'string') {
    const one = decodeBytes(value, 20, 'address');
    return one.ok ? good([one.value]) : bad(`invalid address: ${one.message}`);
  }
  if (!Array.isArray(value)) return bad('invalid addresses in query');
  if (value.length > most) return bad(TOO_MANY_ALTERNATIVES);
  const addresses: Uint8Array[] = [];
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string') return bad(`non-string address at index ${index}`);
    const one = decodeBytes(item, 20, 'address');
    if (!one.ok) return bad(`invalid address at index ${index}: ${one.message}`);
    addresses.push(one.value);
  }
  return good(addresses);
}

function decodeTopics(value: unknown): Decoded<readonly (readonly Uint8Array[])[]> {
  if (value === null) return good([]);
  if (!Array.isArray(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field input.topics of type []interface {}`);
  if (value.length > POSITIONS) return bad('exceed max topics');
  const topics: (readonly Uint8Array[])[] = [];
  for (const position of value) {
    const alternatives = decodeTopic(position);
    if (!alternatives.ok) return alternatives;
    topics.push(alternatives.value);
  }
  return good(topics);
}

/** Alternatives at one position; a null among them makes the position match everything. */
function decodeTopic(position: unknown): Decoded<readonly Uint8Array[]> {
  if (position === null) return good([]);
  if (typeof position === 'string') {
    const one = decodeBytes(position, 32, 'topic');
    return one.ok ? good([one.value]) : one;
  }
  if (!Array.isArray(position)) return bad('invalid topic(s)');
  if (position.length > most) return bad(TOO_MANY_ALTERNATIVES);
  const alternatives: Uint8Array[] = [];
  for (const item of position) {
    if (item === null) return good([]);
    if (typeof item !== 'string') return bad('invalid topic(s)');
    const one = decodeBytes(item, 32, 'topic');
    if (!one.ok) return one;
    alternatives.push(one.value);
  }
  return good(alternatives);
}

/** geth's `hexutil.Decode` with the length checked afterwards. */
function decodeBytes(value: string, length: number, what: string): Decoded<Uint8Array> {
  if (value === '') return bad('empty hex string');
  if (!/^0[xX]/u.test(value)) return bad('hex string without 0x prefix');
  const digits = value.slice(2);
  if (digits.length % 2 !== 0) return bad('hex string of odd length');
  const bytes = bytesOfDigits(digits);
  if (bytes === undefined) return bad('invalid hex string');
  return bytes.length === length
    ? good(bytes)
    : bad(`hex has invalid length ${bytes.length} after decoding; expected ${length} for ${what}`);
}

export const criteria: Param<RawCriteria> = required('filter', CRITERIA, decodeCriteria);
