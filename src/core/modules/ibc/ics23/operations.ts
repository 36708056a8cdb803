/** Operations from a leaf to the root: hashing, and conformance to a spec (ics23 go v0.11.0 `ops.go`). */
import { concat } from '../../../bytes/bytes.js';
import { HashOp, type InnerOp, type LeafOp, type ProofSpec } from '../../../proto/cosmos/ics23/v1/proofs_pb.js';
import { hashOrNoop, hashWith, type ProofHashes, withLength } from './hash-op.js';
import { ProofProblem } from './problem.js';
import { isIavl } from './specs.js';
import { upperHex } from '../../../bytes/hex.js';

/** Hashes a leaf. */
export function applyLeaf(crypto: ProofHashes, op: LeafOp, key: Uint8Array, value: Uint8Array): Uint8Array {
  if (key.length === 0) throw new ProofProblem('leaf op needs key');
  if (value.length === 0) throw new ProofProblem('leaf op needs value');
  const part = (name: string, hash: HashOp, data: Uint8Array): Uint8Array => {
    try {
      return withLength(op.length, hashOrNoop(crypto, hash, data));
    } catch (error) {
      if (error instanceof ProofProblem) throw new ProofProblem(`prehash ${name}, ${error.message}`);
      throw error;
    }
  };
  const [hashedKey, hashedValue] = [part('key', op.prehashKey, key), part('value', op.prehashValue, value)];
  return hashWith(crypto, op.hash, concat(op.prefix, hashedKey, hashedValue));
}

/** Hashes an inner node from one child's hash. */
export function applyInner(crypto: ProofHashes, op: InnerOp, child: Uint8Array): Uint8Array {
  if (child.length === 0) throw new ProofProblem('inner op needs child value');
  return hashWith(crypto, op.hash, concat(op.prefix, child, op.suffix));
}

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);

/** Requires a leaf operation that conforms to the spec. */
export function checkLeaf(op: LeafOp, spec: ProofSpec): void {
  const { leafSpec } = spec;
  if (leafSpec === undefined) throw new ProofProblem('spec.LeafSpec must be non-nil');
  if (isIavl(spec)) checkIavlPrefix(op, 0);
  if (op.hash !== leafSpec.hash) throw new ProofProblem(`unexpected HashOp: ${op.hash}`);
  if (op.prehashKey !== leafSpec.prehashKey) throw new ProofProblem(`unexpected PrehashKey: ${op.prehashKey}`);
  if (op.prehashValue !== leafSpec.prehashValue) throw new ProofProblem(`unexpected PrehashValue: ${op.prehashValue}`);
  if (op.length !== leafSpec.length) throw new ProofProblem(`unexpected LengthOp: ${op.length}`);
  if (!startsWith(op.prefix, leafSpec.prefix))
    throw new ProofProblem(`leaf Prefix doesn't start with ${upperHex(leafSpec.prefix)}`);
}

/** Requires an inner operation that conforms to the spec; `layer` counts from 1 above the leaf. */
export function checkInner(op: InnerOp, spec: ProofSpec, layer: number): void {
  const { innerSpec, leafSpec } = spec;
  if (innerSpec === undefined) throw new ProofProblem('spec.InnerSpec must be non-nil');
  if (leafSpec === undefined) throw new ProofProblem('spec.LeafSpec must be non-nil');
  if (op.hash !== innerSpec.hash) throw new ProofProblem(`unexpected HashOp: ${op.hash}`);
  if (isIavl(spec)) checkIavlPrefix(op, layer);
  const { length } = op.prefix;
  if (startsWith(op.prefix, leafSpec.prefix))
    throw new ProofProblem(`inner Prefix starts with ${upperHex(leafSpec.prefix)}`);
  const { childSize, childOrder, minPrefixLength, maxPrefixLength } = innerSpec;
  if (length < minPrefixLength) throw new ProofProblem(`innerOp prefix too short (${length})`);
  if (length > maxPrefixLength + (childOrder.length - 1) * childSize)
    throw new ProofProblem(`innerOp prefix too long (${length})`);
  if (childSize <= 0) throw new ProofProblem('spec.InnerSpec.ChildSize must be >= 1');
  if (op.suffix.length % childSize !== 0) throw new ProofProblem('InnerOp suffix malformed');
}

/**
 * Lengths of an inner prefix after its three numbers: a length byte, or one together with the left child and its
 * length byte.
 */
const INNER_RESTS = [1, 34];

/** Requires a valid prefix of an IAVL node: height (at least `layer`), size and version. */
function checkIavlPrefix({ prefix, hash }: LeafOp | InnerOp, layer: number): void {
  let at = 0;
  const numbers = [0, 1, 2].map(() => {
    const read = readVarint(prefix, at);
    ({ at } = read);
    if (read.value < 0n) throw new ProofProblem('wrong value in IAVL leaf op');
    return read.value;
  });
  if ((numbers[0] ?? 0n) < BigInt(layer)) throw new ProofProblem('wrong value in IAVL leaf op');
  const rest = prefix.length - at;
  const isWrong = layer === 0 ? rest !== 0 : !INNER_RESTS.includes(rest) || hash !== HashOp.SHA256;
  if (isWrong) throw new ProofProblem('invalid op');
}

const LONGEST_VARINT = 10;

/** Reads a zig-zag varint, with the error texts of Go's `encoding/binary`. */
function readVarint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly at: number } {
  let raw = 0n;
  for (let length = 0; length < LONGEST_VARINT; length += 1) {
    const byte = bytes[start + length];
    if (byte === undefined) throw new ProofProblem(length === 0 ? 'EOF' : 'unexpected EOF');
    raw |= BigInt(byte & 0x7f) << BigInt(7 * length);
    if (byte < 0x80) {
      if (length === LONGEST_VARINT - 1 && byte > 1) break;
      return { value: (raw >> 1n) ^ -(raw & 1n), at: start + length + 1 };
    }
  }
  throw new ProofProblem('binary: varint overflows a 64-bit integer');
}
