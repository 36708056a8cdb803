/**
 * Proofs that a tree has no key: that of its neighbours, which are next to each other (ics23 go v0.11.0 `proof.go`).
 */
import { compare, equal } from '../../../bytes/bytes.js';
import {
  HashOp,
  type InnerOp,
  type InnerSpec,
  type NonExistenceProof,
  type ProofSpec,
} from '../../../proto/cosmos/ics23/v1/proofs_pb.js';
import { verifyExistence } from './existence.js';
import { hashOrNothing, type ProofHashes } from './hash-op.js';
import { ProofPanic, ProofProblem, within } from './problem.js';

/** Refuses a proof that does not show the absence of a key under a root; throws `ProofProblem` or `ProofPanic`. */
export function verifyAbsence(
  crypto: ProofHashes,
  { left, right }: NonExistenceProof,
  spec: ProofSpec,
  root: Uint8Array,
  key: Uint8Array,
): void {
  if (left !== undefined) within('left proof', () => verifyExistence(crypto, left, spec, root, left));
  if (right !== undefined) within('right proof', () => verifyExistence(crypto, right, spec, root, right));
  const order = (one: Uint8Array, other: Uint8Array): number =>
    compare(comparable(crypto, spec, one), comparable(crypto, spec, other));
  if (right !== undefined && order(key, right.key) >= 0) throw new ProofProblem('key is not left of right proof');
  if (left !== undefined && order(key, left.key) <= 0) throw new ProofProblem('key is not right of left proof');
  const { innerSpec } = spec;
  if (left === undefined && right === undefined) throw new ProofProblem('both left and right proofs missing');
  if (innerSpec === undefined) throw new ProofPanic('runtime error: invalid memory address or nil pointer dereference');
  if (left === undefined) {
    if (!isLeftMost(innerSpec, right?.path ?? []))
      throw new ProofProblem('left proof missing, right proof must be left-most');
  } else if (right === undefined) {
    if (!isRightMost(innerSpec, left.path))
      throw new ProofProblem('right proof missing, left proof must be right-most');
  } else if (!isLeftNeighbour(innerSpec, left.path, right.path))
    throw new ProofProblem('right proof missing, left proof must be right-most');
}

function comparable(crypto: ProofHashes, spec: ProofSpec, key: Uint8Array): Uint8Array {
  return spec.prehashKeyBeforeComparison
    ? hashOrNothing(crypto, spec.leafSpec?.prehashKey ?? HashOp.NO_HASH, key)
    : key;
}

/** Room of a step beside the child of a branch. */
interface Padding {
  readonly least: number;
  readonly most: number;
  readonly suffix: number;
}

function positionOf(order: readonly number[], branch: number): number {
  if (branch < 0 || branch >= order.length) throw new ProofPanic(`invalid branch: ${branch}`);
  const at = order.indexOf(branch);
  if (at === -1) throw new ProofPanic(`branch ${branch} not found in order [${order.join(' ')}]`);
  return at;
}

function paddingOf(spec: InnerSpec, branch: number): Padding {
  const at = positionOf(spec.childOrder, branch);
  const before = at * spec.childSize;
  return {
    least: before + spec.minPrefixLength,
    most: before + spec.maxPrefixLength,
    suffix: (spec.childOrder.length - 1 - at) * spec.childSize,
  };
}

const hasPadding = ({ prefix, suffix }: InnerOp, padding: Padding): boolean =>
  prefix.length >= padding.least && prefix.length <= padding.most && suffix.length === padding.suffix;

/** The branch on which the child of a step is; undefined for a step of no such room. */
function branchOf(spec: InnerSpec, step: InnerOp): number | undefined {
  for (let branch = 0; branch < spec.childOrder.length; branch += 1)
    if (hasPadding(step, paddingOf(spec, branch))) return branch;
  return undefined;
}

function isLeftMost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  const padding = paddingOf(spec, 0);
  return path.every((step) => hasPadding(step, padding) || areLeftEmpty(spec, step));
}

function isRightMost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  const padding = paddingOf(spec, spec.childOrder.length - 1);
  return path.every((step) => hasPadding(step, padding) || areRightEmpty(spec, step));
}

/** True where all branches to the left of a step are the empty child of the spec. */
function areLeftEmpty(spec: InnerSpec, step: InnerOp): boolean {
  const count = branchOf(spec, step) ?? 0;
  const start = step.prefix.length - count * spec.childSize;
  if (count === 0 || start < 0) return false;
  return areEmpty(spec, step.prefix.subarray(start), count);
}

function areRightEmpty(spec: InnerSpec, step: InnerOp): boolean {
  const branch = branchOf(spec, step);
  if (branch === undefined) return false;
  const count = spec.childOrder.length - 1 - branch;
  if (count === 0 || step.suffix.length !== count * spec.childSize) return false;
  return areEmpty(spec, step.suffix, count);
}

function areEmpty({ childOrder, childSize, emptyChild }: InnerSpec, children: Uint8Array, count: number): boolean {
  for (let branch = 0; branch < count; branch += 1) {
    const from = positionOf(childOrder, branch) * childSize;
    if (!equal(emptyChild, children.subarray(from, from + childSize))) return false;
  }
  return true;
}

/** True where nothing is between two leaves: below the node where their paths part, one is rightmost, one leftmost. */
function isLeftNeighbour(spec: InnerSpec, left: readonly InnerOp[], right: readonly InnerOp[]): boolean {
  let common = 1;
  for (; ; common += 1) {
    const [one, other] = [left[left.length - common], right[right.length - common]];
    if (one === undefined || other === undefined)
      throw new ProofPanic('runtime error: slice bounds out of range [:-1]');
    if (!equal(one.prefix, other.prefix) || !equal(one.suffix, other.suffix)) {
      const [from, to] = [branchOf(spec, one), branchOf(spec, other)];
      if (from === undefined || to === undefined) throw new ProofPanic('cannot find any valid spacing for this node');
      if (to !== from + 1) return false;
      break;
    }
  }
  return isRightMost(spec, left.slice(0, -common)) && isLeftMost(spec, right.slice(0, -common));
}
