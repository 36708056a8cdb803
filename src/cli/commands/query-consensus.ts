import { Query } from '../../core/proto/cosmos/consensus/v1/query_pb.js';
import type { CommandRow } from '../command-table.js';
import { query } from '../query-rows.js';

/** `query consensus params`. */
export const commands: readonly CommandRow[] = [query('consensus params', 'consensus parameters', Query.method.params)];
