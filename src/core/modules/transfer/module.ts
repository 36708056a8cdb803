/**
 * Tokens over IBC (ibc-go v10 `modules/apps/transfer`): its state at genesis (`keeper/genesis.go`, `types/genesis.go`),
 * its messages and its queries.
 */
import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { text, utf8 } from '../../bytes/bytes.js';
import { file_ibc_applications_transfer_v1_authz } from '../../proto/ibc/applications/transfer/v1/authz_pb.js';
import { GenesisStateSchema } from '../../proto/ibc/applications/transfer/v1/genesis_pb.js';
import type { Denom } from '../../proto/ibc/applications/transfer/v1/token_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { file_ibc_applications_transfer_v1_tx } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { areValidCoins, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection } from '../../sdk/module/genesis-section.js';
import type { Module } from '../../sdk/module/module.js';
import { denomRefusal, pathOf } from './denom.js';
import { allDenoms, setDenom } from './denoms.js';
import { messages } from './messages.js';
import { queries } from './queries.js';
import { PARAMS_KEY, PORT_KEY, STORE } from './store.js';
import { allTotalEscrow, setTotalEscrow } from './total-escrow.js';

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
  const state = create(GenesisStateSchema, {
    portId: text(store.get(STORE, PORT_KEY) ?? new Uint8Array()),
    params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
    denoms: [...allDenoms(context)],
    totalEscrowed: [...allTotalEscrow(context)],
  });
  return toJson(GenesisStateSchema, state, { useProtoFieldName: true, alwaysEmitImplicit: true });
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
