/**
 * Tokens over IBC (ibc-go v10 `modules/apps/transfer`): its state at genesis, without tokens of other chains, its
 * messages, of which a transfer is always refused, and its queries.
 */
import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { text, utf8 } from '../../bytes/bytes.js';
import { GenesisStateSchema } from '../../proto/ibc/applications/transfer/v1/genesis_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { file_ibc_applications_transfer_v1_tx } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import type { Context } from '../../sdk/context.js';
import { GenesisError, readSection } from '../../sdk/genesis-section.js';
import type { Module } from '../../sdk/module.js';
import { messages } from './messages.js';
import { queries } from './queries.js';
import { PARAMS_KEY, PORT_KEY, STORE } from './store.js';

const PATH = 'app_state.transfer';
const PORT = 'transfer';

function initGenesis({ store }: Context, section: unknown): void {
  const state = readSection(PATH, GenesisStateSchema, section ?? {});
  for (const [name, list] of [
    ['denoms', state.denoms],
    ['total_escrowed', state.totalEscrowed],
  ] as const)
    if (list.length > 0)
      throw new GenesisError(`${PATH}.${name}`, 'this build begins no chain with IBC counterparties');
  const params = state.params ?? create(ParamsSchema, { sendEnabled: true, receiveEnabled: true });
  store.set(STORE, PORT_KEY, utf8(state.portId === '' ? PORT : state.portId));
  store.set(STORE, PARAMS_KEY, toBinary(ParamsSchema, params));
}

function exportGenesis({ store }: Context): unknown {
  const state = create(GenesisStateSchema, {
    portId: text(store.get(STORE, PORT_KEY) ?? new Uint8Array()),
    params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
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
  types: [file_ibc_applications_transfer_v1_tx],
  queries,
  migrations: new Map(),
  invariants: [],
};
