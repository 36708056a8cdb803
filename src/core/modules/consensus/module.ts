/** Consensus parameters in the SDK's x/consensus: one value under key `Consensus`. */
import { create, toBinary } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { emit } from '../../sdk/module/abci-event.js';
import { utf8 } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { message, query, type Module } from '../../sdk/module/module.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { invariant } from '../../errors.js';
import { requireGovernance } from '../authority.js';
import { compactText } from '../../sdk/go/compact-text.js';
import { consensusParamsProblem } from './validate-params.js';
import { decodeOnce } from '../../state/decode-once.js';
import { Query } from '../../proto/cosmos/consensus/v1/query_pb.js';
import { Msg } from '../../proto/cosmos/consensus/v1/tx_pb.js';
import {
  ABCIParamsSchema,
  ConsensusParamsSchema,
  VersionParamsSchema,
  type ConsensusParams,
} from '../../proto/tendermint/types/params_pb.js';

const STORE = 'consensus';
const KEY = utf8('Consensus');
/** Store and key of the parameters. */
export const CONSENSUS_PARAMS = { store: STORE, key: KEY } as const;

const decodeParams = decodeOnce(ConsensusParamsSchema);

/** Current parameters; undefined before genesis stored them. */
export function getConsensusParams(context: Pick<Context, 'store'>): ConsensusParams | undefined {
  const value = context.store.get(STORE, KEY);
  return value === undefined ? undefined : decodeParams(value);
}

/** Stores parameters; writes empty version and abci sections too, like gogoproto's pointers. */
function setConsensusParams(context: Context, params: ConsensusParams): void {
  const { block, evidence, validator, version, abci } = params;
  const stored = create(ConsensusParamsSchema, {
    ...(block === undefined ? {} : { block }),
    ...(evidence === undefined
      ? {}
      : { evidence: { ...evidence, maxAgeDuration: evidence.maxAgeDuration ?? create(DurationSchema) } }),
    ...(validator === undefined ? {} : { validator }),
    version: version ?? create(VersionParamsSchema),
    abci: abci ?? create(ABCIParamsSchema),
  });
  context.store.set(STORE, KEY, toBinary(ConsensusParamsSchema, stored));
}

/** Sets the gas limit of later blocks (`block.max_gas`); the current block keeps its own. */
export function setBlockMaxGas(context: Context, maxGas: bigint): void {
  const before = getConsensusParams(context);
  invariant(before?.block !== undefined, 'genesis stored the consensus parameters');
  setConsensusParams(context, create(ConsensusParamsSchema, { ...before, block: { ...before.block, maxGas } }));
}

const messages = [
  message(Msg, 'updateParams', (context, update) => {
    requireGovernance(context, update.authority);
    const { block, evidence, validator } = update;
    if (block === undefined || evidence === undefined || validator === undefined)
      throw plainError('all parameters must be present');
    const before = getConsensusParams(context);
    const abci = update.abci ?? before?.abci;
    const params = create(ConsensusParamsSchema, {
      block,
      evidence,
      validator,
      ...(before?.version && { version: before.version }),
      ...(abci && { abci }),
    });
    const problem = consensusParamsProblem(params, context.height);
    if (problem !== undefined) throw plainError(problem);
    setConsensusParams(context, params);
    const emitted = create(ConsensusParamsSchema, {
      block,
      evidence,
      validator,
      version: create(VersionParamsSchema),
      ...(update.abci && { abci: update.abci }),
    });
    emit(context, 'update_consensus_params', () => [
      ['authority', update.authority],
      ['parameters', compactText(ConsensusParamsSchema, emitted)],
    ]);
  }),
];

const queries = [
  query(Query, 'params', (context) => {
    const params = getConsensusParams(context);
    return params === undefined ? {} : { params };
  }),
];

export const consensusModule: Module = {
  name: 'consensus',
  store: STORE,
  consensusVersion: 1n,
  initGenesis: (context, _section, facts) => setConsensusParams(context, facts.consensusParams),
  exportGenesis: () => null,
  messages,
  queries,
  keepers: { consensusParams: getConsensusParams },
};
