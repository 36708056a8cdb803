/**
 * `cosmos.tx.v1beta1.Service`: sending, simulating and finding transactions (cosmos-sdk v0.53 `x/auth/tx/service.go`).
 */
import { Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { ServedFiles } from '../files.js';
import { type NodeMethod, unary } from '../method.js';
import { StdTxCodec } from './amino/std-tx.js';
import { broadcastTx } from './broadcast.js';
import { txDecode, txDecodeAmino, txEncode, txEncodeAmino } from './codec.js';
import { getBlockWithTxs } from './block-with-txs.js';
import { getTx } from './get-tx.js';
import { getTxsEvent } from './search.js';
import { simulate } from './simulate.js';

const { method } = Service;

/** The methods of `cosmos.tx.v1beta1.Service`. */
export function txMethods({ registry }: ServedFiles): readonly NodeMethod[] {
  const amino = new StdTxCodec(registry);
  return [
    unary(method.simulate, simulate),
    unary(method.getTx, getTx),
    unary(method.broadcastTx, broadcastTx),
    unary(method.getTxsEvent, getTxsEvent),
    unary(method.getBlockWithTxs, getBlockWithTxs),
    unary(method.txDecode, txDecode),
    unary(method.txEncode, txEncode),
    unary(method.txEncodeAmino, (request, context) => txEncodeAmino(amino, request, context)),
    unary(method.txDecodeAmino, (request, context) => txDecodeAmino(amino, request, context)),
  ];
}
