/** `cosmos.base.tendermint.v1beta1.Service`: blocks, validator sets and node info for SDK clients. */
import { create } from '@bufbuild/protobuf';
import { encodeAddress } from '../../../core/sdk/codec/address.js';
import { completeBlock } from '../../../core/comet/complete.js';
import type { ChainQueries } from '../../../core/node-api.js';
import type { StoredBlock } from '../../../core/comet/stored-block.js';
import { toHeight, type Height } from '../../../core/primitives.js';
import { Service } from '../../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import { BlockSchema, type Block as SdkBlock } from '../../../core/proto/cosmos/base/tendermint/v1beta1/types_pb.js';
import { HeaderSchema } from '../../../core/proto/tendermint/types/types_pb.js';
import { type CallContext, type NodeMethod, type Reply, unary } from '../method.js';
import { type Refusal, STATUS, refusal, refusalOf } from '../status.js';
import { wholeBlock } from '../whole-block.js';
import { nodeInfo } from './node-info.js';
import { validatorsAt } from './validators.js';

/** First path segments that ABCIQuery accepts; gRPC paths are excluded. */
const KINDS: ReadonlySet<string> = new Set(['app', 'custom', 'p2p', 'store']);

/** `abci_query` over gRPC: raw store keys with proofs, the version of the application, peer filters. */
const abciQueryMethod: NodeMethod = unary(Service.method.aBCIQuery, async ({ data, path, height, prove }, { api }) => {
  if (path === '') return refusal(STATUS.invalidArgument, 'empty query path');
  const kind = (path.startsWith('/') ? path.slice(1) : path).split('/', 1)[0] ?? '';
  if (!KINDS.has(kind)) return refusal(STATUS.invalidArgument, `unsupported ABCI query path: ${path}`);
  const queried = await api.queries.abciQuery({ path, data, height, prove });
  if (!queried.ok) return refusalOf(queried.error);
  const { proofOps, ...answer } = queried.value;
  return {
    ok: true,
    value: {
      ...answer,
      ...(proofOps && {
        proofOps: { ops: proofOps.map(({ type, key, data: proof }) => ({ type, key, data: proof })) },
      }),
    },
  };
});

const { method } = Service;

export const cometMethods: readonly NodeMethod[] = [
  unary(method.getNodeInfo, (_request, context) => nodeInfo(context)),
  unary(method.getSyncing, async (_request, { api: { queries } }) => {
    if (queries.engine === undefined) return { ok: true, value: { syncing: queries.status().catchingUp } };
    const status = await queries.engine.status();
    return status.ok ? { ok: true, value: { syncing: status.value.catchingUp } } : refusalOf(status.error);
  }),
  unary(method.getLatestBlock, (_request, context) => blockReply(context, context.api.queries.chain.tip())),
  unary(method.getBlockByHeight, ({ height }, context) => {
    const at = heightOf(context.api.queries.chain, height);
    return at.ok ? blockReply(context, at.height) : at;
  }),
  // Without a height it is the validator set of the next block, as in CometBFT's /validators.
  unary(method.getLatestValidatorSet, ({ pagination }, context) => {
    return validatorsAt(context, toHeight(context.api.queries.chain.head().height + 1n), pagination);
  }),
  unary(method.getValidatorSetByHeight, ({ height, pagination }, context) => {
    const { chain } = context.api.queries;
    const at = heightOf(chain, height);
    // Sets of pruned heights are refused as by `/validators`, also where a row still tells them.
    if (at.ok && height < chain.earliestHeight())
      return refusalOf({ code: 'height-pruned', height, lowest: chain.earliestHeight() });
    return at.ok ? validatorsAt(context, at.height, pagination) : at;
  }),
  abciQueryMethod,
];

/** Checks a requested height. */
function heightOf(chain: ChainQueries, height: bigint): { readonly ok: true; readonly height: Height } | Refusal {
  // the Go node writes "bigger then"
  if (height > chain.tip())
    return refusal(STATUS.invalidArgument, 'requested block height is bigger then the chain length');
  if (height <= 0n) return refusal(STATUS.unknown, `height must be greater than 0, but got ${height}`);
  return { ok: true, height: toHeight(height) };
}

async function blockReply(
  { api, facts }: CallContext,
  height: Height,
): Promise<
  Reply<{
    readonly blockId: StoredBlock['blockId'];
    readonly block: StoredBlock['block'];
    readonly sdkBlock: SdkBlock;
  }>
> {
  const stored = await wholeBlock(api, height);
  if (!stored.ok) return refusalOf(stored.error);
  const block = completeBlock(stored.value.block);
  const header = block.header ?? create(HeaderSchema);
  const { $typeName: _tendermint, proposerAddress, ...rest } = header;
  const sdkBlock = create(BlockSchema, {
    header: { ...rest, proposerAddress: encodeAddress(`${facts.bech32Prefix}valcons`, proposerAddress) },
    ...(block.data && { data: block.data }),
    ...(block.evidence && { evidence: block.evidence }),
    ...(block.lastCommit && { lastCommit: block.lastCommit }),
  });
  return { ok: true, value: { blockId: stored.value.blockId, block, sdkBlock } };
}
