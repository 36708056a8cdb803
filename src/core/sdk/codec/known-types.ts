import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { file_cosmos_crisis_v1beta1_tx } from '../../proto/cosmos/crisis/v1beta1/tx_pb.js';
import { file_cosmos_distribution_v1beta1_distribution } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { file_cosmos_distribution_v1beta1_tx } from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { file_cosmos_evidence_v1beta1_evidence } from '../../proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { file_cosmos_evidence_v1beta1_tx } from '../../proto/cosmos/evidence/v1beta1/tx_pb.js';
import { file_cosmos_evm_erc20_v1_tx } from '../../proto/cosmos/evm/erc20/v1/tx_pb.js';
import { file_cosmos_gov_v1_tx } from '../../proto/cosmos/gov/v1/tx_pb.js';
import { file_cosmos_gov_v1beta1_gov } from '../../proto/cosmos/gov/v1beta1/gov_pb.js';
import { file_cosmos_gov_v1beta1_tx } from '../../proto/cosmos/gov/v1beta1/tx_pb.js';
import { file_cosmos_mint_v1beta1_tx } from '../../proto/cosmos/mint/v1beta1/tx_pb.js';
import { file_cosmos_params_v1beta1_params } from '../../proto/cosmos/params/v1beta1/params_pb.js';
import { file_cosmos_slashing_v1beta1_tx } from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import { file_cosmos_staking_v1beta1_tx } from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { file_cosmos_upgrade_v1beta1_upgrade } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { file_ethermint_types_v1_web3 } from '../../proto/ethermint/types/v1/web3_pb.js';
import { file_evmos_incentives_v1_incentives } from '../../proto/evmos/incentives/v1/incentives_pb.js';
import { file_evmos_vesting_v1_tx } from '../../proto/evmos/vesting/v1/tx_pb.js';
import { file_evmos_vesting_v1_vesting } from '../../proto/evmos/vesting/v1/vesting_pb.js';
import { file_ibc_applications_transfer_v1_authz } from '../../proto/ibc/applications/transfer/v1/authz_pb.js';
import { file_ibc_applications_transfer_v1_tx } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { file_ibc_core_channel_v1_tx } from '../../proto/ibc/core/channel/v1/tx_pb.js';
import { file_ibc_core_channel_v2_tx } from '../../proto/ibc/core/channel/v2/tx_pb.js';
import { file_ibc_core_client_v2_tx } from '../../proto/ibc/core/client/v2/tx_pb.js';
import { file_ibc_core_client_v1_tx } from '../../proto/ibc/core/client/v1/tx_pb.js';
import { file_ibc_core_connection_v1_tx } from '../../proto/ibc/core/connection/v1/tx_pb.js';
import { file_ibc_lightclients_tendermint_v1_tendermint } from '../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { MESSAGE_TYPES } from './message-types.js';

/**
 * Types that an `Any` may contain on a chain with every module of this program. For code that is independent of a
 * chain: command line, signing, counting message parts.
 */
export const KNOWN_TYPES: Registry = createRegistry(
  MESSAGE_TYPES,
  file_cosmos_crisis_v1beta1_tx,
  file_cosmos_distribution_v1beta1_distribution,
  file_cosmos_distribution_v1beta1_tx,
  file_cosmos_evidence_v1beta1_evidence,
  file_cosmos_evidence_v1beta1_tx,
  file_cosmos_evm_erc20_v1_tx,
  file_cosmos_gov_v1_tx,
  file_cosmos_gov_v1beta1_gov,
  file_cosmos_gov_v1beta1_tx,
  file_cosmos_mint_v1beta1_tx,
  file_cosmos_params_v1beta1_params,
  file_cosmos_slashing_v1beta1_tx,
  file_cosmos_staking_v1beta1_tx,
  file_cosmos_upgrade_v1beta1_upgrade,
  file_ethermint_types_v1_web3,
  file_evmos_incentives_v1_incentives,
  file_evmos_vesting_v1_tx,
  file_evmos_vesting_v1_vesting,
  file_ibc_applications_transfer_v1_authz,
  file_ibc_applications_transfer_v1_tx,
  file_ibc_core_channel_v1_tx,
  file_ibc_core_channel_v2_tx,
  file_ibc_core_client_v1_tx,
  file_ibc_core_client_v2_tx,
  file_ibc_core_connection_v1_tx,
  file_ibc_lightclients_tendermint_v1_tendermint,
);
