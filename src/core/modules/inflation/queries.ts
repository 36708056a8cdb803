/** Queries of inflation by epochs (evmos v3.0.0 `x/inflation/keeper/grpc_query.go`). */
import * as pb from '../../proto/evmos/inflation/v1/query_pb.js';
import type { Params } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { DEC_ONE, mulDec, quoDec } from '../../sdk/coins/dec.js';
import type { Context } from '../../sdk/module/context.js';
import { query } from '../../sdk/module/module.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { getSupply } from '../bank/balances.js';
import { defaultParams, getParams } from './params.js';
import { getProvision, getState } from './state.js';

const paramsOf = (context: Context): Params => getParams(context) ?? defaultParams(context.chain.baseDenom);

/** Percents by which the supply grows in a period, with 18 decimals. */
function inflationRate(context: Context): bigint {
  const provision = getProvision(context) ?? 0n;
  const { epochsPerPeriod } = getState(context);
  const supply = getSupply(context, paramsOf(context).mintDenom);
  if (provision === 0n || epochsPerPeriod === 0n || supply === 0n) return 0n;
  return mulDec(quoDec(mulDec(provision, epochsPerPeriod * DEC_ONE), supply * DEC_ONE), 100n * DEC_ONE);
}

export const queries = [
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
