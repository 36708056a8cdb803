/** Non-existence proofs: two adjacent neighbours of the absent key (ics23 go v0.11.0 `proof.go`). */
import { compare, equal } from '../../../bytes/bytes.js';
import * as pb from '../../../proto/cosmos/ics23/v1/proofs_pb.js';
import { verifyExistence } from './existence.js';
import { hashOrNoop, type ProofHashes } from './hash-op.js';
import { ProofPanic, ProofProblem, within } from './problem.js';

/** Verifies the absence of a key under a root; throws `ProofProblem` or `ProofPanic`. */
export function verifyAbsence(
  crypto: ProofHashes,
  { left, right }: pb.NonExistenceProof,
  spec: pb.ProofSpec,
  root: Uint8Array,
  key: Uint8Array,
): void {
  if (left !== undefined) within('left proof', () => verifyExistence(crypto, left, spec, root, left));
  if (right !== undefined) within('right proof', () => verifyExistence(crypto, right, spec, root, right));
  const order = (one: Uint8Array, other: Uint8Array): number =>
    compare(comparable(crypto, spec, one), comparable(crypto, spec, other));
  if (right !== undefined && order(key, right.key) >= 0) throw new ProofProblem('key is not left of right proof');
  if (left !== undefined && order(key, left.key) <= 0) throw new ProofProblem('key is not right of left proof');
  if (left === undefined && right === undefined) throw new ProofProblem('both left and right proofs missing');
  if (spec.innerSpec === undefined)
    throw new ProofPanic('runtime error: invalid memory address or nil pointer dereference');
  const children = childrenOf(spec.innerSpec);
  if (left === undefined) {
    if (!isLeftMost(children, right?.path ?? []))
      throw new ProofProblem('left proof missing, right proof must be left-most');
  } else if (right === undefined) {
    if (!isRightMost(children, left.path)) throw new ProofProblem('right proof missing, left proof must be right-most');
  } else if (!isLeftNeighbour(children, left.path, right.path))
    throw new ProofProblem('right proof missing, left proof must be right-most');
}

function comparable(crypto: ProofHashes, spec: pb.ProofSpec, key: Uint8Array): Uint8Array {
  return spec.prehashKeyBeforeComparison
    ? hashOrNoop(crypto, spec.leafSpec?.prehashKey ?? pb.HashOp.NO_HASH, key)
    : key;
}

/** Prefix and suffix lengths around the child of a branch. */
interface Padding {
  readonly least: number;
  readonly most: number;
  readonly suffix: number;
}

/**
 * A spec with the positions of its branches, computed once instead of at each step: the client's creator chooses the
 * specs, so they can have as many branches as fit into a transaction.
 */
interface Children {
  readonly spec: pb.InnerSpec;
  /** First position of each branch. */
  readonly positions: ReadonlyMap<number, number>;
  /** First branch without a position; the number of branches when each has one. */
  readonly missing: number;
}

function childrenOf(spec: pb.InnerSpec): Children {
  const positions = new Map<number, number>();
  for (const [at, branch] of spec.childOrder.entries()) if (!positions.has(branch)) positions.set(branch, at);
  let missing = 0;
  while (missing < spec.childOrder.length && positions.has(missing)) missing += 1;
  return { spec, positions, missing };
}

function positionOf({ spec: { childOrder }, positions }: Children, branch: number): number {
  if (branch < 0 || branch >= childOrder.length) throw new ProofPanic(`invalid branch: ${branch}`);
  const at = positions.get(branch);
  if (at === undefined) throw new ProofPanic(`branch ${branch} not found in order [${childOrder.join(' ')}]`);
  return at;
}

function paddingOf(children: Children, branch: number): Padding {
  const { spec } = children;
  const at = positionOf(children, branch);
  const before = at * spec.childSize;
  return {
    least: before + spec.minPrefixLength,
    most: before + spec.maxPrefixLength,
    suffix: (spec.childOrder.length - 1 - at) * spec.childSize,
  };
}

const hasPadding = ({ prefix, suffix }: pb.InnerOp, padding: Padding): boolean =>
  prefix.length >= padding.least && prefix.length <= padding.most && suffix.length === padding.suffix;

/**
 * Branch that the child of a step is on; undefined when no branch fits. The peer tries branches in order and panics
 * at one without a position.
 */
function branchOf(children: Children, step: pb.InnerOp): number | undefined {
  const { spec, positions, missing } = children;
  const at = spec.childOrder.length - 1 - step.suffix.length / spec.childSize;
  const branch = spec.childOrder[at] ?? -1;
  if (branch >= 0 && branch < missing && positions.get(branch) === at && hasPadding(step, paddingOf(children, branch)))
    return branch;
  if (missing < spec.childOrder.length) positionOf(children, missing);
  return undefined;
}

function isLeftMost(children: Children, path: readonly pb.InnerOp[]): boolean {
  const padding = paddingOf(children, 0);
  return path.every((step) => hasPadding(step, padding) || areLeftEmpty(children, step));
}

function isRightMost(children: Children, path: readonly pb.InnerOp[]): boolean {
  const padding = paddingOf(children, children.spec.childOrder.length - 1);
  return path.every((step) => hasPadding(step, padding) || areRightEmpty(children, step));
}

/** True when all branches left of a step are the spec's empty child. */
function areLeftEmpty(children: Children, step: pb.InnerOp): boolean {
  const count = branchOf(children, step) ?? 0;
  const start = step.prefix.length - count * children.spec.childSize;
  if (count === 0 || start < 0) return false;
  return areEmpty(children, step.prefix.subarray(start), count);
}

function areRightEmpty(children: Children, step: pb.InnerOp): boolean {
  const branch = branchOf(children, step);
  if (branch === undefined) return false;
  const count = children.spec.childOrder.length - 1 - branch;
  if (count === 0 || step.suffix.length !== count * children.spec.childSize) return false;
  return areEmpty(children, step.suffix, count);
}

function areEmpty(children: Children, hashes: Uint8Array, count: number): boolean {
  const { childSize, emptyChild } = children.spec;
  for (let branch = 0; branch < count; branch += 1) {
    const from = positionOf(children, branch) * childSize;
    if (!equal(emptyChild, hashes.subarray(from, from + childSize))) return false;
  }
  return true;
}

/**
 * True when two leaves are adjacent: below the node where their paths diverge, the left path is rightmost and the
 * right path is leftmost.
 */
function isLeftNeighbour(children: Children, left: readonly pb.InnerOp[], right: readonly pb.InnerOp[]): boolean {
  let common = 1;
  for (; ; common += 1) {
    const [one, other] = [left[left.length - common], right[right.length - common]];
    if (one === undefined || other === undefined)
      throw new ProofPanic('runtime error: slice bounds out of range [:-1]');
    if (!equal(one.prefix, other.prefix) || !equal(one.suffix, other.suffix)) {
      const [from, to] = [branchOf(children, one), branchOf(children, other)];
      if (from === undefined || to === undefined) throw new ProofPanic('cannot find any valid spacing for this node');
      if (to !== from + 1) return false;
      break;
    }
  }
  return isRightMost(children, left.slice(0, -common)) && isLeftMost(children, right.slice(0, -common));
}
