/** Block parameters: numbers, tags, hashes, and EIP-1898 objects. */
import { MAX_INT64 } from '../../../core/bigint.js';
import { isObject } from '../../../core/text/json-object.js';
import { HASH, decodeHash, hash, readQuantity } from './hex.js';
import { type Decoded, type Param, bad, good, required } from './param.js';
import { BOOLEAN, HASH as HASH_SCHEMA, type Schema, anyOf, objectOf } from '../schema.js';

export type BlockTag = 'earliest' | 'latest' | 'pending' | 'safe' | 'finalized';

export type BlockRef =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array };

/** A block reference by number or tag. */
export type BlockNumberRef = Exclude<BlockRef, { readonly kind: 'hash' }>;

export const LATEST: BlockNumberRef = { kind: 'tag', tag: 'latest' };

const TAGS: readonly BlockTag[] = ['earliest', 'latest', 'pending', 'safe', 'finalized'];

/** Schema of a tag, or a quantity of at most 63 bits. */
export const BLOCK_NUMBER: Schema = {
  title: 'BlockNumberOrTag',
  type: 'string',
  pattern: `^(${TAGS.join('|')}|0x(0|[1-9a-fA-F][0-9a-fA-F]{0,14}|[1-7][0-9a-fA-F]{15}))$`,
};
const BLOCK: Schema = {
  title: 'Block',
  ...anyOf(
    BLOCK_NUMBER,
    HASH_SCHEMA,
    objectOf({ blockHash: HASH_SCHEMA, requireCanonical: BOOLEAN }, ['blockHash']),
    objectOf({ blockNumber: BLOCK_NUMBER }),
  ),
};

function isTag(value: string): value is BlockTag {
  return TAGS.some((tag) => tag === value);
}

/** Ethermint's numeric tags (v0.14 `rpc/types/block.go`), which its clients send in decimal and hex. */
const NUMBERED_TAGS: ReadonlyMap<string, BlockTag> = new Map([
  ['-1', 'latest'],
  ['-0x1', 'latest'],
  ['-2', 'pending'],
  ['-0x2', 'pending'],
]);

/**
 * Decodes geth's `rpc.BlockNumber`, with its error texts. Also accepts JSON numbers (as anvil), and decimal texts and
 * numeric tags (as ethermint).
 */
export function decodeBlockNumber(value: unknown): Decoded<BlockNumberRef> {
  if (typeof value === 'string' && isTag(value)) return good({ kind: 'tag', tag: value });
  const tag = typeof value === 'string' || typeof value === 'number' ? NUMBERED_TAGS.get(String(value)) : undefined;
  if (tag !== undefined) return good({ kind: 'tag', tag });
  const decimal = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof decimal === 'string' && /^[0-9]{1,19}$/u.test(decimal) && BigInt(decimal) <= MAX_INT64)
    return good({ kind: 'number', number: BigInt(decimal) });
  const read = readQuantity(typeof value === 'string' ? value : String(JSON.stringify(value)), 64);
  if (!read.ok) return bad(read.text);
  return read.value > MAX_INT64 ? bad('block number larger than int64') : good({ kind: 'number', number: read.value });
}

function decodeBlockRef(value: unknown): Decoded<BlockRef> {
  if (isObject(value)) {
    const { blockNumber: number = null, blockHash = null } = value;
    if (number !== null && blockHash !== null)
      return bad('cannot specify both BlockHash and BlockNumber, choose one or the other');
    if (blockHash !== null) return asHash(decodeHash(blockHash, { type: HASH, field: 'erased.blockHash' }));
    return number === null ? bad('neither BlockHash nor BlockNumber is specified') : decodeBlockNumber(number);
  }
  return typeof value === 'string' && value.length === 66
    ? asHash(decodeHash(value, { type: HASH }))
    : decodeBlockNumber(value);
}

function asHash(decoded: Decoded<Uint8Array>): Decoded<BlockRef> {
  return decoded.ok ? good({ kind: 'hash', hash: decoded.value }) : decoded;
}

/** True for the tag `pending`. */
export function isPending(ref: BlockRef | undefined): boolean {
  return ref?.kind === 'tag' && ref.tag === 'pending';
}

export const blockNumber: Param<BlockNumberRef> = {
  ...required('block', BLOCK_NUMBER, decodeBlockNumber),
  isPending,
};
export const blockHash: Param<BlockRef> = required(hash.label, hash.schema, (value) => asHash(hash.decode(value)));
export const blockRef: Param<BlockRef> = { ...required('block', BLOCK, decodeBlockRef), isPending };
