import { Query } from '../../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import { unary } from '../unary.js';

const { method } = Query;

/** `query feemarket ...`: one method of the fee market each. */
export const baseFee = unary(method.baseFee, () => ({}));
export const blockGas = unary(method.blockGas, () => ({}));
export const params = unary(method.params, () => ({}));
