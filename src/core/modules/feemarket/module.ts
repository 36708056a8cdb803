/** Fee market (cosmos/evm v0.6 `x/feemarket`): one base fee for Ethereum and Cosmos transactions. */
import { create } from '@bufbuild/protobuf';
import type { Context } from '../../sdk/module/context.js';
import { formatDec, parseSignedDec } from '../../sdk/coins/dec.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { message, query, type Module } from '../../sdk/module/module.js';
import { ParamsSchema, type Params } from '../../proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { GenesisStateSchema } from '../../proto/cosmos/evm/feemarket/v1/genesis_pb.js';
import * as pb from '../../proto/cosmos/evm/feemarket/v1/query_pb.js';
import { Msg } from '../../proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { requireGovernance, validateAccount } from '../authority.js';
import { beginBlock, endBlock } from './base-fee.js';
import {
  baseFeeOfGenesis,
  DEFAULT_PARAMS,
  fromMessage,
  getBlockGas,
  getParams,
  setBlockGas,
  setParams,
  STORE,
  toMessage,
  type FeeMarketParams,
} from './params.js';
import { invalidParams } from './validate-params.js';

const DECIMALS = ['baseFee', 'minGasPrice', 'minGasMultiplier'] as const;

function initGenesis(context: Context, section: unknown): void {
  const { params, blockGas } = readGenesis(section);
  const wrong = invalidParams(toMessage(params));
  if (wrong !== undefined) throw new GenesisError('app_state.feemarket.params', wrong.message);
  setParams(context, params);
  setBlockGas(context, blockGas);
}

function readGenesis(section: unknown): { readonly params: FeeMarketParams; readonly blockGas: bigint } {
  const { params, blockGas } = readSection('app_state.feemarket', GenesisStateSchema, section ?? {});
  return { params: params === undefined ? DEFAULT_PARAMS : fromMessage(withIntegers(params)), blockGas };
}

/**
 * Base fee (wei) of the synthetic block 0 in Ethereum JSON-RPC: the genesis one, if base fees are on from its height.
 */
export function genesisBaseFee(section: unknown): bigint | undefined {
  return baseFeeOfGenesis(readGenesis(section).params);
}

/** Converts the decimal points of genesis JSON to protobuf's integers. */
function withIntegers(params: Params): Params {
  const integers = DECIMALS.map((name) => {
    const value = parseSignedDec(params[name] === '' ? '0' : params[name]);
    if (value === undefined)
      throw new GenesisError(`app_state.feemarket.params.${name}`, `not a decimal: ${params[name]}`);
    return [name, value.toString()] as const;
  });
  return create(ParamsSchema, { ...params, ...Object.fromEntries(integers) });
}

function exportGenesis(context: Context): unknown {
  const params = toMessage(getParams(context));
  const shown = Object.fromEntries(DECIMALS.map((name) => [name, formatDec(BigInt(params[name]))]));
  return writeSection(GenesisStateSchema, {
    params: create(ParamsSchema, { ...params, ...shown }),
    blockGas: getBlockGas(context),
  });
}

const updateParams = message(Msg, 'updateParams', {
  validate({ authority, params }, { chain }) {
    validateAccount(authority, chain.bech32Prefix, 'invalid authority address');
    const wrong = invalidParams(params ?? create(ParamsSchema));
    if (wrong !== undefined) throw wrong;
  },
  handle(context, { authority, params }) {
    requireGovernance(context, authority);
    setParams(context, fromMessage(params ?? create(ParamsSchema)));
  },
});

const queries = [
  query(pb.Query, 'params', (context) => ({ params: toMessage(getParams(context)) })),
  query(pb.Query, 'baseFee', (context) => {
    const { noBaseFee, baseFee } = getParams(context);
    return noBaseFee ? {} : { baseFee: baseFee.toString() };
  }),
  query(pb.Query, 'blockGas', (context) => ({ gas: getBlockGas(context) })),
];

export const feemarketModule: Module = {
  name: 'feemarket',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [updateParams],
  queries,
  beginBlock,
  endBlock,
};
