import { Query } from '../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import { evmUnary } from '../unary.js';

const { method } = Query;

/** `query feemarket ...`: one method of the fee market each. */
export const baseFee = evmUnary(method.baseFee, () => ({}));
export const blockGas = evmUnary(method.blockGas, () => ({}));
export const params = evmUnary(method.params, () => ({}));
