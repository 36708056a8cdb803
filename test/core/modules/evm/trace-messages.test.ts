import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../../src/core/limits/limits.js';
import { MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import {
  QueryTraceTxRequestSchema,
  QueryTraceTxResponseSchema,
} from '../../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { ethereumChain } from '../../app/ethereum-chain.js';

it('a trace of more than tracedTransactions transactions, those before it included, is refused', () => {
  const dev = ethereumChain();
  const { tracedTransactions } = FIXED_LIMITS;
  const msg = create(MsgEthereumTxSchema, { raw: new Uint8Array() });
  const trace = (count: number) => () =>
    dev.query(
      '/cosmos.evm.vm.v1.Query/TraceTx',
      QueryTraceTxRequestSchema,
      { msg, predecessors: Array.from({ length: count - 1 }, () => msg) },
      QueryTraceTxResponseSchema,
    );
  const tooMany = `too many transactions, limit ${tracedTransactions}`;
  expect(trace(tracedTransactions + 1)).toThrow(tooMany);
  // As many as the limit are read, and the first has no bytes.
  expect(trace(tracedTransactions)).toThrow();
  expect(trace(tracedTransactions)).not.toThrow(tooMany);
});
