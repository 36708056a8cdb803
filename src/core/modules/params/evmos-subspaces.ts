/** Legacy subspaces of evmos' modules (evmos v3.0.0, in each module's `types/params.go`, ParamSetPairs). */
import { ParamsSchema as ClaimsSchema } from '../../proto/evmos/claims/v1/genesis_pb.js';
import { ParamsSchema as IncentivesSchema } from '../../proto/evmos/incentives/v1/genesis_pb.js';
import { ParamsSchema as InflationSchema } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { ParamsSchema as RecoverySchema } from '../../proto/evmos/recovery/v1/genesis_pb.js';
import * as claims from '../claims/params.js';
import * as incentives from '../incentives/params.js';
import * as inflation from '../inflation/params.js';
import * as recovery from '../recovery/params.js';
import { subspace, type Subspace } from './subspace.js';

export const EVMOS_SUBSPACES: readonly Subspace[] = [
  subspace(
    { name: 'inflation' },
    InflationSchema,
    {
      ParamStoreKeyMintDenom: 'mint_denom',
      ParamStoreKeyExponentialCalculation: 'exponential_calculation',
      ParamStoreKeyInflationDistribution: 'inflation_distribution',
      ParamStoreKeyEnableInflation: 'enable_inflation',
    },
    (context) => inflation.getParams(context) ?? inflation.defaultParams(context.chain.baseDenom),
    inflation.updateParams,
  ),
  subspace(
    { name: 'incentives' },
    IncentivesSchema,
    {
      EnableIncentives: 'enable_incentives',
      AllocationLimit: 'allocation_limit',
      EpochIdentifier: 'incentives_epoch_identifier',
      RewardScaler: 'reward_scaler',
    },
    (context) => incentives.getParams(context) ?? incentives.defaultParams(),
    incentives.updateParams,
  ),
  subspace(
    { name: 'claims' },
    ClaimsSchema,
    {
      EnableClaims: 'enable_claims',
      AirdropStartTime: 'airdrop_start_time',
      DurationUntilDecay: 'duration_until_decay',
      DurationOfDecay: 'duration_of_decay',
      ClaimsDenom: 'claims_denom',
      AuthorizedChannels: 'authorized_channels',
      EVMChannels: 'evm_channels',
    },
    (context) => claims.paramsMessage(claims.getParams(context) ?? claims.defaultParams(context.chain.baseDenom)),
    claims.updateParams,
  ),
  subspace(
    { name: 'recovery' },
    RecoverySchema,
    { EnableRecovery: 'enable_recovery', PacketTimeoutDuration: 'packet_timeout_duration' },
    recovery.getParams,
    recovery.updateParams,
  ),
];
