/** Merkle proofs of present and absent keys: those of this program's trees verify, and changed ones do not. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat, utf8 } from '../../../../src/core/bytes/bytes.js';
import { iavlSpec, simpleSpec } from '../../../../src/core/modules/ibc/ics23/specs.js';
import {
  type Commitment,
  decodeProofs,
  verifyMembership,
  verifyNonMembership,
} from '../../../../src/core/modules/ibc/merkle-proof.js';
import { createMultistore } from '../../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../../src/core/primitives.js';
import {
  type CommitmentProof,
  CommitmentProofSchema,
  HashOp,
  type InnerOp,
} from '../../../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';
import { MerkleProofSchema } from '../../../../src/core/proto/ibc/core/commitment/v1/commitment_pb.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { crypto } from '../../app/support.js';

const KEYS = 40;
const keyOf = (at: number): Uint8Array => utf8(`key ${at.toString().padStart(3, '0')}`);
const valueOf = (at: number): Uint8Array => utf8(`value ${at}`);

/** A committed tree in which the even keys are present. */
function stage() {
  const trees = createMultistore({ stores: ['bank', 'ibc', 'upgrade'], crypto });
  const values = new Map(
    Array.from({ length: KEYS }, (_, at) => [`key ${`${2 * at}`.padStart(3, '0')}`, valueOf(2 * at)]),
  );
  trees.apply(Array.from(values, ([key, value]) => ({ store: 'ibc', key: utf8(key), value })));
  const { appHash } = trees.commit(toHeight(1n));
  const prove = (key: Uint8Array): Uint8Array => {
    const proved = trees.prove('ibc', key, toHeight(1n), (_, each) => values.get(new TextDecoder().decode(each)));
    if (!proved.ok) throw new Error(proved.error.code);
    const proofs = proved.ops.map(({ data }) => fromBinary(CommitmentProofSchema, data));
    return toBinary(MerkleProofSchema, create(MerkleProofSchema, { proofs }));
  };
  const at = (key: Uint8Array): Commitment => ({
    specs: [iavlSpec(), simpleSpec()],
    root: appHash,
    path: [utf8('ibc'), key],
  });
  return { prove, at };
}

const CHAIN = stage();

/** `codespace code: text` of the error when verification fails; empty when the proof verifies. */
function verified(commitment: Commitment, proofs: readonly CommitmentProof[], value: Uint8Array | undefined): string {
  try {
    if (value === undefined) verifyNonMembership(crypto, commitment, proofs);
    else verifyMembership(crypto, commitment, proofs, value);
    return '';
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
  }
}

const decoded = (bytes: Uint8Array): readonly CommitmentProof[] => decodeProofs(bytes, 'no proof');

test('a proof shows membership of a present key or absence of any other, and nothing of another key', () => {
  for (let at = 0; at < 2 * KEYS; at += 1) {
    const [key, proofs] = [keyOf(at), decoded(CHAIN.prove(keyOf(at)))];
    const isThere = at % 2 === 0;
    expect(verified(CHAIN.at(key), proofs, isThere ? valueOf(at) : undefined)).toBe('');
    expect(verified(CHAIN.at(key), proofs, isThere ? undefined : valueOf(at))).toContain('commitment 2');
    if (at + 2 < 2 * KEYS)
      expect(verified(CHAIN.at(keyOf(at + 2)), proofs, isThere ? valueOf(at) : undefined)).toContain('commitment 2');
  }
  for (const key of [utf8('a'), utf8('z')])
    expect(verified(CHAIN.at(key), decoded(CHAIN.prove(key)), undefined)).toBe('');
});

test('a proof with a changed byte never proves the contrary or another value', () => {
  fc.assert(
    fc.property(fc.nat(2 * KEYS - 1), fc.nat(), fc.integer({ min: 1, max: 255 }), (at, place, change) => {
      const bytes = CHAIN.prove(keyOf(at));
      const changed = bytes.slice();
      changed[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ change;
      let proofs: readonly CommitmentProof[];
      try {
        proofs = decoded(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(SdkError);
        return;
      }
      const isThere = at % 2 === 0;
      // a change in bytes that no rule reads leaves the proof valid; it never proves the contrary
      expect(verified(CHAIN.at(keyOf(at)), proofs, isThere ? undefined : valueOf(at))).not.toBe('');
      expect(verified(CHAIN.at(keyOf(at)), proofs, isThere ? valueOf(at + 2) : undefined) === '').toBe(
        !isThere && verified(CHAIN.at(keyOf(at)), proofs, undefined) === '',
      );
    }),
    { numRuns: 300 },
  );
});

type Change = (proofs: readonly CommitmentProof[]) => readonly CommitmentProof[];
const inner =
  (change: (path: InnerOp[]) => InnerOp[]): Change =>
  (proofs) =>
    proofs.map((each, at) => {
      const { proof } = each;
      return at === 0 && proof.case === 'exist'
        ? create(CommitmentProofSchema, {
            proof: { case: 'exist', value: { ...proof.value, path: change(proof.value.path) } },
          })
        : each;
    });

test.each<[string, Change, string]>([
  ['no proofs', () => [], 'commitment 4: proof must not be empty: invalid merkle proof'],
  ['one proof', (proofs) => proofs.slice(0, 1), 'commitment 4: length of specs: 2 not equal to length of proof: 1'],
  ['proofs in the other order', (proofs) => proofs.toReversed(), 'commitment 2: failed to verify membership proof'],
  [
    'a path of 129 steps',
    inner((path) => Array.from({ length: 129 }, () => path[0]).flatMap((step) => step ?? [])),
    'commitment 2: failed to verify membership proof at index 0: innerOps depth too long: 129',
  ],
  [
    'a step of another hash',
    inner((path) => path.map((step) => ({ ...step, hash: HashOp.SHA512 }))),
    'commitment 2: failed to verify membership proof at index 0: inner, unexpected HashOp: 2',
  ],
  [
    'a step without a hash',
    inner((path) => path.map((step) => ({ ...step, hash: HashOp.NO_HASH }))),
    'commitment 2: could not calculate proof root at index 0, merkle tree may be empty. inner, unsupported hashop: 0',
  ],
  [
    'a step that is a leaf',
    inner((path) => path.map((step) => ({ ...step, prefix: concat(Uint8Array.of(0), step.prefix) }))),
    'commitment 2: failed to verify membership proof at index 0: inner, ',
  ],
  [
    'a suffix of another length',
    inner((path) => path.map((step) => ({ ...step, suffix: concat(step.suffix, Uint8Array.of(1)) }))),
    'commitment 2: failed to verify membership proof at index 0: inner, InnerOp suffix malformed',
  ],
  ['a shorter path', inner((path) => path.slice(1)), 'commitment 2: failed to verify membership proof at index 1'],
])('verification refuses %s', (_, change, expected) => {
  expect(verified(CHAIN.at(keyOf(2)), change(decoded(CHAIN.prove(keyOf(2)))), valueOf(2))).toContain(expected);
});

test('a proof with a megabyte of steps is refused after one hash per step', () => {
  let hashes = 0;
  const counting = {
    ...crypto,
    sha256: (data: Uint8Array) => {
      hashes += 1;
      return crypto.sha256(data);
    },
  };
  const steps = inner((path) => Array.from({ length: 10_000 }, () => path[0]).flatMap((step) => step ?? []));
  const proofs = steps(decoded(CHAIN.prove(keyOf(2))));
  expect(() => verifyMembership(counting, CHAIN.at(keyOf(2)), proofs, valueOf(2))).toThrow('depth too long');
  expect(hashes).toBeLessThan(10_010);
});
