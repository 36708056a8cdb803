/** `cosmos.base.node.v1beta1.Service`: the node's configuration and status. */
import { fromTimestamp, toTimestamp } from '../../core/comet/time.js';
import { Service } from '../../core/proto/cosmos/base/node/v1beta1/query_pb.js';
import { type NodeMethod, unary } from './method.js';
import { refusalOf } from './status.js';

export const nodeServiceMethods: readonly NodeMethod[] = [
  unary(Service.method.config, (_request, { facts: { minimumGasPrice, pruning } }) => ({
    ok: true,
    value: {
      minimumGasPrice,
      pruningKeepRecent: pruning.keepRecent.toString(),
      pruningInterval: pruning.interval.toString(),
    },
  })),
  unary(Service.method.status, (_request, { api, height }) => {
    const { chain } = api.queries;
    const header = chain.block(height)?.block.header;
    if (header === undefined && height < chain.head().height)
      return refusalOf({ code: 'height-pruned', height, lowest: chain.earliestHeight() });
    return {
      ok: true,
      value: {
        // 0 if no state was pruned, as in the Go node
        earliestStoreHeight: chain.earliestState(),
        height,
        timestamp: toTimestamp(fromTimestamp(header?.time)),
        appHash: header?.appHash ?? new Uint8Array(),
        validatorHash: header?.nextValidatorsHash ?? new Uint8Array(),
      },
    };
  }),
];
