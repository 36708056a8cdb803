import { Service } from '../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { query, paged } from '../table/query-rows.js';

const { method } = Service;

/** `query consensus comet ...`: one method of the node's own service each. */
export const commands: readonly CommandRow[] = [
  query('consensus comet block-latest', 'the last block', method.getLatestBlock),
  query('consensus comet block-by-height <height>', 'a block', method.getBlockByHeight),
  query('consensus comet node-info', 'names and versions of the node', method.getNodeInfo),
  query('consensus comet syncing', 'whether the node catches up', method.getSyncing),
  paged('consensus comet validator-set', 'the validators', method.getLatestValidatorSet, {
    aliases: ['validator-set-latest', 'comet-validator-set', 'cometbft-validator-set', 'tendermint-validator-set'],
  }),
  paged(
    'consensus comet validator-set-by-height <height>',
    'the validators of a block',
    method.getValidatorSetByHeight,
  ),
];
