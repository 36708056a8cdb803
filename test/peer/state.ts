/** Finds where the states of both nodes differ: stores with different roots, and keys in them. */
import { fromBinary } from '@bufbuild/protobuf';
import { hex } from '../../src/core/bytes/hex.js';
import { CommitmentProofSchema } from '../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';
import { evmd as preset } from '../../src/core/peers/evmd/preset.js';
import type { Pair } from './pair.js';

/** Number of keys that are named for each store. */
const NAMED = 12;

/** Stores with different roots, and keys that differ in evmd; keys that only this program has are not found. */
export async function stateDifferences(pair: Pair): Promise<readonly string[]> {
  const found: string[] = [];
  for (const store of preset.stores) {
    const [ours, theirs] = await rootsOf(pair, store);
    if (ours === theirs) continue;
    const keys = await keysOf(pair, store, otherValue);
    const moved = keys.length > 0 ? keys : await keysOf(pair, store, otherLeaf);
    found.push(`store ${store}:`, ...(moved.length > 0 ? moved : ['  keys of ours only, or other shapes of trees']));
  }
  return found;
}

async function rootsOf(pair: Pair, store: string): Promise<readonly (string | undefined)[]> {
  const { ours, theirs } = await pair.query(`/store/${store}/key`, Uint8Array.of(0), pair.height(), true);
  return [ours.proofOps, theirs.proofOps?.ops].map((ops) => {
    const last = ops?.at(-1);
    if (last === undefined) return undefined;
    const { proof } = fromBinary(CommitmentProofSchema, last.data);
    return proof.case === 'exist' ? hex(proof.value.value) : 'none';
  });
}

type Difference = (pair: Pair, store: string, key: Uint8Array, theirs: Uint8Array) => Promise<string | undefined>;

async function otherValue(pair: Pair, store: string, key: Uint8Array, theirs: Uint8Array): Promise<string | undefined> {
  const { ours } = await pair.query(`/store/${store}/key`, key, pair.height());
  if (hex(ours.value) === hex(theirs)) return undefined;
  return `ours ${hex(ours.value).slice(0, 400) || 'none'}, theirs ${hex(theirs).slice(0, 400)}`;
}

/** Leaves hold the height of their last write, so a rewrite by only one node shows. */
async function otherLeaf(pair: Pair, store: string, key: Uint8Array): Promise<string | undefined> {
  const { ours, theirs } = await pair.query(`/store/${store}/key`, key, pair.height(), true);
  const [our, their] = [ours.proofOps, theirs.proofOps?.ops].map((ops) => leafOf(ops?.[0]?.data));
  return our === their ? undefined : `leaf of ours ${our}, of theirs ${their}`;
}

function leafOf(data: Uint8Array | undefined): string {
  const { proof } = fromBinary(CommitmentProofSchema, data ?? new Uint8Array());
  return proof.case === 'exist' ? hex(proof.value.leaf?.prefix ?? new Uint8Array()) : 'none';
}

/** Keys of evmd's store that differ. */
async function keysOf(pair: Pair, store: string, difference: Difference): Promise<readonly string[]> {
  const found: string[] = [];
  for (let first = 0; first < 256 && found.length < NAMED; first += 1) {
    const { value } = await pair.evmd.call({
      case: 'query',
      value: { path: `/store/${store}/subspace`, data: Uint8Array.of(first), height: pair.height() },
    });
    for (const [key, theirs] of pairsOf(value)) {
      const other = await difference(pair, store, key, theirs);
      if (other !== undefined) found.push(`  ${hex(key)}: ${other}`);
    }
  }
  return found;
}

/** The pairs of `kv.Pairs` (cosmossdk.io/store v1.1.2 `internal/kv`): a list of key and value. */
function pairsOf(encoded: Uint8Array): readonly (readonly [Uint8Array, Uint8Array])[] {
  return fieldsOf(encoded).map((pair) => {
    const [key = new Uint8Array(), value = new Uint8Array()] = fieldsOf(pair);
    return [key, value];
  });
}

/** The contents of fields that are all of bytes. */
function fieldsOf(encoded: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  while (at < encoded.length) {
    at += 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = encoded[at] ?? 0;
      length |= (byte & 0x7f) << shift;
      at += 1;
      if (byte < 0x80) break;
    }
    found.push(encoded.subarray(at, at + length));
    at += length;
  }
  return found;
}
