/** Legacy subspaces and their keys (cosmos-sdk v0.45, in each module's `types/params.go`, ParamSetPairs). */
import * as authTx from '../../proto/cosmos/auth/v1beta1/tx_pb.js';
import { ParamsSchema as AuthParamsSchema } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import * as bankTx from '../../proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  type Params as BankParams,
  ParamsSchema as BankParamsSchema,
} from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { GenesisStateSchema as CrisisSchema } from '../../proto/cosmos/crisis/v1beta1/genesis_pb.js';
import * as crisisTx from '../../proto/cosmos/crisis/v1beta1/tx_pb.js';
import { ParamsSchema as DistributionParamsSchema } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import * as distributionTx from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { type Params as GovParams, ParamsSchema as GovParamsSchema } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { QueryParamsResponseSchema } from '../../proto/cosmos/gov/v1/query_pb.js';
import * as govTx from '../../proto/cosmos/gov/v1/tx_pb.js';
import { ParamsSchema as MintParamsSchema } from '../../proto/cosmos/mint/v1beta1/mint_pb.js';
import * as mintTx from '../../proto/cosmos/mint/v1beta1/tx_pb.js';
import { ParamsSchema as SlashingParamsSchema } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import * as slashingTx from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import { ParamsSchema as StakingParamsSchema } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import * as stakingTx from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { create, fromBinary } from '@bufbuild/protobuf';
import { EMPTY } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { execute } from '../../sdk/module/execute-message.js';
import { presentModules } from '../../sdk/module/app-version.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { getParams as authParams } from '../auth/accounts.js';
import { allSendEnabled, getParams as bankParams } from '../bank/balances.js';
import { getConstantFee } from '../crisis/constant-fee.js';
import * as distribution from '../distribution/params.js';
import * as mint from '../mint/params.js';
import * as slashing from '../slashing/params.js';
import * as staking from '../staking/params.js';
import { CHAIN_SUBSPACES } from './chain-subspaces.js';
import { EVMOS_SUBSPACES } from './evmos-subspaces.js';
import { subspace, type Subspace } from './subspace.js';

/** Reads gov's parameters by query, because gov imports this module. */
function govParams(context: Context): GovParams {
  const found = presentModules(versionOf(context))
    .flatMap(({ queries }) => queries)
    .find(({ path }) => path === '/cosmos.gov.v1.Query/Params');
  const answer = fromBinary(QueryParamsResponseSchema, found?.handle(context, EMPTY) ?? EMPTY);
  return answer.params ?? create(GovParamsSchema);
}

const ALL: readonly Subspace[] = [
  subspace(
    { name: 'auth' },
    AuthParamsSchema,
    {
      MaxMemoCharacters: 'max_memo_characters',
      TxSigLimit: 'tx_sig_limit',
      TxSizeCostPerByte: 'tx_size_cost_per_byte',
      SigVerifyCostED25519: 'sig_verify_cost_ed25519',
      SigVerifyCostSecp256k1: 'sig_verify_cost_secp256k1',
    },
    authParams,
    (context, authority, params) => execute(context, authTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'bank' },
    BankParamsSchema,
    { SendEnabled: 'send_enabled', DefaultSendEnabled: 'default_send_enabled' },
    (context) => create(BankParamsSchema, { ...bankParams(context), sendEnabled: [...allSendEnabled(context)] }),
    changeBank,
  ),
  subspace(
    { name: 'staking' },
    StakingParamsSchema,
    {
      UnbondingTime: 'unbonding_time',
      MaxValidators: 'max_validators',
      MaxEntries: 'max_entries',
      HistoricalEntries: 'historical_entries',
      BondDenom: 'bond_denom',
      MinCommissionRate: 'min_commission_rate',
    },
    (context) => staking.paramsMessage(staking.getParams(context)),
    (context, authority, params) => execute(context, stakingTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'mint' },
    MintParamsSchema,
    {
      MintDenom: 'mint_denom',
      InflationRateChange: 'inflation_rate_change',
      InflationMax: 'inflation_max',
      InflationMin: 'inflation_min',
      GoalBonded: 'goal_bonded',
      BlocksPerYear: 'blocks_per_year',
    },
    (context) => mint.paramsMessage(mint.getParams(context) ?? mint.defaultParams(context.chain.baseDenom)),
    (context, authority, params) => execute(context, mintTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'distribution' },
    DistributionParamsSchema,
    {
      communitytax: 'community_tax',
      baseproposerreward: 'base_proposer_reward',
      bonusproposerreward: 'bonus_proposer_reward',
      withdrawaddrenabled: 'withdraw_addr_enabled',
    },
    (context) => distribution.paramsMessage(distribution.getParams(context)),
    (context, authority, params) => execute(context, distributionTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'slashing' },
    SlashingParamsSchema,
    {
      SignedBlocksWindow: 'signed_blocks_window',
      MinSignedPerWindow: 'min_signed_per_window',
      DowntimeJailDuration: 'downtime_jail_duration',
      SlashFractionDoubleSign: 'slash_fraction_double_sign',
      SlashFractionDowntime: 'slash_fraction_downtime',
    },
    (context) => slashing.paramsMessage(slashing.getParams(context)),
    (context, authority, params) => execute(context, slashingTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'gov' },
    GovParamsSchema,
    {
      depositparams: ['min_deposit', 'max_deposit_period'],
      votingparams: ['voting_period'],
      tallyparams: ['quorum', 'threshold', 'veto_threshold'],
    },
    govParams,
    (context, authority, params) => execute(context, govTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'crisis' },
    CrisisSchema,
    { ConstantFee: 'constant_fee' },
    (context) => create(CrisisSchema, { constantFee: getConstantFee(context) }),
    (context, authority, { constantFee }) =>
      execute(context, crisisTx.MsgUpdateParamsSchema, { authority, ...(constantFee && { constantFee }) }),
  ),
  ...CHAIN_SUBSPACES,
  ...EVMOS_SUBSPACES,
];

/** Changes bank's parameters; send-enabled flags have their own message now. */
function changeBank(context: Context, authority: string, { sendEnabled, defaultSendEnabled }: BankParams): void {
  const kept = new Set(sendEnabled.map(({ denom }) => denom));
  const useDefaultFor = allSendEnabled(context).flatMap(({ denom }) => (kept.has(denom) ? [] : [denom]));
  execute(context, bankTx.MsgSetSendEnabledSchema, { authority, sendEnabled, useDefaultFor });
  execute(context, bankTx.MsgUpdateParamsSchema, { authority, params: { defaultSendEnabled } });
}

/** Subspaces of the application version's modules. */
export function subspacesOf(context: Pick<Context, 'router'>): readonly Subspace[] {
  const present = new Set(presentModules(versionOf(context)).map(({ name }) => name));
  return ALL.filter(({ module }) => present.has(module));
}
