/** `cosmos.base.node.v1beta1.Service`: the node's own configuration and state. */
import { fromTimestamp, toTimestamp } from '../../core/comet/time.js';
import { Service } from '../../core/proto/cosmos/base/node/v1beta1/query_pb.js';
import { type NodeMethod, unary } from './method.js';

export const nodeServiceMethods: readonly NodeMethod[] = [
  // No pruning by these options, which the SDK's configuration writes as "0".
  unary(Service.method.config, (_request, { facts }) => ({
    ok: true,
    value: { minimumGasPrice: facts.minimumGasPrice, pruningKeepRecent: '0', pruningInterval: '0' },
  })),
  unary(Service.method.status, (_request, { api, height }) => {
    const header = api.queries.chain.block(height)?.block.header;
    return {
      ok: true,
      value: {
        height,
        timestamp: toTimestamp(fromTimestamp(header?.time)),
        appHash: header?.appHash ?? new Uint8Array(),
        validatorHash: header?.nextValidatorsHash ?? new Uint8Array(),
      },
    };
  }),
];
