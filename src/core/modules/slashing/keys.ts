/** Keys of store `slashing` (cosmos-sdk v0.53 `x/slashing/types/keys.go`). */
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { concat, lengthPrefixed } from '../../bytes/bytes.js';

export const STORE = 'slashing';

export const PARAMS_KEY = Uint8Array.of(0);
export const SIGNING_INFO_PREFIX = Uint8Array.of(1);
const BITMAP_PREFIX = Uint8Array.of(2);
const PUBLIC_KEY_PREFIX = Uint8Array.of(3);

/** Key of the signing info of a consensus address. */
export const signingInfoKey = (consensus: Uint8Array): Uint8Array =>
  concat(SIGNING_INFO_PREFIX, lengthPrefixed(consensus));
/** Consensus address in the key of a signing info. */
export const consensusOfKey = (key: Uint8Array): Uint8Array => key.subarray(2);

/** Prefix of a validator's missed-block bitmap chunks. */
export const bitmapsOf = (consensus: Uint8Array): Uint8Array => concat(BITMAP_PREFIX, lengthPrefixed(consensus));
/** Key of a bitmap chunk; its number is little-endian. */
export const bitmapKey = (consensus: Uint8Array, chunk: bigint): Uint8Array =>
  concat(bitmapsOf(consensus), be64(chunk).reverse());
/** Number of a chunk from its key. */
export const chunkOfKey = (key: Uint8Array): bigint => readBe64(key.slice(-8).reverse());

/** Key of the public key of a consensus address. */
export const publicKeyKey = (consensus: Uint8Array): Uint8Array => concat(PUBLIC_KEY_PREFIX, lengthPrefixed(consensus));
