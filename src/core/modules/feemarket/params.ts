/**
 * Parameters of the fee market and gas of the last block, in the encodings of cosmos/evm v0.6 for store `feemarket`.
 */
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { utf8 } from '../../bytes/bytes.js';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, truncateDec } from '../../sdk/coins/dec.js';
import { unmetered } from '../../sdk/module/gas.js';
import { Records } from '../../state/records.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { ParamsSchema, type Params } from '../../proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { convertedCodec } from '../../state/params-record.js';

export const STORE = 'feemarket';
const BLOCK_GAS_KEY = Uint8Array.of(1);
export const PARAMS_KEY = utf8('Params');
/** Store and key of the parameters. */
export const FEE_MARKET_PARAMS = { store: STORE, key: PARAMS_KEY } as const;

/** Parameters; decimals are in units of 10^-18. */
export interface FeeMarketParams {
  readonly noBaseFee: boolean;
  readonly changeDenominator: bigint;
  readonly elasticity: bigint;
  readonly enableHeight: bigint;
  readonly baseFee: bigint;
  readonly minGasPrice: bigint;
  readonly minGasMultiplier: bigint;
}

/** Fee market of preset `chronicle`: EIP-1559 from 1 gwei; gas used is that of the execution. */
export const DEFAULT_PARAMS: FeeMarketParams = {
  noBaseFee: false,
  changeDenominator: 8n,
  elasticity: 2n,
  enableHeight: 0n,
  baseFee: 1_000_000_000n * DEC_ONE,
  minGasPrice: 0n,
  minGasMultiplier: 0n,
};

const records = new Records(STORE, convertedCodec(ParamsSchema, toMessage, fromMessage));

/** Reads the parameters without gas: the ante rules read them before a transaction's meter starts. */
export function getParams({ store }: Pick<Context, 'store'>): FeeMarketParams {
  return records.get({ store: unmetered(store) }, PARAMS_KEY) ?? DEFAULT_PARAMS;
}

/** Stores the parameters without validation. */
export function setParams(context: Context, params: FeeMarketParams): void {
  records.set(context, PARAMS_KEY, params);
}

/** Converts to the message; decimals become integer strings. */
export function toMessage(params: FeeMarketParams): Params {
  return {
    $typeName: 'cosmos.evm.feemarket.v1.Params',
    noBaseFee: params.noBaseFee,
    baseFeeChangeDenominator: Number(params.changeDenominator),
    elasticityMultiplier: Number(params.elasticity),
    enableHeight: params.enableHeight,
    baseFee: params.baseFee.toString(),
    minGasPrice: params.minGasPrice.toString(),
    minGasMultiplier: params.minGasMultiplier.toString(),
  };
}

/** Converts from the message; SDK error 2 for a decimal that is not an integer of 10^-18. An absent one is 0. */
export function fromMessage(params: Params): FeeMarketParams {
  const integer = (text: string): bigint => decOfMessage(text) ?? 0n;
  return {
    noBaseFee: params.noBaseFee,
    changeDenominator: BigInt(params.baseFeeChangeDenominator),
    elasticity: BigInt(params.elasticityMultiplier),
    enableHeight: params.enableHeight,
    baseFee: integer(params.baseFee),
    minGasPrice: integer(params.minGasPrice),
    minGasMultiplier: integer(params.minGasMultiplier),
  };
}

/** Base fee of the current block in whole wei; 0 when base fees are off. The stored one is in bank coins. */
export function getBaseFee(context: Pick<Context, 'store'>): bigint {
  const params = getParams(context);
  return params.noBaseFee ? 0n : truncateDec(params.baseFee * evmCoin(context).unit);
}

/** Base fee of block 0 in wei; undefined when base fees are off or start later. */
export function baseFeeOfGenesis({ noBaseFee, enableHeight, baseFee }: FeeMarketParams): bigint | undefined {
  return noBaseFee || enableHeight > 0n ? undefined : truncateDec(baseFee);
}

/** Gas of the last block, from which the next base fee is computed. */
export function getBlockGas(context: Pick<Context, 'store'>): bigint {
  const value = context.store.get(STORE, BLOCK_GAS_KEY);
  return value === undefined ? 0n : readBe64(value);
}

/** Stores the gas of this block. */
export function setBlockGas(context: Context, gas: bigint): void {
  context.store.set(STORE, BLOCK_GAS_KEY, be64(gas));
}
