/**
 * Table of the rows in every module's store: parts of keys and forms of values. A new module adds an entry for its
 * store; unknown stores and keys are shown as bytes. Prefix numbers are those of the modules
 * (`x/<module>/types/keys.go` of cosmos-sdk v0.53 and cosmos/evm v0.6, `24-host` of ibc-go v10).
 * `test/core/inspection/state-table.test.ts` reads complete recorded states with it.
 */
import { AnySchema, BytesValueSchema, Int64ValueSchema } from '@bufbuild/protobuf/wkt';
import { ParamsSchema as AuthParams } from '../proto/cosmos/auth/v1beta1/auth_pb.js';
import { GrantQueueItemSchema, GrantSchema as AuthzGrant } from '../proto/cosmos/authz/v1beta1/authz_pb.js';
import { MetadataSchema, ParamsSchema as BankParams } from '../proto/cosmos/bank/v1beta1/bank_pb.js';
import { CoinSchema, IntProtoSchema } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import * as distribution from '../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { ClaimsRecordSchema } from '../proto/evmos/claims/v1/claims_pb.js';
import { ParamsSchema as ClaimsParams } from '../proto/evmos/claims/v1/genesis_pb.js';
import { EpochInfoSchema } from '../proto/evmos/epochs/v1/genesis_pb.js';
import { ParamsSchema as IncentivesParams } from '../proto/evmos/incentives/v1/genesis_pb.js';
import { IncentiveSchema } from '../proto/evmos/incentives/v1/incentives_pb.js';
import { ParamsSchema as InflationParams } from '../proto/evmos/inflation/v1/genesis_pb.js';
import { ParamsSchema as RecoveryParams } from '../proto/evmos/recovery/v1/genesis_pb.js';
import { AllowanceSchema, TokenPairSchema } from '../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { ParamsSchema as FeeMarketParams } from '../proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { EvmCoinInfoSchema, ParamsSchema as EvmParams } from '../proto/cosmos/evm/vm/v1/evm_pb.js';
import { GrantSchema as FeeGrant } from '../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import * as gov from '../proto/cosmos/gov/v1/gov_pb.js';
import { MinterSchema, ParamsSchema as MintParams } from '../proto/cosmos/mint/v1beta1/mint_pb.js';
import {
  ParamsSchema as SlashingParams,
  ValidatorSigningInfoSchema,
} from '../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import * as staking from '../proto/cosmos/staking/v1beta1/staking_pb.js';
import { PlanSchema } from '../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { DenomSchema } from '../proto/ibc/applications/transfer/v1/token_pb.js';
import { ParamsSchema as TransferParams } from '../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { ConsensusParamsSchema } from '../proto/tendermint/types/params_pb.js';
import {
  address,
  bytes as bytesPart,
  countedTime,
  endedText,
  ethereumAddress,
  invertedOperator,
  lastAddress,
  lastText,
  littleEndian,
  number,
  time,
} from './key-parts.js';
import type { RowForm } from './row-form.js';
import { addressOf, bytes, flag, present, text, u64, word, wrapped } from './row-values.js';
import { index, row } from './make-row.js';
import { IBC_ROWS } from './ibc-rows.js';

const operator = address('validator', 'operator');
const consensus = address('validator', 'consensus');
const ALLOWANCE_KEY = ['contract', 'owner', 'spender'].map(ethereumAddress);

/** Row forms by store name; the first form that matches a key counts. */
export const STATE_TABLE: Readonly<Record<string, readonly RowForm[]>> = {
  acc: [
    row(0, 'params', [], AuthParams),
    row(1, 'account', [lastAddress('account')], AnySchema),
    row(2, 'next account number', [], u64),
    index(90, 'unordered transaction', [number('timeout'), lastAddress('signer')]),
    index('accountNumber', 'account number', [number('number')], addressOf('account')),
  ],
  authz: [
    row(1, 'grant', [address('granter'), address('grantee'), lastText('message')], AuthzGrant),
    index(2, 'grants that end', [time('end'), address('granter'), address('grantee')], GrantQueueItemSchema),
  ],
  bank: [
    row(0, 'supply', [lastText('denom')], text),
    row(1, 'metadata', [lastText('denom')], MetadataSchema),
    row(2, 'balance', [address('account'), lastText('denom')], text),
    index(3, 'owner', [endedText('denom'), address('account')]),
    row(4, 'send switch', [lastText('denom')], flag),
    row(5, 'params', [], BankParams),
  ],
  claims: [row(0, 'params', [], ClaimsParams), row(1, 'claims record', [lastAddress('account')], ClaimsRecordSchema)],
  consensus: [row('Consensus', 'params', [], ConsensusParamsSchema)],
  crisis: [row(1, 'fee', [], wrapped(CoinSchema))],
  dev: [
    row(0, 'enabled', [], present),
    row(1, 'sequence', [], u64),
    row(2, 'coinbase', [], bytes),
    row(3, 'base fee', [], bytes),
    row(4, 'prevrandao', [], bytes),
    row(5, 'nonce lowered', [], present),
    row(6, 'signatures of impersonated accounts', [], bytes),
    row(7, 'extra data', [], bytes),
    row(8, 'unsigned transactions', [], present),
    row(9, 'outside of the supply', [lastText('denom')], text),
  ],
  distribution: [
    row(0, 'fee pool', [], distribution.FeePoolSchema),
    row(1, 'proposer', [], wrapped(BytesValueSchema)),
    row(2, 'outstanding rewards', [operator], distribution.ValidatorOutstandingRewardsSchema),
    row(3, 'withdraw address', [address('delegator')], addressOf('account')),
    row(4, 'starting info', [operator, address('delegator')], distribution.DelegatorStartingInfoSchema),
    row(5, 'historical rewards', [operator, littleEndian('period')], distribution.ValidatorHistoricalRewardsSchema),
    row(6, 'current rewards', [operator], distribution.ValidatorCurrentRewardsSchema),
    row(7, 'commission', [operator], distribution.ValidatorAccumulatedCommissionSchema),
    row(8, 'slash event', [operator, number('height'), number('period')], distribution.ValidatorSlashEventSchema),
    row(9, 'params', [], distribution.ParamsSchema),
  ],
  epochs: [row(1, 'epoch', [lastText('identifier')], EpochInfoSchema)],
  erc20: [
    row(1, 'token pair', [bytesPart('id', 32)], TokenPairSchema),
    index(2, 'pair of contract', [ethereumAddress('contract')], bytes),
    index(3, 'pair of denom', [lastText('denom')], bytes),
    row(5, 'allowance', ALLOWANCE_KEY, AllowanceSchema),
    row(6, 'native precompile', [lastText('contract')], present),
    row(7, 'dynamic precompile', [lastText('contract')], present),
    row('EnableErc20', 'enabled', [], present),
    row('PermissionlessRegistration', 'permissionless registration', [], present),
  ],
  evidence: [row(0, 'evidence', [bytesPart('hash', 32)], AnySchema)],
  evm: [
    row(1, 'code', [bytesPart('hash', 32)], bytes),
    row(2, 'storage', [ethereumAddress('contract'), bytesPart('slot', 32)], word),
    row(3, 'params', [], EvmParams),
    row(4, 'code hash', [ethereumAddress('account')], bytes),
    row(5, 'coin', [], EvmCoinInfoSchema),
    row('blockHashes', 'block hashes', [], bytes),
  ],
  feegrant: [
    row(0, 'allowance', [address('grantee'), address('granter')], FeeGrant),
    index(1, 'allowance that ends', [time('end'), address('grantee'), address('granter')]),
  ],
  feemarket: [row(1, 'gas wanted by the block', [], u64), row('Params', 'params', [], FeeMarketParams)],
  gov: [
    row(0x00, 'proposal', [number('id')], gov.ProposalSchema),
    index(0x01, 'voting that ends', [time('end'), number('proposal')], u64),
    index(0x02, 'deposits that end', [time('end'), number('proposal')], u64),
    row(0x03, 'next proposal', [], u64),
    index(0x04, 'in voting', [number('proposal')]),
    row(0x10, 'deposit', [number('proposal'), address('depositor')], gov.DepositSchema),
    row(0x20, 'vote', [number('proposal'), address('voter')], gov.VoteSchema),
    row(0x30, 'params', [], gov.ParamsSchema),
    row(0x31, 'constitution', [], text),
  ],
  ibc: IBC_ROWS,
  incentives: [
    row(0, 'params', [], IncentivesParams),
    row(1, 'incentive', [ethereumAddress('contract')], IncentiveSchema),
    row(2, 'gas meter', [ethereumAddress('contract'), ethereumAddress('participant')], u64),
    row(3, 'allocation meter', [lastText('denom')], text),
    index(4, 'number of participants', [ethereumAddress('contract')], u64),
  ],
  inflation: [
    row(0, 'params', [], InflationParams),
    row(1, 'period', [], u64),
    row(2, 'provision of an epoch', [], text),
    row(3, 'identifier of the epochs', [], text),
    row(4, 'epochs of a period', [], u64),
    row(5, 'skipped epochs', [], u64),
  ],
  mint: [row(0, 'minter', [], MinterSchema), row(1, 'params', [], MintParams)],
  precisebank: [row(1, 'fraction', [ethereumAddress('account')], text), row(2, 'remainder', [], text)],
  recovery: [row(0, 'params', [], RecoveryParams)],
  sample: [row(0, 'begun at height', [], u64)],
  slashing: [
    row(0, 'params', [], SlashingParams),
    row(1, 'signing info', [consensus], ValidatorSigningInfoSchema),
    row(2, 'missed blocks', [consensus, littleEndian('chunk')], bytes),
    row(3, 'public key', [consensus], AnySchema),
  ],
  staking: [
    row(0x11, 'last power', [operator], wrapped(Int64ValueSchema)),
    row(0x12, 'last total power', [], wrapped(IntProtoSchema)),
    row(0x21, 'validator', [operator], staking.ValidatorSchema),
    index(0x22, 'operator', [consensus], addressOf('operator')),
    index(0x23, 'place by power', [number('power'), invertedOperator('validator')], addressOf('operator')),
    row(0x31, 'delegation', [address('delegator'), operator], staking.DelegationSchema),
    row(0x32, 'unbonding', [address('delegator'), operator], staking.UnbondingDelegationSchema),
    index(0x33, 'unbonding from', [operator, address('delegator')]),
    row(0x34, 'redelegation', [address('delegator'), operator, address('to', 'operator')], staking.RedelegationSchema),
    index(0x35, 'redelegation from', [operator, address('delegator'), address('to', 'operator')]),
    index(0x36, 'redelegation to', [operator, address('delegator'), address('from', 'operator')]),
    row(0x37, 'last unbonding id', [], u64),
    index(0x38, 'unbonding id', [number('id')], bytes),
    index(0x39, 'kind of unbonding', [number('id')], u64),
    index(0x41, 'unbondings that end', [time('end')], staking.DVPairsSchema),
    index(0x42, 'redelegations that end', [time('end')], staking.DVVTripletsSchema),
    index(0x43, 'validators that unbond', [countedTime('end'), number('height')], staking.ValAddressesSchema),
    row(0x50, 'historical info', [number('height')], staking.HistoricalInfoSchema),
    row(0x51, 'params', [], staking.ParamsSchema),
    row(0x61, 'validator updates', [], staking.ValidatorUpdatesSchema),
    index(0x71, 'delegator', [operator, lastAddress('delegator')]),
  ],
  transfer: [
    row(1, 'port', [], text),
    row(3, 'denom', [bytesPart('hash', 32)], DenomSchema),
    row('params', 'params', [], TransferParams),
    row('totalEscrowForDenom/', 'total escrow', [lastText('denom')], wrapped(IntProtoSchema)),
  ],
  upgrade: [
    row(0, 'plan', [], PlanSchema),
    row(1, 'done', [number('height'), lastText('plan')], present),
    row(2, 'module version', [lastText('module')], u64),
    row(3, 'protocol version', [], u64),
    row('chronicle/authority', 'authority', [], text),
    row('upgradedIBCState/', 'state of the last height', [lastText('path')], bytes),
  ],
};

/** Error text for an unknown store name; undefined for a known one. */
export function storeRefusal(name: string): string | undefined {
  return Object.hasOwn(STATE_TABLE, name)
    ? undefined
    : `no store has the name ${JSON.stringify(name)}: ${Object.keys(STATE_TABLE).join(', ')}`;
}
