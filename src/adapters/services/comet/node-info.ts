import type { MessageInitShape } from '@bufbuild/protobuf';
import { fromHex } from '../../../core/bytes/hex.js';
import { BLOCK_PROTOCOL, COMET_VERSION, P2P_PROTOCOL } from '../../../core/comet/versions.js';
import type { GetNodeInfoResponseSchema } from '../../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import type { EngineStatus } from '../../../core/comet/engine-queries.js';
import type { Outcome } from '../../../core/errors.js';
import type { Queries } from '../../../core/node-api.js';
import type { CallContext, Reply } from '../method.js';
import { refusalOf } from '../status.js';

/** p2p channels of a full node. */
const CHANNELS = fromHex('40202122233038606100');
/** SDK version with the same interface; explorers choose routes by it. */
const SDK_VERSION = 'v0.53.6';
/**
 * Module versions by which relayers decide whether they support the node (Hermes checks cosmos-sdk and ibc-go in
 * `build_deps`).
 */
const COMPATIBLE_WITH = [
  { path: 'github.com/cometbft/cometbft', version: `v${COMET_VERSION}`, sum: '' },
  { path: 'github.com/cosmos/cosmos-sdk', version: SDK_VERSION, sum: '' },
  { path: 'github.com/cosmos/ibc-go/v10', version: 'v10.4.0', sum: '' },
];

/** The answer of GetNodeInfo: this node, or its external engine, and the modules of this node. */
export async function nodeInfo({
  api,
  facts,
}: CallContext): Promise<Reply<MessageInitShape<typeof GetNodeInfoResponseSchema>>> {
  const { chain, engine } = api.queries;
  const status = engine === undefined ? ownInfo(api.queries) : await engine.status();
  if (!status.ok) return refusalOf(status.error);
  const { nodeId, listenAddress: listenAddr, version, channels, moniker, protocol, txIndex, rpcAddress } = status.value;
  const { application } = facts;
  return {
    ok: true,
    value: {
      defaultNodeInfo: {
        protocolVersion: protocol,
        defaultNodeId: nodeId,
        listenAddr,
        network: chain.genesis().chainId,
        version,
        channels,
        moniker,
        other: { txIndex, rpcAddress },
      },
      applicationVersion: {
        name: application.name,
        appName: application.name,
        version: application.version,
        buildDeps: COMPATIBLE_WITH,
        cosmosSdkVersion: SDK_VERSION,
      },
    },
  };
}

function ownInfo(queries: Queries): Outcome<Omit<EngineStatus, `${string}Height` | 'catchingUp'>> {
  const { chain } = queries;
  const { nodeId, listenAddress, version, moniker, rpcAddress } = queries.status();
  const app = chain.block(chain.tip())?.block.header?.version?.app ?? 0n;
  const protocol = { p2p: P2P_PROTOCOL, block: BLOCK_PROTOCOL, app };
  return {
    ok: true,
    value: { nodeId, listenAddress, version, channels: CHANNELS, moniker, protocol, txIndex: 'on', rpcAddress },
  };
}
