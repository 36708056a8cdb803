import { createHash } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { CommitmentProofSchema, type ExistenceProof } from '../../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';

/** The limits of ics23's IAVL and Tendermint proof specs, which an IBC client accepts. */
interface Spec {
  readonly childBytes: number;
  readonly minimumPrefix: number;
  readonly maximumPrefix: number;
}
const IAVL: Spec = { childBytes: 33, minimumPrefix: 4, maximumPrefix: 12 };
const SIMPLE: Spec = { childBytes: 32, minimumPrefix: 1, maximumPrefix: 1 };

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

export interface Op {
  readonly type: string;
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * Checks both ops of an abci_query proof against an app hash; an undefined value means absence of the key. Returns
 * the problem, or 'verified'.
 */
export function verifyOps(
  ops: readonly Op[],
  appHash: Uint8Array,
  store: string,
  key: Uint8Array,
  value: Uint8Array | undefined,
): string {
  const [inStore, ofStore] = ops;
  if (ops.length !== 2 || inStore?.type !== 'ics23:iavl' || ofStore?.type !== 'ics23:simple') return 'wrong links';
  if (!same(inStore.key, key) || !same(ofStore.key, Buffer.from(store))) return 'wrong keys of links';
  const outer = fromBinary(CommitmentProofSchema, ofStore.data).proof;
  if (outer.case !== 'exist' || !same(outer.value.key, Buffer.from(store))) return 'the store is not proved';
  if (!rootOf(outer.value, SIMPLE)?.equals(appHash)) return 'the store does not lead to the app hash';
  const storeRoot = outer.value.value;
  const inner = fromBinary(CommitmentProofSchema, inStore.data).proof;
  if (value !== undefined) {
    if (inner.case !== 'exist' || !same(inner.value.key, key) || !same(inner.value.value, value))
      return 'another key or value is proved';
    return rootOf(inner.value, IAVL)?.equals(storeRoot) === true ? 'verified' : 'the key does not lead to the root';
  }
  if (inner.case !== 'nonexist' || !same(inner.value.key, key)) return 'absence is not proved';
  const { left, right } = inner.value;
  if (left === undefined && right === undefined)
    return storeRoot.length === 32 && same(storeRoot, sha256(new Uint8Array())) ? 'verified' : 'no neighbour';
  for (const neighbour of [left, right]) {
    if (neighbour !== undefined && rootOf(neighbour, IAVL)?.equals(storeRoot) !== true)
      return 'a neighbour does not lead to the root';
  }
  if (left !== undefined && Buffer.compare(left.key, key) >= 0) return 'the left neighbour is not smaller';
  if (right !== undefined && Buffer.compare(right.key, key) <= 0) return 'the right neighbour is not greater';
  return adjacent(left && turns(left), right && turns(right)) ? 'verified' : 'the neighbours are not adjacent';
}

function rootOf(proof: ExistenceProof, spec: Spec): Buffer | undefined {
  const { leaf } = proof;
  if (
    leaf === undefined ||
    leaf.hash !== 1 ||
    leaf.prehashKey !== 0 ||
    leaf.prehashValue !== 1 ||
    leaf.length !== 1 ||
    leaf.prefix[0] !== 0
  )
    return undefined;
  let hash = sha256(Buffer.concat([leaf.prefix, prefixed(proof.key), prefixed(sha256(proof.value))]));
  for (const step of proof.path) {
    const tooLong =
      step.prefix.length > spec.maximumPrefix + spec.childBytes || step.prefix.length < spec.minimumPrefix;
    if (step.hash !== 1 || tooLong || step.suffix.length % spec.childBytes !== 0 || step.prefix[0] === 0)
      return undefined;
    hash = sha256(Buffer.concat([step.prefix, hash, step.suffix]));
  }
  return hash;
}

/** Turns from the root down to the leaf. */
function turns(proof: ExistenceProof): readonly ('left' | 'right')[] {
  return proof.path.map((step): 'left' | 'right' => (step.suffix.length > 0 ? 'left' : 'right')).toReversed();
}

function adjacent(
  left: readonly ('left' | 'right')[] | undefined,
  right: readonly ('left' | 'right')[] | undefined,
): boolean {
  if (left === undefined) return right?.every((turn) => turn === 'left') ?? false;
  if (right === undefined) return left.every((turn) => turn === 'right');
  let fork = 0;
  while (left[fork] === right[fork] && fork < left.length) fork += 1;
  return (
    left[fork] === 'left' &&
    right[fork] === 'right' &&
    left.slice(fork + 1).every((turn) => turn === 'right') &&
    right.slice(fork + 1).every((turn) => turn === 'left')
  );
}

function prefixed(value: Uint8Array): Buffer {
  const length: number[] = [];
  for (let rest = value.length; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.concat([Buffer.from(length), value]);
  }
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
