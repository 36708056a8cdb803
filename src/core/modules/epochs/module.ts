/** Epochs: recurring time spans whose start and end call other modules' hooks (evmos v3.0.0 `x/epochs`). */
import { fromBinary } from '@bufbuild/protobuf';
import { GO_ZERO_TIME } from '../../comet/time.js';
import { EpochInfoSchema, GenesisStateSchema } from '../../proto/evmos/epochs/v1/genesis_pb.js';
import * as pb from '../../proto/evmos/epochs/v1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { query, type Module } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { beginBlock } from './begin-block.js';
import {
  allEpochs,
  defaultEpochs,
  EPOCH_PREFIX,
  epochMessage,
  epochOfMessage,
  epochProblem,
  getEpoch,
  setEpoch,
  STORE,
} from './epoch-info.js';

/** Stores the epochs; default day and week. An epoch without start time begins with the chain. */
function initGenesis(context: Context, section: unknown): void {
  const read = readSection('app_state.epochs', GenesisStateSchema, section ?? {});
  const epochs = read.epochs.length === 0 ? defaultEpochs() : read.epochs.map(epochOfMessage);
  epochs.forEach((epoch, index) => {
    const path = `app_state.epochs.epochs[${index}]`;
    const problem = epochProblem(epoch);
    if (problem !== undefined) throw new GenesisError(path, problem);
    if (getEpoch(context, epoch.identifier) !== undefined)
      throw new GenesisError(path, `duplicated epoch entry ${epoch.identifier}`);
    const startTime = epoch.startTime === GO_ZERO_TIME ? context.time : epoch.startTime;
    const currentStartHeight = epoch.hasStarted ? epoch.currentStartHeight : context.height;
    setEpoch(context, { ...epoch, startTime, currentStartHeight });
  });
}

function exportGenesis(context: Context): unknown {
  return writeSection(GenesisStateSchema, { epochs: allEpochs(context).map(epochMessage) });
}

const queries = [
  query(pb.Query, 'epochInfos', (context, { pagination }) => {
    const list = { context, store: STORE, prefix: EPOCH_PREFIX, refuse: internalPage };
    return paginate(list, pagination, ({ value }) => fromBinary(EpochInfoSchema, value));
  }),
  query(pb.Query, 'currentEpoch', (context, { identifier }) => {
    const epoch = getEpoch(context, identifier);
    if (epoch === undefined) throw grpcError('NotFound', `epoch info not found: ${identifier}`);
    return { currentEpoch: epoch.current };
  }),
];

export const epochsModule: Module = {
  name: 'epochs',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries,
  beginBlock,
};
