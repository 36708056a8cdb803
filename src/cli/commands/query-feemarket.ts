import { Query } from '../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { evmQuery } from '../table/query-rows.js';

const { method } = Query;

/** `query feemarket ...`: one method of the fee market each. */
export const commands: readonly CommandRow[] = [
  evmQuery('feemarket base-fee', 'base fee of the last block', method.baseFee),
  evmQuery('feemarket block-gas', 'gas of the last block', method.blockGas),
  evmQuery('feemarket params', 'parameters of the fee market', method.params),
];
