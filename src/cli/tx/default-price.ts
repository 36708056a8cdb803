import { create } from '@bufbuild/protobuf';
import { highest, afterRise, MIN_COSMOS_GAS_PRICE } from '../../core/ethereum/suggested-price.js';
import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { Service } from '../../core/proto/cosmos/base/node/v1beta1/query_pb.js';
import { ParamsSchema } from '../../core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { Query } from '../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import { isValidDenom } from '../../core/sdk/coins/coins.js';
import { DEC_ONE } from '../../core/sdk/coins/dec.js';
import { ETHER_DECIMALS } from '../../core/sdk/coins/evm-coin.js';
import { answered, ask } from '../client/app-query.js';
import type { GasPrice } from '../values/coins.js';
import type { CommandContext } from '../context.js';
import { evmConfigOf } from '../client/evm-config.js';
import type { RpcClient } from '../client/rpc-client.js';

const OF_DEV_CHAINS: GasPrice = { denom: DEV_BASE_DENOM, numerator: MIN_COSMOS_GAS_PRICE, decimals: 0 };
const DEC_DECIMALS = 18;

/**
 * The default gas price: two gwei in the EVM coin of the node's chain, the only fee coin (cosmos/evm v0.6
 * `ante/cosmos/min_gas_price.go`), or more if the fee market or the node requires it. It is scaled for a coin with
 * fewer decimals than ether. Offline, or without an EVM, the price is in the dev chain's coin.
 */
export async function defaultGasPrice({ rpc }: Pick<CommandContext, 'rpc'>): Promise<GasPrice> {
  if (rpc.offline) return OF_DEV_CHAINS;
  const config = await answered(evmConfigOf(rpc));
  const { denom = '', decimals = 0n } = config ?? {};
  if (!isValidDenom(denom)) return OF_DEV_CHAINS;
  // 0 decimals: the application does not report them
  const hasFewer = decimals > 0n && decimals < BigInt(ETHER_DECIMALS);
  const unit = 10n ** (hasFewer ? BigInt(ETHER_DECIMALS) - decimals : 0n);
  const least = (MIN_COSMOS_GAS_PRICE * DEC_ONE) / unit;
  const numerator = highest(least, ...(await Promise.all([marketPrice(rpc), nodePrice(rpc, denom)])));
  return { denom, numerator, decimals: DEC_DECIMALS };
}

/** A gas price above the fee market's minimum and the next block's base fee, in 10^-18 of the base unit. */
async function marketPrice(rpc: RpcClient): Promise<bigint> {
  const { input, output } = Query.method.params;
  const answer = await answered(ask(rpc, '/cosmos.evm.feemarket.v1.Query/Params', input, {}, output));
  const { noBaseFee, baseFee, minGasPrice } = answer?.params ?? create(ParamsSchema);
  return highest(decimalOf(minGasPrice), noBaseFee ? 0n : afterRise(decimalOf(baseFee)));
}

/** The node's minimum gas price (`--minimum-gas-prices`) in `denom`, in 10^-18 of the base unit. */
async function nodePrice(rpc: RpcClient, denom: string): Promise<bigint> {
  const { input, output } = Service.method.config;
  const answer = await answered(ask(rpc, '/cosmos.base.node.v1beta1.Service/Config', input, {}, output));
  const prices = answer?.minimumGasPrice.split(',') ?? [];
  const own = prices.find((price) => price.replace(/^[0-9.]+/, '') === denom) ?? '';
  const [, whole = '0', fraction = ''] = /^([0-9]+)(?:\.([0-9]{1,18}))?/.exec(own) ?? [];
  return BigInt(whole + fraction.padEnd(DEC_DECIMALS, '0'));
}

const decimalOf = (text: string): bigint => (/^[0-9]+$/.test(text) ? BigInt(text) : 0n);
