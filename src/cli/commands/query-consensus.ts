import { Query } from '../../core/proto/cosmos/consensus/v1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { query } from '../table/query-rows.js';

/** `query consensus params`. */
export const commands: readonly CommandRow[] = [query('consensus params', 'consensus parameters', Query.method.params)];
