import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { file_cosmos_distribution_v1beta1_distribution } from '../../core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { file_cosmos_distribution_v1beta1_tx } from '../../core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { file_cosmos_slashing_v1beta1_tx } from '../../core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { file_cosmos_evidence_v1beta1_evidence } from '../../core/proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { file_cosmos_evidence_v1beta1_tx } from '../../core/proto/cosmos/evidence/v1beta1/tx_pb.js';
import { file_cosmos_gov_v1_tx } from '../../core/proto/cosmos/gov/v1/tx_pb.js';
import { file_cosmos_gov_v1beta1_gov } from '../../core/proto/cosmos/gov/v1beta1/gov_pb.js';
import { file_cosmos_gov_v1beta1_tx } from '../../core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { file_cosmos_upgrade_v1beta1_upgrade } from '../../core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { MESSAGE_TYPES } from '../../core/sdk/message-types.js';

/** Types that an `Any` may have on the command line, whatever modules the node has. */
export const CLI_TYPES: Registry = createRegistry(
  MESSAGE_TYPES,
  file_cosmos_distribution_v1beta1_distribution,
  file_cosmos_distribution_v1beta1_tx,
  file_cosmos_slashing_v1beta1_tx,
  file_cosmos_evidence_v1beta1_evidence,
  file_cosmos_evidence_v1beta1_tx,
  file_cosmos_gov_v1_tx,
  file_cosmos_gov_v1beta1_gov,
  file_cosmos_gov_v1beta1_tx,
  file_cosmos_upgrade_v1beta1_upgrade,
);
