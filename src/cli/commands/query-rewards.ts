/** `query mint|distribution|slashing|evidence|params ...`: one method each. */
import { base64 } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { Query as DistributionQuery } from '../../core/proto/cosmos/distribution/v1beta1/query_pb.js';
import { Query as EvidenceQuery } from '../../core/proto/cosmos/evidence/v1beta1/query_pb.js';
import { Query as MintQuery } from '../../core/proto/cosmos/mint/v1beta1/query_pb.js';
import { Query as ParamsQuery } from '../../core/proto/cosmos/params/v1beta1/query_pb.js';
import { Query as SlashingQuery } from '../../core/proto/cosmos/slashing/v1beta1/query_pb.js';
import { KEY_TYPES } from '../../core/sdk/signing/account-key.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandBody } from '../command-table.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { consensusOf, nodePrefix } from '../names.js';
import { asObject } from '../rpc-client.js';
import { parseJson } from '../tx-json.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';

const mint = MintQuery.method;
const distribution = DistributionQuery.method;
const slashing = SlashingQuery.method;
const evidence = EvidenceQuery.method;

export const subspaceParam = unary(ParamsQuery.method.params, ({ text }) => ({ subspace: text(0), key: text(1) }));
export const subspaces = unary(ParamsQuery.method.subspaces, () => ({}));

export const annualProvisions = unary(mint.annualProvisions, () => ({}));
export const inflation = unary(mint.inflation, () => ({}));
export const mintParams = unary(mint.params, () => ({}));

export const commission = unary(distribution.validatorCommission, async ({ operator }) => ({
  validatorAddress: await operator(0),
}));
export const communityPool = unary(distribution.communityPool, () => ({}));
export const delegatorValidators = unary(distribution.delegatorValidators, async ({ named, flags }) => ({
  delegatorAddress: await named(flags.needed('delegator-address')),
}));
export const withdrawAddress = unary(distribution.delegatorWithdrawAddress, async ({ named, flags }) => ({
  delegatorAddress: await named(flags.needed('delegator-address')),
}));
export const distributionParams = unary(distribution.params, () => ({}));
export const rewards = unary(distribution.delegationTotalRewards, async ({ address }) => ({
  delegatorAddress: await address(0),
}));
export const rewardsByValidator = unary(distribution.delegationRewards, async ({ address, operator }) => ({
  delegatorAddress: await address(0),
  validatorAddress: await operator(1),
}));
export const slashes = unary(distribution.validatorSlashes, async ({ operator, text, pagination }) => ({
  validatorAddress: await operator(0),
  startingHeight: wholeNumber(text(1), 'start-height'),
  endingHeight: wholeNumber(text(2), 'end-height'),
  ...pagination,
}));
export const distributionInfo = unary(distribution.validatorDistributionInfo, async ({ operator }) => ({
  validatorAddress: await operator(0),
}));
export const outstandingRewards = unary(distribution.validatorOutstandingRewards, async ({ operator }) => ({
  validatorAddress: await operator(0),
}));

export const slashingParams = unary(slashing.params, () => ({}));
export const signingInfos = unary(slashing.signingInfos, ({ pagination }) => pagination);
const signingInfoOf = unary(slashing.signingInfo, ({ text }) => ({ consAddress: text(0) }));
/** The validator is its consensus address, a key's name, or its key as `comet show-validator` prints it. */
export const signingInfo: CommandBody = async (context, [validator = ''], flags) => {
  const address = validator.startsWith('{')
    ? encodeAddress(`${await nodePrefix(context)}valcons`, addressOfKey(validator))
    : await consensusOf(context, validator);
  await signingInfoOf(context, [address], flags);
};

/** Consensus address of an Ed25519 key: the first 20 bytes of its hash. */
function addressOfKey(text: string): Uint8Array {
  const { '@type': type, key } = asObject(parseJson(text, 'validator'));
  if (type !== KEY_TYPES.ed25519.typeUrl || typeof key !== 'string')
    throw new CommandError(EXIT.usage, `validator: expected a key of type ${KEY_TYPES.ed25519.typeUrl}`);
  try {
    return sha256(base64.decode(key)).slice(0, 20);
  } catch {
    throw new CommandError(EXIT.usage, 'validator: the key is not base64');
  }
}

export const oneEvidence = unary(evidence.evidence, ({ text }) => ({ hash: text(0) }));
export const allEvidence = unary(evidence.allEvidence, ({ pagination }) => pagination);
