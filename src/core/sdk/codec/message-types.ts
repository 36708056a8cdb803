import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { file_chronicle_dev_v1_tx } from '../../proto/chronicle/dev/v1/tx_pb.js';
import { file_cosmos_auth_v1beta1_auth } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import { file_cosmos_auth_v1beta1_tx } from '../../proto/cosmos/auth/v1beta1/tx_pb.js';
import { file_cosmos_authz_v1beta1_authz } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import { file_cosmos_authz_v1beta1_tx } from '../../proto/cosmos/authz/v1beta1/tx_pb.js';
import { file_cosmos_bank_v1beta1_authz } from '../../proto/cosmos/bank/v1beta1/authz_pb.js';
import { file_cosmos_bank_v1beta1_tx } from '../../proto/cosmos/bank/v1beta1/tx_pb.js';
import { file_cosmos_consensus_v1_tx } from '../../proto/cosmos/consensus/v1/tx_pb.js';
import { file_cosmos_crypto_ed25519_keys } from '../../proto/cosmos/crypto/ed25519/keys_pb.js';
import { file_cosmos_crypto_multisig_keys } from '../../proto/cosmos/crypto/multisig/keys_pb.js';
import { file_cosmos_crypto_secp256k1_keys } from '../../proto/cosmos/crypto/secp256k1/keys_pb.js';
import { file_cosmos_evm_ante_v1_dynamic_fee } from '../../proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { file_cosmos_evm_crypto_v1_ethsecp256k1_keys } from '../../proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { file_cosmos_evm_feemarket_v1_tx } from '../../proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { file_cosmos_evm_vm_v1_tx } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { file_cosmos_feegrant_v1beta1_feegrant } from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { file_cosmos_feegrant_v1beta1_tx } from '../../proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { file_cosmos_staking_v1beta1_authz } from '../../proto/cosmos/staking/v1beta1/authz_pb.js';
import { file_cosmos_upgrade_v1beta1_tx } from '../../proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { file_cosmos_vesting_v1beta1_tx } from '../../proto/cosmos/vesting/v1beta1/tx_pb.js';
import { file_cosmos_vesting_v1beta1_vesting } from '../../proto/cosmos/vesting/v1beta1/vesting_pb.js';

/** Types that an `Any` of a transaction or account may contain: messages, keys, accounts, options. */
export const MESSAGE_TYPES: Registry = createRegistry(
  file_chronicle_dev_v1_tx,
  file_cosmos_auth_v1beta1_auth,
  file_cosmos_auth_v1beta1_tx,
  file_cosmos_authz_v1beta1_authz,
  file_cosmos_authz_v1beta1_tx,
  file_cosmos_bank_v1beta1_authz,
  file_cosmos_bank_v1beta1_tx,
  file_cosmos_consensus_v1_tx,
  file_cosmos_crypto_ed25519_keys,
  file_cosmos_crypto_multisig_keys,
  file_cosmos_crypto_secp256k1_keys,
  file_cosmos_evm_ante_v1_dynamic_fee,
  file_cosmos_evm_crypto_v1_ethsecp256k1_keys,
  file_cosmos_evm_feemarket_v1_tx,
  file_cosmos_evm_vm_v1_tx,
  file_cosmos_feegrant_v1beta1_feegrant,
  file_cosmos_feegrant_v1beta1_tx,
  file_cosmos_staking_v1beta1_authz,
  file_cosmos_upgrade_v1beta1_tx,
  file_cosmos_vesting_v1beta1_tx,
  file_cosmos_vesting_v1beta1_vesting,
);
