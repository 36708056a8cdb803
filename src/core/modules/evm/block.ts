/** Block environment of Ethereum transactions (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`). */
import type { Context } from '../../sdk/module/context.js';
import type { EvmBlock } from '../../evm/transaction.js';
import { coinbaseOverride, prevRandaoOverride } from '../../sdk/module/development-chain.js';
import { getBaseFee } from '../feemarket/params.js';
import { blockRules, MAX_HASH } from './block-rules.js';
import { surchargesOf } from './extra-eips.js';
import { permissionsOf } from './permissions.js';
import { getParams } from './store.js';
import { NS_PER_SECOND } from '../../primitives.js';

/** Block environment of `context`. */
export function evmBlock(context: Context): EvmBlock {
  const { fork, txGasCap } = context.version.evm;
  const rules = blockRules.of(context);
  const params = getParams(context);
  const surcharges = surchargesOf(params.extraEips);
  const permissions = permissionsOf(context.crypto, params);
  return {
    fork,
    chainId: context.chain.evmChainId,
    number: context.height,
    coinbase: coinbase(context),
    timestamp: context.time / NS_PER_SECOND,
    gasLimit: rules.gasLimit(context),
    baseFee: getBaseFee(context),
    prevRandao: prevRandaoOverride(context, context.height) ?? MAX_HASH,
    ...(txGasCap === undefined ? {} : { txGasCap }),
    ...(surcharges === undefined ? {} : { surcharges }),
    ...(permissions === undefined ? {} : { permissions }),
    ...rules.engine,
  };
}

/** COINBASE (20 bytes); zeros without a proposer. */
function coinbase(context: Context): Uint8Array {
  const override = coinbaseOverride(context);
  if (override !== undefined) return override;
  const { proposer } = context.block;
  if (proposer.length === 0) return new Uint8Array(20);
  return blockRules.of(context).coinbase(context, proposer);
}
