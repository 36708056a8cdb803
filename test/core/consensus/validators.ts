/** Validators with real keys, and blocks and heights for them. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { blockIdOf, encodeBlock } from '../../../src/core/comet/part-set.js';
import { emptyCommit, makeBlock } from '../../../src/core/comet/make-block.js';
import { genesisValidatorSet } from '../../../src/core/comet/validator-updates.js';
import type { ProposedBlock } from '../../../src/core/consensus/block-key.js';
import type { ConsensusSigner } from '../../../src/core/ports/crypto.js';
import { type Height, type TimeNs, toHeight } from '../../../src/core/primitives.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import type { Commit } from '../../../src/core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { nodeCrypto } from '../comet/node-crypto.js';

export const CHAIN_ID = 'consensus-test';
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Keys from the seeds SHA-256("val0"), SHA-256("val1"), ... */
export function testSigner(index: number): ConsensusSigner {
  const seed = createHash('sha256').update(`val${index}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  return { publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

export function testSet(
  signers: readonly ConsensusSigner[],
  powerOf: (index: number) => bigint = () => 10n,
): ValidatorSet {
  const result = genesisValidatorSet(
    nodeCrypto,
    signers.map(({ publicKey }, index) =>
      create(ValidatorUpdateSchema, {
        pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: publicKey } }),
        power: powerOf(index),
      }),
    ),
  );
  if (!result.ok) throw new Error(`the set is refused: ${JSON.stringify(result)}`);
  return result.set;
}

/** A complete block; `txs` are the texts of its transactions. */
export function testBlock(contents: {
  readonly height: Height;
  readonly time: TimeNs;
  readonly validators: ValidatorSet;
  readonly txs: readonly string[];
  readonly lastCommit: Commit | undefined;
  readonly proposerAddress: Uint8Array;
  readonly valid?: boolean;
}): ProposedBlock {
  const { height, time, validators, lastCommit, proposerAddress } = contents;
  const block = makeBlock(nodeCrypto, {
    chainId: CHAIN_ID,
    height,
    time,
    txs: contents.txs.map((tx) => Buffer.from(tx)),
    lastCommit: lastCommit ?? emptyCommit(),
    lastBlockId: lastCommit?.blockId,
    validators,
    nextValidators: validators,
    consensusParams: create(ConsensusParamsSchema, {}),
    appHash: new Uint8Array(32),
    lastResultsHash: new Uint8Array(32),
    proposerAddress,
  });
  const encoded = encodeBlock(block);
  return { block, encoded, blockId: blockIdOf(nodeCrypto, block, encoded).blockId, valid: contents.valid ?? true };
}

export function after(height: Height): Height {
  return toHeight(height + 1n);
}
