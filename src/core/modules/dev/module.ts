/** Development chains: balances and accounts are set without a signature, where the genesis allows it. */
import { create, toJson } from '@bufbuild/protobuf';
import { readSection } from '../../sdk/genesis-section.js';
import type { Module } from '../../sdk/module.js';
import { GenesisStateSchema } from '../../proto/chronicle/dev/v1/dev_pb.js';
import { isDev, runDevAnte } from './ante.js';
import { setAccount } from './set-account.js';
import { setBalance } from './set-balance.js';
import { getSequence, isEnabled, setEnabled, setSequence, STORE } from './store.js';

export const devModule: Module = {
  name: 'dev',
  store: STORE,
  consensusVersion: 1n,
  initGenesis(context, section) {
    const { enabled, sequence } = readSection('app_state.dev', GenesisStateSchema, section ?? {});
    setEnabled(context, enabled);
    setSequence(context, sequence);
  },
  exportGenesis: (context) =>
    toJson(
      GenesisStateSchema,
      create(GenesisStateSchema, { enabled: isEnabled(context), sequence: getSequence(context.store) }),
      { useProtoFieldName: true, alwaysEmitImplicit: true },
    ),
  messages: [setBalance, setAccount],
  queries: [],
  migrations: new Map(),
  invariants: [],
  transactions: { includes: isDev, ante: runDevAnte, runsEvm: false, isFree: true },
};
