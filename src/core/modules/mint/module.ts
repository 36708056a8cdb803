/** Inflation (cosmos-sdk v0.53 `x/mint`). */
import { create } from '@bufbuild/protobuf';
import { GenesisStateSchema } from '../../proto/cosmos/mint/v1beta1/genesis_pb.js';
import { ParamsSchema } from '../../proto/cosmos/mint/v1beta1/mint_pb.js';
import * as pb from '../../proto/cosmos/mint/v1beta1/query_pb.js';
import { file_cosmos_mint_v1beta1_tx, Msg } from '../../proto/cosmos/mint/v1beta1/tx_pb.js';
import { utf8 } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { message, query, type Module } from '../../sdk/module/module.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { requireUpdate } from '../authority.js';
import { beginBlock, getMinter, MINT, minterMessage, minterOfMessage, setMinter, type Minter } from './minter.js';
import { defaultParams, getParams, paramsMessage, paramsOfMessage, paramsProblem, setParams, STORE } from './params.js';
import type { MintParams } from './params.js';

/** Initial minter of the SDK: 13 % per year. */
const FIRST_MINTER: Minter = { inflation: (13n * DEC_ONE) / 100n, annualProvisions: 0n };

function initGenesis(context: Context, section: unknown): void {
  const state = readDecimalSection('app_state.mint', GenesisStateSchema, section ?? {});
  const params = state.params ?? paramsMessage(defaultParams(context.chain.baseDenom));
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError('app_state.mint.params', problem);
  setMinter(context, state.minter === undefined ? FIRST_MINTER : minterOfMessage(state.minter));
  setParams(context, paramsOfMessage(params));
  ensureModuleAccount(context, MINT);
}

function exportGenesis(context: Context): unknown {
  const state = { minter: minterMessage(requireMinter(context)), params: paramsMessage(requireParams(context)) };
  return writeDecimalSection(GenesisStateSchema, state);
}

function requireParams(context: Context): MintParams {
  return getParams(context) ?? missing('Params');
}

function requireMinter(context: Context): Minter {
  return getMinter(context) ?? missing('Minter');
}

/** Throws with the text of `cosmossdk.io/collections` for a missing item. */
function missing(type: string): never {
  throw plainError(
    `collections: not found: key 'no_key' of type github.com/cosmos/gogoproto/cosmos.mint.v1beta1.${type}`,
  );
}

const updateParams = message(Msg, 'updateParams', (context, { authority, params = create(ParamsSchema) }) => {
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, paramsOfMessage(params));
});

const queries = [
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(requireParams(context)) })),
  query(pb.Query, 'inflation', (context) => ({ inflation: shown(requireMinter(context).inflation) })),
  query(pb.Query, 'annualProvisions', (context) => ({
    annualProvisions: shown(requireMinter(context).annualProvisions),
  })),
];

/** Encodes a decimal for a query response: bytes of the integer's text. */
function shown(value: bigint): Uint8Array {
  return utf8(value.toString());
}

export const mintModule: Module = {
  name: MINT,
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis,
  messages: [updateParams],
  queries,
  types: [file_cosmos_mint_v1beta1_tx],
  beginBlock,
};
