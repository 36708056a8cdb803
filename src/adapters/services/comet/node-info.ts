import type { MessageInitShape } from '@bufbuild/protobuf';
import { fromHex } from '../../../core/bytes/hex.js';
import { BLOCK_PROTOCOL, COMET_VERSION, P2P_PROTOCOL } from '../../../core/comet/versions.js';
import type { GetNodeInfoResponseSchema } from '../../../core/proto/cosmos/base/tendermint/v1beta1/query_pb.js';
import type { CallContext } from '../method.js';

/** The channels that a full node with all reactors announces. */
const CHANNELS = fromHex('40202122233038606100');
/** Version of the SDK whose interfaces this node has; explorers choose their routes by it. */
const SDK_VERSION = 'v0.53.6';
/**
 * Module versions that relayers read to decide whether they support the node (Hermes checks cosmos-sdk and ibc-go in
 * `build_deps`).
 */
const COMPATIBLE_WITH = [
  { path: 'github.com/cometbft/cometbft', version: `v${COMET_VERSION}`, sum: '' },
  { path: 'github.com/cosmos/cosmos-sdk', version: SDK_VERSION, sum: '' },
  { path: 'github.com/cosmos/ibc-go/v10', version: 'v10.4.0', sum: '' },
];

/** The answer of GetNodeInfo: identity, versions and modules of this node. */
export function nodeInfo({ api, facts }: CallContext): MessageInitShape<typeof GetNodeInfoResponseSchema> {
  const { chain } = api.queries;
  const node = api.queries.status();
  const { name, version } = facts.application;
  return {
    defaultNodeInfo: {
      protocolVersion: {
        p2p: P2P_PROTOCOL,
        block: BLOCK_PROTOCOL,
        app: chain.block(chain.tip())?.block.header?.version?.app ?? 0n,
      },
      defaultNodeId: node.nodeId,
      listenAddr: node.listenAddress,
      network: chain.genesis().chainId,
      version: node.version,
      channels: CHANNELS,
      moniker: node.moniker,
      other: { txIndex: 'on', rpcAddress: node.rpcAddress },
    },
    applicationVersion: { name, appName: name, version, buildDeps: COMPATIBLE_WITH, cosmosSdkVersion: SDK_VERSION },
  };
}
