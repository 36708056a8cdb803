import { create } from '@bufbuild/protobuf';
import { equal } from '../../core/bytes/bytes.js';
import { ed25519Address } from '../../core/comet/address.js';
import { toTimestamp } from '../../core/comet/time.js';
import { voteSignBytes } from '../../core/comet/vote.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { TimeNs } from '../../core/primitives.js';
import * as pb from '../../core/proto/tendermint/types/types_pb.js';
import { BlockIDFlag, type ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';

export interface SignAgainOptions {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly chainId: string;
  readonly signer: ConsensusSigner;
}

/**
 * Returns the commit with the vote of `signer` signed again with another time. CometBFT's privval allows this,
 * because only the timestamp differs (v0.38 `privval/file.go`).
 */
export function signedAgain(
  commit: pb.Commit,
  validators: ValidatorSet,
  time: TimeNs,
  { crypto, chainId, signer }: SignAgainOptions,
): pb.Commit {
  const address = ed25519Address(crypto, signer.publicKey);
  const { height, round, blockId } = commit;
  const timestamp = toTimestamp(time);
  const signatures = commit.signatures.map((one, validatorIndex) => {
    const validatorAddress = validators.validators[validatorIndex]?.address;
    const isOurs =
      one.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT &&
      validatorAddress !== undefined &&
      equal(validatorAddress, address);
    if (!isOurs) return one;
    const vote = create(pb.VoteSchema, {
      type: pb.SignedMsgType.PRECOMMIT,
      height,
      round,
      timestamp,
      validatorAddress,
      validatorIndex,
      ...(blockId && { blockId }),
    });
    return create(pb.CommitSigSchema, { ...one, timestamp, signature: signer.sign(voteSignBytes(chainId, vote)) });
  });
  return create(pb.CommitSchema, { height, round, signatures, ...(blockId && { blockId }) });
}
