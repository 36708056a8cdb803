/** `query mint|distribution|slashing|evidence|params ...`: one method each. */
import { strictBase64 } from '../../core/bytes/strict-base64.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Query as DistributionQuery } from '../../core/proto/cosmos/distribution/v1beta1/query_pb.js';
import { Query as EvidenceQuery } from '../../core/proto/cosmos/evidence/v1beta1/query_pb.js';
import { Query as MintQuery } from '../../core/proto/cosmos/mint/v1beta1/query_pb.js';
import { Query as ParamsQuery } from '../../core/proto/cosmos/params/v1beta1/query_pb.js';
import { Query as SlashingQuery } from '../../core/proto/cosmos/slashing/v1beta1/query_pb.js';
import { KEY_TYPES } from '../../core/sdk/signing/account-key.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { query, paged } from '../table/query-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { consensusOf, nodePrefix } from '../values/names.js';
import { asObject } from '../client/rpc-client.js';
import { parseJson } from '../values/tx-json.js';
import { unary } from '../table/unary.js';

const mint = MintQuery.method;
const distribution = DistributionQuery.method;
const slashing = SlashingQuery.method;
const evidence = EvidenceQuery.method;

const signingInfoOf = unary(slashing.signingInfo, ({ text }) => ({ consAddress: text(0) }));
/** VALIDATOR is a consensus address, a key name, or a public key as `comet show-validator` prints it. */
const signingInfo: CommandBody = async (context, [validator = ''], flags) => {
  const address = validator.startsWith('{')
    ? encodeAddress(`${await nodePrefix(context)}valcons`, addressOfKey(validator))
    : await consensusOf(context, validator);
  await signingInfoOf(context, [address], flags);
};

/** Consensus address of an Ed25519 key: the first 20 bytes of its SHA-256 hash. */
function addressOfKey(text: string): Uint8Array {
  const { '@type': type, key } = asObject(parseJson(text, 'validator'));
  if (type !== KEY_TYPES.ed25519.typeUrl || typeof key !== 'string')
    throw new CommandError(EXIT.usage, `validator: expected a key of type ${KEY_TYPES.ed25519.typeUrl}`);
  const bytes = strictBase64(key);
  if (bytes === undefined) throw new CommandError(EXIT.usage, 'validator: the key is not base64');
  return sha256(bytes).slice(0, 20);
}

const DELEGATOR_ADDRESS: OptionRow = {
  flag: '--delegator-address <account>',
  doc: 'the delegator, by address or key name',
  required: true,
};

export const commands: readonly CommandRow[] = [
  query('params subspace <subspace> <key>', 'one parameter as JSON text', ParamsQuery.method.params),
  query('params subspaces', 'subspaces and their keys', ParamsQuery.method.subspaces),
  query('mint annual-provisions', 'coins of a year at the current inflation', mint.annualProvisions),
  query('mint inflation', 'the current inflation', mint.inflation),
  query('mint params', 'parameters of inflation', mint.params),
  query(
    'distribution commission <validator>',
    'commission that a validator did not withdraw yet',
    distribution.validatorCommission,
  ),
  query('distribution community-pool', 'coins of the community pool', distribution.communityPool),
  query('distribution delegator-validators', 'validators of a delegator', distribution.delegatorValidators, {
    request: async ({ named, flags }) => ({ delegatorAddress: await named(flags.needed('delegator-address')) }),
    options: [DELEGATOR_ADDRESS],
  }),
  query(
    'distribution delegator-withdraw-address',
    'account that gets the rewards of a delegator',
    distribution.delegatorWithdrawAddress,
    {
      request: async ({ named, flags }) => ({ delegatorAddress: await named(flags.needed('delegator-address')) }),
      options: [DELEGATOR_ADDRESS],
    },
  ),
  query('distribution params', 'parameters of the distribution', distribution.params),
  query('distribution rewards <delegator>', 'rewards of a delegator so far', distribution.delegationTotalRewards),
  query(
    'distribution rewards-by-validator <delegator> <validator>',
    'rewards of one delegation so far',
    distribution.delegationRewards,
  ),
  paged(
    'distribution slashes <validator> <start-height> <end-height>',
    'slashes of a validator',
    distribution.validatorSlashes,
  ),
  query(
    'distribution validator-distribution-info <validator>',
    'commission and own rewards of a validator',
    distribution.validatorDistributionInfo,
  ),
  query(
    'distribution validator-outstanding-rewards <validator>',
    'outstanding rewards of a validator',
    distribution.validatorOutstandingRewards,
  ),
  query('slashing params', 'parameters of slashing', slashing.params),
  ask(
    'slashing signing-info <validator>',
    'signing record of a validator, by consensus address, key or name of a key',
    signingInfo,
  ),
  paged('slashing signing-infos', 'signing records of all validators', slashing.signingInfos),
  query('evidence evidence <hash>', 'a proven offence', evidence.evidence),
  paged('evidence list', 'all proven offences', evidence.allEvidence),
];
