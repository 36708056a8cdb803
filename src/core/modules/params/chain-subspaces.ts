/**
 * Legacy subspaces of consensus parameters (`baseapp`; cosmos-sdk v0.53 `baseapp/params_legacy.go`), and of evm and
 * feemarket with their names in Ethermint v0.19 (`x/evm/types/params.go`, `x/feemarket/types/params.go`).
 */
import { create } from '@bufbuild/protobuf';
import * as consensusTx from '../../proto/cosmos/consensus/v1/tx_pb.js';
import { ParamsSchema as FeeMarketParamsSchema } from '../../proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import * as feemarketTx from '../../proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { ParamsSchema as EvmParamsSchema } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import * as evmTx from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { ConsensusParamsSchema } from '../../proto/tendermint/types/params_pb.js';
import { execute } from '../../sdk/module/execute-message.js';
import { getConsensusParams } from '../consensus/module.js';
import { getParams as evmParams } from '../evm/store.js';
import { getParams as getFeeMarketParams, toMessage } from '../feemarket/params.js';
import { subspace, type Subspace } from './subspace.js';

export const CHAIN_SUBSPACES: readonly Subspace[] = [
  subspace(
    { name: 'baseapp', module: 'consensus' },
    ConsensusParamsSchema,
    { BlockParams: 'block', EvidenceParams: 'evidence', ValidatorParams: 'validator' },
    (context) => getConsensusParams(context) ?? create(ConsensusParamsSchema),
    (context, authority, { block, evidence, validator, abci }) =>
      execute(context, consensusTx.MsgUpdateParamsSchema, {
        authority,
        ...(block && { block }),
        ...(evidence && { evidence }),
        ...(validator && { validator }),
        ...(abci && { abci }),
      }),
  ),
  subspace(
    { name: 'evm' },
    EvmParamsSchema,
    { EVMDenom: 'evm_denom', EnableExtraEIPs: 'extra_eips' },
    evmParams,
    (context, authority, params) => execute(context, evmTx.MsgUpdateParamsSchema, { authority, params }),
  ),
  subspace(
    { name: 'feemarket' },
    FeeMarketParamsSchema,
    {
      NoBaseFee: 'no_base_fee',
      BaseFeeChangeDenominator: 'base_fee_change_denominator',
      ElasticityMultiplier: 'elasticity_multiplier',
      BaseFee: 'base_fee',
      EnableHeight: 'enable_height',
      MinGasPrice: 'min_gas_price',
      MinGasMultiplier: 'min_gas_multiplier',
    },
    (context) => toMessage(getFeeMarketParams(context)),
    (context, authority, params) => execute(context, feemarketTx.MsgUpdateParamsSchema, { authority, params }),
  ),
];
