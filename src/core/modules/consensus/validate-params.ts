import { goDuration } from '../../sdk/go/go-duration.js';
import type { ConsensusParams } from '../../proto/tendermint/types/params_pb.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import { fromDuration } from '../../comet/time.js';

const MAX_BLOCK_BYTES = BigInt(CHAIN_LIMITS.blockBytes);
const PUB_KEY_TYPES: readonly string[] = ['ed25519', 'secp256k1'];

/**
 * Error for parameters that are invalid at a height, with CometBFT's text (v0.38 `ValidateBasic` and `ValidateUpdate`
 * in `types/params.go`); undefined for valid ones.
 */
export function consensusParamsProblem(
  { block, evidence, validator, abci }: ConsensusParams,
  height: bigint,
): string | undefined {
  const { maxBytes = 0n, maxGas = 0n } = block ?? {};
  if (maxBytes === 0n) return 'block.MaxBytes cannot be 0';
  if (maxBytes < -1n) return `block.MaxBytes must be -1 or greater than 0. Got ${maxBytes}`;
  if (maxBytes > MAX_BLOCK_BYTES) return `block.MaxBytes is too big. ${maxBytes} > ${MAX_BLOCK_BYTES}`;
  if (maxGas < -1n) return `block.MaxGas must be greater or equal to -1. Got ${maxGas}`;

  const { maxAgeNumBlocks = 0n, maxAgeDuration, maxBytes: evidenceBytes = 0n } = evidence ?? {};
  if (maxAgeNumBlocks <= 0n) return `evidence.MaxAgeNumBlocks must be greater than 0. Got ${maxAgeNumBlocks}`;
  const age = fromDuration(maxAgeDuration);
  if (age <= 0n) return `evidence.MaxAgeDuration must be grater than 0 if provided, Got ${goDuration(age)}`;
  const upperBound = maxBytes === -1n ? MAX_BLOCK_BYTES : maxBytes;
  if (evidenceBytes > upperBound)
    return `evidence.MaxBytesEvidence is greater than upper bound, ${evidenceBytes} > ${maxBytes}`;
  if (evidenceBytes < 0n) return `evidence.MaxBytes must be non negative. Got: ${evidenceBytes}`;

  const { voteExtensionsEnableHeight = 0n } = abci ?? {};
  if (voteExtensionsEnableHeight < 0n)
    return `ABCI.VoteExtensionsEnableHeight cannot be negative. Got: ${voteExtensionsEnableHeight}`;
  const types = validator?.pubKeyTypes ?? [];
  if (types.length === 0) return 'len(Validator.PubKeyTypes) must be greater than 0';
  const unknown = types.findIndex((type) => !PUB_KEY_TYPES.includes(type));
  if (unknown >= 0)
    return `params.Validator.PubKeyTypes[${unknown}], ${types[unknown] ?? ''}, is an unknown pubkey type`;
  if (voteExtensionsEnableHeight === 0n) return undefined;
  if (voteExtensionsEnableHeight <= height)
    return (
      'vote extensions cannot be updated to a past or current height, ' +
      `enable height: ${voteExtensionsEnableHeight}, current height ${height}`
    );
  // Validators of this build do not sign vote extensions, so a chain that requires them would halt.
  return 'vote extensions are not supported';
}
