/** Log filter criteria, decoded as in geth (v1.17 `FilterCriteria.UnmarshalJSON` in `eth/filters/api.go`). */
import { DEFAULT_LIMITS } from '../../../core/limits/limits.js';
import { bytesOfDigits } from '../../../core/bytes/hex.js';
import { asObject } from '../../../core/text/json-object.js';
import { BLOCK_NUMBER, type BlockNumberRef, blockNumber } from './block-ref.js';
import { type Field, fieldOf, fieldsOf } from './fields.js';
import { HASH, decodeHash, digitsOf } from './hex.js';
import { type Decoded, type Param, bad, decodeEach, good, required, wrongKind } from './param.js';
import { ADDRESS, HASH as HASH_SCHEMA, type Schema, anyOf, listOf, objectOf, orNull } from '../schema.js';

export interface RawCriteria {
  /** Restricts the filter to one block; excludes `fromBlock` and `toBlock`. */
  readonly blockHash: Uint8Array | undefined;
  readonly from: BlockNumberRef | undefined;
  readonly to: BlockNumberRef | undefined;
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** A log has at most four topics. */
const POSITIONS = 4;
const maximum = DEFAULT_LIMITS.ethFilterAlternatives;
const TOO_MANY_ALTERNATIVES = 'exceed max addresses or topics per search position';

const TERMS = {
  address: anyOf(ADDRESS, listOf(ADDRESS, maximum)),
  topics: listOf(orNull(anyOf(HASH_SCHEMA, listOf(orNull(HASH_SCHEMA), maximum))), POSITIONS),
};
/** Schema of criteria: a range of blocks, or one block. */
export const CRITERIA: Schema = {
  title: 'Filter',
  ...anyOf(
    objectOf({ fromBlock: BLOCK_NUMBER, toBlock: BLOCK_NUMBER, ...TERMS }, []),
    objectOf({ blockHash: HASH_SCHEMA, ...TERMS }, ['blockHash']),
  ),
};

const FIELDS = fieldsOf(
  'input',
  {
    blockHash: { type: HASH, schema: HASH_SCHEMA, decode: decodeHash } satisfies Field<Uint8Array>,
    fromBlock: fieldOf(blockNumber),
    toBlock: fieldOf(blockNumber),
    address: {
      type: '[]common.Address',
      schema: TERMS.address,
      decode: decodeAddresses,
    } satisfies Field<readonly Uint8Array[]>,
    topics: {
      type: '[]interface {}',
      schema: TERMS.topics,
      decode: decodeTopics,
    } satisfies Field<RawCriteria['topics']>,
  },
  'filters.input',
);

/** Decodes a filter object: addresses, topics, and a range of blocks or a block hash. */
export function decodeCriteria(value: unknown): Decoded<RawCriteria> {
  const object = asObject(value) ?? {};
  const names = (name: string): boolean => (object[name] ?? null) !== null;
  if (names('blockHash') && (names('fromBlock') || names('toBlock')))
    return bad('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
  const read = FIELDS.read(value);
  if (!read.ok) return read;
  const { blockHash, fromBlock: from, toBlock: to, address: addresses = [], topics = [] } = read.value;
  return good({ blockHash, from, to, addresses, topics });
}

function decodeAddresses(value: unknown): Decoded<readonly Uint8Array[]> {
  if (typeof value === 'string') {
    const one = decodeBytes(value, 20, 'address');
    return one.ok ? good([one.value]) : bad(`invalid address: ${one.message}`);
  }
  if (!Array.isArray(value)) return bad('invalid addresses in query');
  if (value.length > maximum) return bad(TOO_MANY_ALTERNATIVES);
  return decodeEach(value, (item: unknown, index) => {
    if (typeof item !== 'string') return bad(`non-string address at index ${index}`);
    const one = decodeBytes(item, 20, 'address');
    return one.ok ? one : bad(`invalid address at index ${index}: ${one.message}`);
  });
}

function decodeTopics(value: unknown): Decoded<RawCriteria['topics']> {
  if (!Array.isArray(value)) return wrongKind(value, '[]interface {}', 'input.topics');
  return value.length > POSITIONS ? bad('exceed max topics') : decodeEach(value, decodeTopic);
}

/** Decodes the alternatives at one position; a null among them matches everything. */
function decodeTopic(position: unknown): Decoded<readonly Uint8Array[]> {
  if (position === null) return good([]);
  if (typeof position === 'string') return decodeEach([position], (item) => decodeBytes(item, 32, 'topic'));
  if (!Array.isArray(position)) return bad('invalid topic(s)');
  if (position.length > maximum) return bad(TOO_MANY_ALTERNATIVES);
  const end = position.indexOf(null);
  const alternatives = decodeEach(end < 0 ? position : position.slice(0, end), (item: unknown) =>
    typeof item === 'string' ? decodeBytes(item, 32, 'topic') : bad('invalid topic(s)'),
  );
  return alternatives.ok && end >= 0 ? good([]) : alternatives;
}

/** Decodes like geth's `hexutil.Decode`, then checks the length. */
function decodeBytes(value: string, length: number, what: string): Decoded<Uint8Array> {
  const read = digitsOf(value);
  if (!read.ok) return bad(read.text);
  if (read.digits.length % 2 !== 0) return bad('hex string of odd length');
  const bytes = bytesOfDigits(read.digits);
  if (bytes === undefined) return bad('invalid hex string');
  return bytes.length === length
    ? good(bytes)
    : bad(`hex has invalid length ${bytes.length} after decoding; expected ${length} for ${what}`);
}

export const criteria: Param<RawCriteria> = required('filter', CRITERIA, decodeCriteria);
