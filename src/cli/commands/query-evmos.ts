/** `query epochs ...`: modules of evmos, one method each (evmos v3.0.0 `x/epochs/client/cli`). */
import { Query as EpochsQuery } from '../../core/proto/evmos/epochs/v1/query_pb.js';
import type { CommandRow } from '../command-table.js';
import { evmPaged, evmQuery } from '../query-rows.js';

const epochs = EpochsQuery.method;

export const commands: readonly CommandRow[] = [
  evmPaged('epochs epoch-infos', 'all epochs', epochs.epochInfos, ({ pagination }) => pagination),
  evmQuery('epochs current-epoch <identifier>', 'number of the running epoch', epochs.currentEpoch, ({ text }) => ({
    identifier: text(0),
  })),
];
