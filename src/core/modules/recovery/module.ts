/**
 * Parameters of recovery: returns coins sent to accounts without an Ethereum key (evmos v3.0.0 `x/recovery`). The
 * middleware in `src/core/modules/recovery/transfers.ts` does the recovery.
 */
import { GenesisStateSchema } from '../../proto/evmos/recovery/v1/genesis_pb.js';
import * as pb from '../../proto/evmos/recovery/v1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { query, type Module } from '../../sdk/module/module.js';
import { defaultParams, getParams, paramsProblem, setParams, STORE } from './params.js';

function initGenesis(context: Context, section: unknown): void {
  const { params = defaultParams() } = readSection('app_state.recovery', GenesisStateSchema, section ?? {});
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError('app_state.recovery.params', problem);
  setParams(context, params);
}

function exportGenesis(context: Context): unknown {
  return writeSection(GenesisStateSchema, { params: getParams(context) });
}

export const recoveryModule: Module = {
  name: 'recovery',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries: [query(pb.Query, 'params', (context) => ({ params: getParams(context) }))],
};
