/** References to blocks: numbers, tags, hashes, and the objects of EIP-1898. */
import { isObject } from '../envelope.js';
import { HASH, decodeHash, readQuantity } from './hex.js';
import { type Decoded, type Param, bad, good, required } from './param.js';

export type BlockTag = 'earliest' | 'latest' | 'pending' | 'safe' | 'finalized';

export type BlockRef =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array };

/** A reference that is not a hash. */
export type BlockNumberRef = Exclude<BlockRef, { readonly kind: 'hash' }>;

export const LATEST: BlockNumberRef = { kind: 'tag', tag: 'latest' };

const TAGS: ReadonlySet<string> = new Set<BlockTag>(['earliest', 'latest', 'pending', 'safe', 'finalized']);
const MAXIMUM = (1n << 63n) - 1n;

function isTag(value: string): value is BlockTag {
  return TAGS.has(value);
}

/** geth `rpc.BlockNumber`: bare texts, without a Go type around them. */
export function decodeBlockNumber(value: unknown): Decoded<BlockNumberRef> {
  if (typeof value === 'string' && isTag(value)) return good({ kind: 'tag', tag: value });
  const read = readQuantity(typeof value === 'string' ? value : String(JSON.stringify(value)), 64);
  if (!read.ok) return bad(read.text);
  return read.value > MAXIMUM ? bad('block number larger than int64') : good({ kind: 'number', number: read.value });
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

export const blockNumber: Param<BlockNumberRef> = required('block', decodeBlockNumber);
export const blockRef: Param<BlockRef> = required('block', decodeBlockRef);
