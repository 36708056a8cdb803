/** Mints coins at the ends of epochs (evmos v3.0.0 `x/inflation`); while enabled, it replaces module mint. */
import { GenesisStateSchema, type Params } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { isBlank } from '../../sdk/go/go-text.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { type Module, query } from '../../sdk/module/module.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { mintModule } from '../mint/module.js';
import { bondedRatio } from './epoch-end.js';
import { INFLATION, STORE, defaultParams, getParams, paramsProblem, setParams } from './params.js';
import { epochProvision } from './provision.js';
import { getProvision, getState, setProvision, setState } from './state.js';
import * as pb from '../../proto/evmos/inflation/v1/query_pb.js';
import { DEC_ONE, mulDec, quoDec } from '../../sdk/coins/dec.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { getSupply } from '../bank/balances.js';

/** Queries of inflation by epochs (evmos v3.0.0 `x/inflation/keeper/grpc_query.go`). */
const paramsOf = (context: Context): Params => getParams(context) ?? defaultParams(context.chain.baseDenom);

/** Percentage by which the supply grows per period, in units of 10^-18. */
function inflationRate(context: Context): bigint {
  const provision = getProvision(context) ?? 0n;
  const { epochsPerPeriod } = getState(context);
  const supply = getSupply(context, paramsOf(context).mintDenom);
  if (provision === 0n || epochsPerPeriod === 0n || supply === 0n) return 0n;
  return mulDec(quoDec(mulDec(provision, epochsPerPeriod * DEC_ONE), supply * DEC_ONE), 100n * DEC_ONE);
}

const queries = [
  query(pb.Query, 'period', (context) => ({ period: getState(context).period })),
  query(pb.Query, 'epochMintProvision', (context) => {
    const provision = getProvision(context);
    if (provision === undefined) throw grpcError('NotFound', 'epoch mint provision not found');
    return { epochMintProvision: { denom: paramsOf(context).mintDenom, amount: provision.toString() } };
  }),
  query(pb.Query, 'skippedEpochs', (context) => ({ skippedEpochs: getState(context).skippedEpochs })),
  query(pb.Query, 'totalSupply', (context) => {
    const { mintDenom: denom } = paramsOf(context);
    return { totalSupply: { denom, amount: (getSupply(context, denom) * DEC_ONE).toString() } };
  }),
  query(pb.Query, 'inflationRate', (context) => ({ inflationRate: inflationRate(context).toString() })),
  query(pb.Query, 'params', (context) => ({ params: paramsOf(context) })),
];

/** Stores the section; default disabled. Computes the epoch provision, which the section does not contain. */
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
  return writeDecimalSection(GenesisStateSchema, { params, ...getState(context) });
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

/** Module mint, which mints nothing while epoch inflation is enabled. */
export const mintWithoutInflation: Module = {
  ...mintModule,
  beginBlock(context) {
    if (getParams(context)?.enableInflation !== true) mintModule.beginBlock?.(context);
  },
};
