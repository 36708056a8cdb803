/** New coins at the ends of epochs (evmos v3.0.0 `x/inflation`), in place of those of module mint while it is on. */
import { create } from '@bufbuild/protobuf';
import { GenesisStateSchema } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import type { Module } from '../../sdk/module/module.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { mintModule } from '../mint/module.js';
import { bondedRatio } from './epoch-end.js';
import { defaultParams, getParams, INFLATION, paramsProblem, setParams, STORE } from './params.js';
import { epochProvision } from './provision.js';
import { queries } from './queries.js';
import { getState, setProvision, setState } from './state.js';

/** Without a section inflation is off. The coins of an epoch are computed, for no section holds them. */
function initGenesis(context: Context, section: unknown): void {
  const path = 'app_state.inflation';
  const read = readDecimalSection(
    path,
    GenesisStateSchema,
    section ?? { epoch_identifier: 'day', epochs_per_period: '365' },
  );
  const params = read.params ?? defaultParams(context.chain.baseDenom);
  const refuse = (name: string, reason: string): never => {
    throw new GenesisError(`${path}.${name}`, reason);
  };
  if (isBlank(read.epochIdentifier)) refuse('epoch_identifier', 'blank epoch identifier');
  if (read.epochsPerPeriod <= 0n)
    refuse('epochs_per_period', `epochs per period must be positive: ${read.epochsPerPeriod}`);
  const problem = paramsProblem(params);
  if (problem !== undefined) refuse('params', problem);
  ensureModuleAccount(context, INFLATION);
  setParams(context, params);
  const { period, epochIdentifier, epochsPerPeriod, skippedEpochs } = read;
  setState(context, { period, epochIdentifier, epochsPerPeriod, skippedEpochs });
  setProvision(context, epochProvision(params, period, epochsPerPeriod, bondedRatio(context)));
}

function exportGenesis(context: Context): unknown {
  const params = getParams(context) ?? defaultParams(context.chain.baseDenom);
  return writeDecimalSection(GenesisStateSchema, create(GenesisStateSchema, { params, ...getState(context) }));
}

export const inflationModule: Module = {
  name: INFLATION,
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries,
};

/** Module mint, which makes no coins while inflation by epochs does. */
export const mintWithoutInflation: Module = {
  ...mintModule,
  beginBlock(context) {
    if (getParams(context)?.enableInflation !== true) mintModule.beginBlock?.(context);
  },
};
