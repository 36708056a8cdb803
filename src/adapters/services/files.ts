/** The proto files that the node serves: their services, messages and options, for reflection, REST routes and JSON. */
import { createRegistry, type DescFile, type DescService, type Registry } from '@bufbuild/protobuf';
import { file_chronicle_dev_v1_tx } from '../../core/proto/chronicle/dev/v1/tx_pb.js';
import { file_cosmos_auth_v1beta1_query } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { file_cosmos_auth_v1beta1_tx } from '../../core/proto/cosmos/auth/v1beta1/tx_pb.js';
import { file_cosmos_authz_v1beta1_query } from '../../core/proto/cosmos/authz/v1beta1/query_pb.js';
import { file_cosmos_authz_v1beta1_tx } from '../../core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { file_cosmos_bank_v1beta1_authz } from '../../core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { file_cosmos_bank_v1beta1_query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { file_cosmos_bank_v1beta1_tx } from '../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { file_cosmos_base_node_v1beta1_query } from '../../core/proto/cosmos/base/node/v1beta1/query_pb.js';
import { file_cosmos_base_reflection_v1beta1_reflection } from '../../core/proto/cosmos/base/reflection/v1beta1/reflection_pb.js';
import { file_cosmos_base_reflection_v2alpha1_reflection } from '../../core/proto/cosmos/base/reflection/v2alpha1/reflection_pb.js';
import { file_cosmos_base_tendermint_v1beta1_query } from '../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import { file_cosmos_consensus_v1_query } from '../../core/proto/cosmos/consensus/v1/query_pb.js';
import { file_cosmos_consensus_v1_tx } from '../../core/proto/cosmos/consensus/v1/tx_pb.js';
import { file_cosmos_crisis_v1beta1_tx } from '../../core/proto/cosmos/crisis/v1beta1/tx_pb.js';
import { file_cosmos_crypto_ed25519_keys } from '../../core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { file_cosmos_crypto_multisig_keys } from '../../core/proto/cosmos/crypto/multisig/keys_pb.js';
import { file_cosmos_crypto_secp256k1_keys } from '../../core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { file_cosmos_distribution_v1beta1_distribution } from '../../core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { file_cosmos_distribution_v1beta1_tx } from '../../core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { file_cosmos_evm_ante_v1_dynamic_fee } from '../../core/proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { file_cosmos_evm_crypto_v1_ethsecp256k1_keys } from '../../core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { file_cosmos_evm_erc20_v1_query } from '../../core/proto/cosmos/evm/erc20/v1/query_pb.js';
import { file_cosmos_evm_erc20_v1_tx } from '../../core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { file_cosmos_evm_precisebank_v1_query } from '../../core/proto/cosmos/evm/precisebank/v1/query_pb.js';
import { file_cosmos_evm_feemarket_v1_query } from '../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import { file_cosmos_evm_feemarket_v1_tx } from '../../core/proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { file_cosmos_evm_vm_v1_query } from '../../core/proto/cosmos/evm/vm/v1/query_pb.js';
import { file_cosmos_evm_vm_v1_tx } from '../../core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { file_cosmos_feegrant_v1beta1_query } from '../../core/proto/cosmos/feegrant/v1beta1/query_pb.js';
import { file_cosmos_feegrant_v1beta1_tx } from '../../core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { file_cosmos_gov_v1_query } from '../../core/proto/cosmos/gov/v1/query_pb.js';
import { file_cosmos_gov_v1_tx } from '../../core/proto/cosmos/gov/v1/tx_pb.js';
import { file_cosmos_gov_v1beta1_query } from '../../core/proto/cosmos/gov/v1beta1/query_pb.js';
import { file_cosmos_gov_v1beta1_tx } from '../../core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { file_cosmos_distribution_v1beta1_query } from '../../core/proto/cosmos/distribution/v1beta1/query_pb.js';
import { file_cosmos_evidence_v1beta1_evidence } from '../../core/proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { file_cosmos_evidence_v1beta1_query } from '../../core/proto/cosmos/evidence/v1beta1/query_pb.js';
import { file_cosmos_evidence_v1beta1_tx } from '../../core/proto/cosmos/evidence/v1beta1/tx_pb.js';
import { file_cosmos_mint_v1beta1_query } from '../../core/proto/cosmos/mint/v1beta1/query_pb.js';
import { file_cosmos_mint_v1beta1_tx } from '../../core/proto/cosmos/mint/v1beta1/tx_pb.js';
import { file_cosmos_params_v1beta1_query } from '../../core/proto/cosmos/params/v1beta1/query_pb.js';
import { file_cosmos_slashing_v1beta1_query } from '../../core/proto/cosmos/slashing/v1beta1/query_pb.js';
import { file_cosmos_slashing_v1beta1_tx } from '../../core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { file_cosmos_reflection_v1_reflection } from '../../core/proto/cosmos/reflection/v1/reflection_pb.js';
import { file_cosmos_staking_v1beta1_authz } from '../../core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { file_cosmos_staking_v1beta1_query } from '../../core/proto/cosmos/staking/v1beta1/query_pb.js';
import { file_cosmos_staking_v1beta1_tx } from '../../core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { file_cosmos_tx_v1beta1_service } from '../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { file_cosmos_upgrade_v1beta1_query } from '../../core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { file_cosmos_upgrade_v1beta1_tx } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { file_cosmos_vesting_v1beta1_tx } from '../../core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { file_ethermint_evm_v1_query } from '../../core/proto/ethermint/evm/v1/query_pb.js';
import { file_ethermint_feemarket_v1_query } from '../../core/proto/ethermint/feemarket/v1/query_pb.js';
import { file_grpc_health_v1_health } from '../../core/proto/grpc/health/v1/health_pb.js';
import { file_grpc_reflection_v1_reflection } from '../../core/proto/grpc/reflection/v1/reflection_pb.js';
import { file_grpc_reflection_v1alpha_reflection } from '../../core/proto/grpc/reflection/v1alpha/reflection_pb.js';
import { file_ibc_applications_transfer_v1_authz } from '../../core/proto/ibc/applications/transfer/v1/authz_pb.js';
import { file_ibc_applications_transfer_v1_query } from '../../core/proto/ibc/applications/transfer/v1/query_pb.js';
import { file_ibc_core_channel_v1_query } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { file_ibc_core_channel_v2_query } from '../../core/proto/ibc/core/channel/v2/query_pb.js';
import { file_ibc_core_client_v1_query } from '../../core/proto/ibc/core/client/v1/query_pb.js';
import { file_ibc_core_client_v2_query } from '../../core/proto/ibc/core/client/v2/query_pb.js';
import { file_ibc_core_connection_v1_query } from '../../core/proto/ibc/core/connection/v1/query_pb.js';
import { file_ibc_applications_transfer_v1_tx } from '../../core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { file_ibc_core_channel_v1_tx } from '../../core/proto/ibc/core/channel/v1/tx_pb.js';
import { file_ibc_core_client_v1_tx } from '../../core/proto/ibc/core/client/v1/tx_pb.js';
import { file_ibc_core_connection_v1_tx } from '../../core/proto/ibc/core/connection/v1/tx_pb.js';
import { file_ibc_lightclients_tendermint_v1_tendermint } from '../../core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { file_sdk_upgrade_v1beta1_query } from '../../core/proto/sdk/upgrade/v1beta1/query_pb.js';

/** Files that no other file in the list imports; their imports are added. */
const ROOTS: readonly DescFile[] = [
  file_chronicle_dev_v1_tx,
  file_cosmos_auth_v1beta1_query,
  file_cosmos_auth_v1beta1_tx,
  file_cosmos_authz_v1beta1_query,
  file_cosmos_authz_v1beta1_tx,
  file_cosmos_bank_v1beta1_authz,
  file_cosmos_bank_v1beta1_query,
  file_cosmos_bank_v1beta1_tx,
  file_cosmos_base_node_v1beta1_query,
  file_cosmos_base_reflection_v1beta1_reflection,
  file_cosmos_base_reflection_v2alpha1_reflection,
  file_cosmos_base_tendermint_v1beta1_query,
  file_cosmos_consensus_v1_query,
  file_cosmos_consensus_v1_tx,
  file_cosmos_crisis_v1beta1_tx,
  file_cosmos_crypto_ed25519_keys,
  file_cosmos_crypto_multisig_keys,
  file_cosmos_crypto_secp256k1_keys,
  file_cosmos_distribution_v1beta1_distribution,
  file_cosmos_distribution_v1beta1_tx,
  file_cosmos_evm_ante_v1_dynamic_fee,
  file_cosmos_evm_crypto_v1_ethsecp256k1_keys,
  file_cosmos_evm_erc20_v1_query,
  file_cosmos_evm_erc20_v1_tx,
  file_cosmos_evm_precisebank_v1_query,
  file_cosmos_evm_feemarket_v1_query,
  file_cosmos_evm_feemarket_v1_tx,
  file_cosmos_evm_vm_v1_query,
  file_cosmos_evm_vm_v1_tx,
  file_cosmos_feegrant_v1beta1_query,
  file_cosmos_feegrant_v1beta1_tx,
  file_cosmos_gov_v1_query,
  file_cosmos_gov_v1_tx,
  file_cosmos_gov_v1beta1_query,
  file_cosmos_gov_v1beta1_tx,
  file_cosmos_distribution_v1beta1_query,
  file_cosmos_evidence_v1beta1_evidence,
  file_cosmos_evidence_v1beta1_query,
  file_cosmos_evidence_v1beta1_tx,
  file_cosmos_mint_v1beta1_query,
  file_cosmos_mint_v1beta1_tx,
  file_cosmos_params_v1beta1_query,
  file_cosmos_slashing_v1beta1_query,
  file_cosmos_slashing_v1beta1_tx,
  file_cosmos_reflection_v1_reflection,
  file_cosmos_staking_v1beta1_authz,
  file_cosmos_staking_v1beta1_query,
  file_cosmos_staking_v1beta1_tx,
  file_cosmos_tx_v1beta1_service,
  file_cosmos_upgrade_v1beta1_query,
  file_cosmos_upgrade_v1beta1_tx,
  file_cosmos_vesting_v1beta1_tx,
  file_ethermint_evm_v1_query,
  file_ethermint_feemarket_v1_query,
  file_grpc_health_v1_health,
  file_grpc_reflection_v1_reflection,
  file_grpc_reflection_v1alpha_reflection,
  file_ibc_applications_transfer_v1_authz,
  file_ibc_applications_transfer_v1_query,
  file_ibc_core_channel_v1_query,
  file_ibc_core_channel_v2_query,
  file_ibc_core_client_v1_query,
  file_ibc_core_client_v2_query,
  file_ibc_core_connection_v1_query,
  file_ibc_applications_transfer_v1_tx,
  file_ibc_core_channel_v1_tx,
  file_ibc_core_client_v1_tx,
  file_ibc_core_connection_v1_tx,
  file_ibc_lightclients_tendermint_v1_tendermint,
  file_sdk_upgrade_v1beta1_query,
];

export interface ServedFiles {
  /** Every message, enum, extension and service by full name. */
  readonly registry: Registry;
  /** Every file, after the files that it imports. */
  readonly files: readonly DescFile[];
  /** Every service of those files in order of names, implemented or not. */
  readonly services: readonly DescService[];
}

let made: ServedFiles | undefined;

/** The files, computed once. */
export function servedFiles(): ServedFiles {
  if (made !== undefined) return made;
  const files = withImports();
  const services = files.flatMap((file) => file.services);
  services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  made = { registry: createRegistry(...files), files, services };
  return made;
}

/** The roots and all their imports, each once. */
function withImports(): readonly DescFile[] {
  const all = new Map<string, DescFile>();
  const add = (file: DescFile): void => {
    if (all.has(file.name)) return;
    for (const imported of file.dependencies) add(imported);
    all.set(file.name, file);
  };
  for (const file of ROOTS) add(file);
  return [...all.values()];
}
