/**
 * Token transfers over IBC (ibc-go v10 `modules/apps/transfer`): genesis (`keeper/genesis.go`, `types/genesis.go`),
 * messages and queries.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { text, utf8 } from '../../bytes/bytes.js';
import { file_ibc_applications_transfer_v1_authz } from '../../proto/ibc/applications/transfer/v1/authz_pb.js';
import { GenesisStateSchema } from '../../proto/ibc/applications/transfer/v1/genesis_pb.js';
import type { Denom } from '../../proto/ibc/applications/transfer/v1/token_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { file_ibc_applications_transfer_v1_tx } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { areValidCoins, coin, formatCoins, isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { type Module, query } from '../../sdk/module/module.js';
import { denomHash, denomRefusal, pathOf, requirePath } from './denom.js';
import { allDenoms, denomsOfPage, getDenom, setDenom } from './denoms.js';
import { messages } from './messages.js';
import { PARAMS_KEY, PORT_KEY, STORE, denomKey } from './store.js';
import { allTotalEscrow, getTotalEscrow, setTotalEscrow } from './total-escrow.js';
import { upperHex } from '../../bytes/hex.js';
import * as pb from '../../proto/ibc/applications/transfer/v1/query_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { has } from '../../sdk/module/gas.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { getChannel } from '../ibc/channel/channels.js';
import { requirePortAndChannel } from '../ibc/identifiers.js';
import { escrowAddress } from './escrow.js';
import { requireDenomHash } from './hash.js';

/** Queries of transfer (ibc-go v10 `modules/apps/transfer/keeper/grpc_query.go`). */
const queries = [
  query(pb.Query, 'params', ({ store }) => ({
    params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
  })),
  query(pb.Query, 'denoms', (context, request) => denomsOfPage(context, request.pagination)),
  query(pb.Query, 'denom', (context, { hash }) => {
    const denom = getDenom(context, requireDenomHash(hash));
    if (denom === undefined) throw grpcError('NotFound', `${hash}: denomination not found`);
    return { denom };
  }),
  query(pb.Query, 'denomHash', (context, { trace }) => {
    const hash = denomHash((data) => context.crypto.sha256(data), requirePath(trace));
    if (!has(context.store, STORE, denomKey(hash))) throw grpcError('NotFound', `${trace}: denomination not found`);
    return { hash: upperHex(hash) };
  }),
  query(pb.Query, 'escrowAddress', (context, request) => {
    requirePortAndChannel(request);
    if (getChannel(context, request) === undefined)
      throw grpcError('NotFound', `port ID (${request.portId}) channel ID (${request.channelId}): channel not found`);
    const account = escrowAddress((data) => context.crypto.sha256(data), request);
    return {
      escrowAddress: encodeAddress(context.chain.bech32Prefix, account),
    };
  }),
  query(pb.Query, 'totalEscrowForDenom', (context, { denom }) => {
    if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`);
    return { amount: coin(denom, getTotalEscrow(context, denom)) };
  }),
];

const PATH = 'app_state.transfer';
const PORT = 'transfer';

function initGenesis(context: Context, section: unknown): void {
  const { store } = context;
  const state = readSection(PATH, GenesisStateSchema, section ?? {});
  requireDenoms(state.denoms);
  if (!areValidCoins(state.totalEscrowed))
    throw new GenesisError(`${PATH}.total_escrowed`, `invalid coins: ${formatCoins(state.totalEscrowed)}`);
  const params = state.params ?? create(ParamsSchema, { sendEnabled: true, receiveEnabled: true });
  store.set(STORE, PORT_KEY, utf8(state.portId === '' ? PORT : state.portId));
  for (const denom of state.denoms) setDenom(context, denom);
  store.set(STORE, PARAMS_KEY, toBinary(ParamsSchema, params));
  for (const { denom, amount } of state.totalEscrowed) setTotalEscrow(context, denom, BigInt(amount));
}

function requireDenoms(denoms: readonly Denom[]): void {
  const paths = new Set<string>();
  for (const [index, denom] of denoms.entries()) {
    const refusal = denomRefusal(denom);
    if (refusal !== undefined) throw new GenesisError(`${PATH}.denoms[${index}]`, refusal.message);
    const path = pathOf(denom);
    if (paths.has(path)) throw new GenesisError(`${PATH}.denoms[${index}]`, `duplicated denomination: ${path}`);
    paths.add(path);
  }
}

function exportGenesis(context: Context): unknown {
  const { store } = context;
  return writeSection(GenesisStateSchema, {
    portId: text(store.get(STORE, PORT_KEY) ?? new Uint8Array()),
    params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
    denoms: [...allDenoms(context)],
    totalEscrowed: [...allTotalEscrow(context)],
  });
}

export const transferModule: Module = {
  name: 'transfer',
  store: STORE,
  consensusVersion: 6n,
  initGenesis,
  exportGenesis,
  messages,
  types: [file_ibc_applications_transfer_v1_tx, file_ibc_applications_transfer_v1_authz],
  queries,
};
