/**
 * Routes about the node: health, status, network, genesis (CometBFT v0.38 `rpc/core/status.go`, `rpc/core/net.go`,
 * `rpc/core/health.go`).
 */
import { headerToJson } from '../../../core/comet/json/header-json.js';
import { publicKeyToJson } from '../../../core/comet/json/validator-json.js';
import { toBase64 } from '../../../core/bytes/base64.js';
import { upperHex } from '../../../core/bytes/hex.js';
import { formatTime } from '../../../core/comet/time.js';
import { BLOCK_PROTOCOL, P2P_PROTOCOL } from '../../../core/comet/versions.js';
import { toTimeNs } from '../../../core/primitives.js';
import { failed, result } from '../answers.js';
import { internalError } from '../errors.js';
import { genesisView } from '../genesis-view.js';
import { type Method, type MethodContext, method } from '../method.js';
import { uint } from '../params.js';

/** p2p channels of a full node. Clients parse them, although this node has no peers. */
const CHANNELS = '40202122233038606100';
/** Bytes of a genesis chunk, and of the largest genesis that /genesis returns. */
const GENESIS_CHUNK = 16 * 1024 * 1024;

function status({ api }: MethodContext): unknown {
  const { chain } = api.queries;
  const node = api.queries.status();
  const stored = chain.block(chain.tip());
  const newest = stored?.block.header;
  const earliest = chain.block(chain.earliestHeight());
  const first = earliest?.block.header;
  const epoch = formatTime(toTimeNs(0n));
  return {
    node_info: {
      protocol_version: {
        p2p: String(P2P_PROTOCOL),
        block: String(BLOCK_PROTOCOL),
        app: String(newest?.version?.app ?? 0n),
      },
      id: node.nodeId,
      listen_addr: node.listenAddress,
      network: chain.genesis().chainId,
      version: node.version,
      channels: CHANNELS,
      moniker: node.moniker,
      other: { tx_index: 'on', rpc_address: node.rpcAddress },
    },
    sync_info: {
      latest_block_hash: stored === undefined ? '' : upperHex(stored.blockId.hash),
      // from the header: the state before the newest block
      latest_app_hash: newest === undefined ? '' : upperHex(newest.appHash),
      latest_block_height: newest === undefined ? '0' : String(newest.height),
      latest_block_time: newest === undefined ? epoch : headerToJson(newest).time,
      earliest_block_hash: earliest === undefined ? '' : upperHex(earliest.blockId.hash),
      earliest_app_hash: first === undefined ? '' : upperHex(first.appHash),
      earliest_block_height: first === undefined ? '0' : String(first.height),
      earliest_block_time: first === undefined ? epoch : headerToJson(first).time,
      catching_up: node.catchingUp,
    },
    validator_info:
      node.validator === undefined
        ? { address: '', pub_key: null, voting_power: '0' }
        : {
            address: upperHex(node.validator.address),
            pub_key: publicKeyToJson(node.validator.pubKey),
            voting_power: String(node.validator.votingPower),
          },
  };
}

export const infoMethods: readonly Method[] = [
  method('health', {}, 'never', () => result({})),
  method('status', {}, 'never', (_values, context) => result(status(context))),
  method('net_info', {}, 'never', () => result({ listening: false, listeners: [], n_peers: '0', peers: [] })),
  method('genesis', {}, 'always', (_values, { api }) => {
    const json = genesisView(api.queries.chain);
    if (json.length > GENESIS_CHUNK)
      return failed(internalError('genesis response is large, please use the genesis_chunked API instead'));
    return { ok: true, json: `{"genesis":${new TextDecoder().decode(json)}}` };
  }),
  method('genesis_chunked', { chunk: uint }, 'always', ({ chunk = 0n }, { api }) => {
    const json = genesisView(api.queries.chain);
    const total = Math.max(1, Math.ceil(json.length / GENESIS_CHUNK));
    if (chunk >= BigInt(total)) return failed(internalError(`there are ${total - 1} chunks, ${chunk} is invalid`));
    const start = Number(chunk) * GENESIS_CHUNK;
    return result({
      chunk: String(chunk),
      total: String(total),
      data: toBase64(json.subarray(start, start + GENESIS_CHUNK)),
    });
  }),
];
