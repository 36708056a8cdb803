import { Service } from '../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';

const { method } = Service;

/** `query consensus comet ...`: one method of the node's own service each. */
export const blockLatest = unary(method.getLatestBlock, () => ({}));
export const blockByHeight = unary(method.getBlockByHeight, ({ text }) => ({ height: wholeNumber(text(0), 'height') }));
export const nodeInfo = unary(method.getNodeInfo, () => ({}));
export const syncing = unary(method.getSyncing, () => ({}));
export const validatorSet = unary(method.getLatestValidatorSet, ({ pagination }) => pagination);
export const validatorSetByHeight = unary(method.getValidatorSetByHeight, ({ text, pagination }) => ({
  height: wholeNumber(text(0), 'height'),
  ...pagination,
}));
