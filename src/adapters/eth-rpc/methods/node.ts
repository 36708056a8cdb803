/** Methods about the node: `web3_*`, `net_*`, `rpc_modules` and constant `eth_*` methods. */
import { equal } from '../../../core/bytes/bytes.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { dataArray } from '../../../core/ethereum/json/log-json.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { data } from '../params/hex.js';
import * as schema from '../schema.js';

const SYNCING = schema.anyOf(
  schema.BOOLEAN,
  schema.objectOf({ startingBlock: schema.QUANTITY_64, currentBlock: schema.QUANTITY_64 }),
);

/** `eth_accounts`: accounts whose keys the node holds, then impersonated ones, as in anvil. */
export const listedAccounts = (_values: readonly [], { api }: MethodContext) => {
  const own = api.accounts();
  const impersonated = api.dev?.impersonation.addresses() ?? [];
  return ok(dataArray([...own, ...impersonated.filter((address) => !own.some((one) => equal(one, address)))]));
};

/** The heights for which `eth_getProof` works: the head and some before it. */
function proofsUpTo(api: MethodContext['api']): Readonly<Record<string, unknown>> {
  const { proofHeights } = ETHEREUM_LIMITS;
  const [head, lowest] = [api.blockNumber(), api.earliestState()];
  const oldest = head - lowest > proofHeights ? head - proofHeights : lowest;
  return {
    disabled: false,
    oldestBlock: hexQuantity(oldest),
    deleteStrategy: { type: 'window', retentionBlocks: hexQuantity(proofHeights) },
  };
}

export const nodeMethods: readonly Method[] = [
  method('web3_clientVersion', 'Name and version of this program', [], schema.TEXT, (_values, { clientVersion }) =>
    ok(JSON.stringify(clientVersion)),
  ),
  method('web3_sha3', 'Keccak-256 of bytes', [data], schema.HASH, ([bytes], { crypto }) =>
    quoted(hexData(crypto.keccak256(bytes))),
  ),
  ...['net_version', 'eth_networkId'].map((name) =>
    method(name, 'Chain id in decimal digits', [], schema.TEXT, (_values, { api }) => quoted(api.chainId.toString())),
  ),
  method('net_listening', 'Whether the node listens', [], schema.BOOLEAN, async (_values, { api: { engine } }) => {
    if (engine === undefined) return ok('true');
    const network = await engine.network();
    return network.ok ? ok(String(network.value.listening)) : failed(rpcErrorOf(network.error));
  }),
  method('net_peerCount', 'Number of peers', [], schema.QUANTITY_64, async (_values, { api: { engine } }) => {
    // without an external engine there are no peers
    if (engine === undefined) return quoted('0x0');
    const network = await engine.network();
    return network.ok ? quoted(hexQuantity(network.value.peers)) : failed(rpcErrorOf(network.error));
  }),
  method(
    'rpc_modules',
    'Namespaces that are served, with their versions',
    [],
    schema.mapOf(schema.TEXT, schema.TEXT),
    (_values, { namespaces }) =>
      ok(JSON.stringify(Object.fromEntries(namespaces.map((namespace) => [namespace, '1.0'])))),
  ),
  method('eth_chainId', 'Chain id (EIP-155)', [], schema.QUANTITY, (_values, { api }) =>
    quoted(hexQuantity(api.chainId)),
  ),
  // eth/65 is the last version of the protocol with this method
  method('eth_protocolVersion', 'Version of the Ethereum protocol', [], schema.QUANTITY_64, () => quoted('0x41')),
  method(
    'eth_capabilities',
    'Which history the node keeps',
    [],
    schema.objectOf({ head: { type: 'object' }, state: { type: 'object' } }),
    (_values, { api }) => {
      const head = api.block(api.blockNumber());
      if (head === undefined) return failed(serverError('header not found'));
      const kept = { disabled: false, oldestBlock: hexQuantity(api.earliestBlock()) };
      const state = { ...kept, oldestBlock: hexQuantity(api.earliestState()) };
      return ok(
        JSON.stringify({
          head: { number: hexQuantity(api.blockNumber()), hash: hexData(head.hash) },
          state,
          tx: kept,
          logs: kept,
          receipts: kept,
          blocks: kept,
          stateproofs: proofsUpTo(api),
        }),
      );
    },
  ),
  method('eth_syncing', 'Whether the node is syncing', [], SYNCING, async (_values, { api: { engine } }) => {
    if (engine === undefined) return ok('false');
    const status = await engine.status();
    if (!status.ok) return failed(rpcErrorOf(status.error));
    const { catchingUp, earliestHeight, latestHeight } = status.value;
    // CometBFT does not tell how far its peers are (cosmos/evm v0.6 rpc/backend/node_info.go), so no highestBlock
    const progress = { startingBlock: hexQuantity(earliestHeight), currentBlock: hexQuantity(latestHeight) };
    return ok(catchingUp ? JSON.stringify(progress) : 'false');
  }),
  // as in ganache, it tells whether mining is instant
  method('eth_mining', 'Whether each transaction gets a block at once', [], schema.BOOLEAN, (_values, { api }) =>
    ok(String(api.dev?.mining().kind === 'instant')),
  ),
  method('eth_hashrate', 'Hashes per second: none', [], schema.QUANTITY_64, () => quoted('0x0')),
  method('eth_coinbase', 'Proposer of the newest block', [], schema.ADDRESS, (_values, { api }) =>
    quoted(hexData(api.block(api.blockNumber())?.miner ?? new Uint8Array(20))),
  ),
  method('eth_accounts', 'Accounts that the node signs for', [], schema.listOf(schema.ADDRESS), listedAccounts),
  method('eth_requestAccounts', 'Accounts that the node signs for', [], schema.listOf(schema.ADDRESS), listedAccounts),
];
