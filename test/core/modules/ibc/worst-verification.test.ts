/** Verifying a header or a proof costs in proportion to its size, and CheckTx bounds that size. */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { validatorSetHash } from '../../../../src/core/comet/validator-set.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { DEFAULT_LIMITS } from '../../../../src/core/limits/limits.js';
import { verifyHeader } from '../../../../src/core/modules/ibc/client/light/verify-header.js';
import { verifyAbsence } from '../../../../src/core/modules/ibc/ics23/absence.js';
import { rootOf } from '../../../../src/core/modules/ibc/ics23/existence.js';
import {
  ExistenceProofSchema,
  HashOp,
  InnerOpSchema,
  InnerSpecSchema,
  LengthOp,
  LeafOpSchema,
  NonExistenceProofSchema,
  ProofSpecSchema,
} from '../../../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';
import { MsgRecvPacketSchema } from '../../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import { MsgUpdateClientSchema } from '../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { MerkleProofSchema } from '../../../../src/core/proto/ibc/core/commitment/v1/commitment_pb.js';
import {
  HeaderSchema,
  MisbehaviourSchema,
} from '../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { SignedHeaderSchema } from '../../../../src/core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../../src/core/proto/tendermint/types/validator_pb.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { exceededTxLimit } from '../../../../src/core/sdk/codec/message-parts.js';
import { crypto } from '../../app/support.js';
import { anyOf, commitOf, IbcChain } from './chains/chain.js';

const { commitSignatures, messageParts } = DEFAULT_LIMITS;
const ROOM = 100_000_000n;

/** MsgUpdateClient with a header of so many signatures. */
function headersOf(chain: IbcChain, signatures: number): Any {
  const header = packAny(
    HeaderSchema,
    create(HeaderSchema, { signedHeader: { commit: { signatures: Array.from({ length: signatures }, () => ({})) } } }),
  );
  return anyOf(MsgUpdateClientSchema, { clientId: '07-tendermint-0', clientMessage: header, signer: chain.account(0) });
}

describe('a transaction with too many block signatures', () => {
  const chain = new IbcChain('alpha-1');
  chain.block();

  test('is refused by CheckTx before its headers are verified, and executed when a block has it', () => {
    const refusal = `sdk 21: more than ${commitSignatures} signatures of blocks (limit commitSignatures): tx too large`;
    const few = chain.tx(0, [headersOf(chain, commitSignatures)], ROOM);
    expect(exceededTxLimit(few)).toBeUndefined();
    expect(chain.check(few)).not.toBe(refusal);
    for (const messages of [
      [headersOf(chain, commitSignatures + 1)],
      [headersOf(chain, commitSignatures), headersOf(chain, 1)],
    ]) {
      const many = chain.tx(1, messages, ROOM);
      expect(exceededTxLimit(many)).toBe('commitSignatures');
      expect(chain.check(many)).toBe(refusal);
      expect(chain.block([many])[0]).not.toMatchObject({ codespace: 'sdk', code: 21 });
    }
  });

  test('counts the signatures of both headers of misbehaviour', () => {
    const half = { signedHeader: { commit: { signatures: Array.from({ length: commitSignatures / 2 }, () => ({})) } } };
    const more = { signedHeader: { commit: { signatures: [...half.signedHeader.commit.signatures, {}] } } };
    const txOf = (header2: MessageInitShape<typeof HeaderSchema>): Uint8Array =>
      chain.tx(2, [
        anyOf(MsgUpdateClientSchema, {
          clientMessage: packAny(MisbehaviourSchema, create(MisbehaviourSchema, { header1: half, header2 })),
          signer: chain.account(2),
        }),
      ]);
    expect(exceededTxLimit(txOf(half))).toBeUndefined();
    expect(exceededTxLimit(txOf(more))).toBe('commitSignatures');
  });
});

test('the steps of proofs count to the limit of message parts', () => {
  const chain = new IbcChain('alpha-1');
  const txOf = (steps: number): Uint8Array => {
    const path = Array.from({ length: steps }, () => ({ prefix: Uint8Array.of(1) }));
    const proof = create(MerkleProofSchema, { proofs: [{ proof: { case: 'exist', value: { path } } }] });
    return chain.tx(
      0,
      [anyOf(MsgRecvPacketSchema, { proofCommitment: toBinary(MerkleProofSchema, proof), signer: chain.account(0) })],
      ROOM,
    );
  };
  // each step is a field of the proof, and has a field itself
  expect(exceededTxLimit(txOf(messageParts / 2 - 50))).toBeUndefined();
  expect(exceededTxLimit(txOf(messageParts / 2))).toBe('messageParts');
});

test('each signature of a header is verified once, even if trusted and new validators are the same', () => {
  const chain = new IbcChain('beta-4', { validators: [1, 2, 3, 4, 5] });
  chain.block();
  const verified: string[] = [];
  const counting = {
    ...crypto,
    verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
      verified.push(Buffer.from(signature).toString('hex'));
      return crypto.verifyEd25519(key, message, signature);
    },
  };
  const { validators: trusted, ordered } = chain;
  const verify = (validators: ValidatorSet): void => {
    const header = { ...chain.shown(1n).header, height: 9n, validatorsHash: validatorSetHash(crypto, validators) };
    verifyHeader(
      counting,
      {
        chainId: chain.chainId,
        height: 1n,
        time: toTimeNs(chain.now - 1_000_000_000n),
        nextValidatorsHash: validatorSetHash(crypto, trusted),
        validators: trusted,
      },
      { signedHeader: create(SignedHeaderSchema, { header, commit: commitOf(header, ordered) }), validators },
      toTimeNs(chain.now),
      { period: 3_600_000_000_000n, clockDrift: 1_000_000_000n, level: { numerator: 1n, denominator: 3n } },
    );
  };
  verify(trusted);
  expect(verified.length).toBe(4);
  expect(new Set(verified).size).toBe(4);
  // the signatures of the old validators do not verify with the keys of new ones
  const others = new IbcChain('beta-4', { validators: [6, 7, 8, 9, 10] }).validators;
  expect(() => verify(others)).toThrow('invalid header: wrong signature (#0)');
});

describe('a proof spec', () => {
  const LEAF = create(LeafOpSchema, { hash: HashOp.SHA256, length: LengthOp.VAR_PROTO, prefix: Uint8Array.of(77) });

  /** A proof that a leaf is the rightmost: each step of its path has an empty child on the right. */
  function rightmost(childOrder: number[], steps: number) {
    const step = create(InnerOpSchema, {
      hash: HashOp.SHA256,
      prefix: Uint8Array.of(1, 2),
      suffix: Uint8Array.of(5),
    });
    const left = create(ExistenceProofSchema, {
      key: Uint8Array.of(1),
      value: Uint8Array.of(1),
      leaf: LEAF,
      path: Array.from({ length: steps }, () => step),
    });
    const innerSpec = create(InnerSpecSchema, {
      childOrder,
      childSize: 1,
      minPrefixLength: -childOrder.length,
      maxPrefixLength: 2,
      emptyChild: Uint8Array.of(5),
      hash: HashOp.SHA256,
    });
    const spec = create(ProofSpecSchema, { maxDepth: 1_000, leafSpec: LEAF, innerSpec });
    const proof = create(NonExistenceProofSchema, { left });
    return { proof, spec, root: rootOf(crypto, left) };
  }

  const KEY = Uint8Array.of(9);

  test('with a thousand children is read once for a proof, however many steps its path has', () => {
    const children = 1_000;
    const { proof, spec, root } = rightmost(
      Array.from({ length: children }, (_, at) => at),
      200,
    );
    let reads = 0;
    const { innerSpec } = spec;
    if (innerSpec === undefined) throw new Error('spec');
    innerSpec.childOrder = new Proxy(innerSpec.childOrder, {
      get(target, name, self: unknown) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        const value: unknown = Reflect.get(target, name, self);
        return value;
      },
    });
    verifyAbsence(crypto, proof, spec, root, KEY);
    expect(reads).toBeGreaterThanOrEqual(children);
    expect(reads).toBeLessThan(2 * children);
  });

  test.each<[string, number[], string]>([
    ['an empty child on the right', [1, 0], ''],
    ['a branch that the child order lacks (refused)', [1, 2, 5, 3], 'branch 0 not found in order [1 2 5 3]'],
    ['a branch that the child order has twice (refused)', [0, 0], 'branch 1 not found in order [0 0]'],
  ])('is verified with %s', (_, order, refusal) => {
    const { proof, spec, root } = rightmost(order, 1);
    const verify = (): void => verifyAbsence(crypto, proof, spec, root, KEY);
    if (refusal === '') expect(verify).not.toThrow();
    else expect(verify).toThrow(refusal);
  });
});
