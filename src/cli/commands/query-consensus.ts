import { Query } from '../../core/proto/cosmos/consensus/v1/query_pb.js';
import { unary } from '../unary.js';

/** `query consensus params`. */
export const params = unary(Query.method.params, () => ({}));
