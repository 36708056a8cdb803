/** Facts of the node: `web3_*`, `net_*`, `rpc_modules` and the constants of `eth_*`. */
import { equal } from '../../../core/bytes/bytes.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { dataArray } from '../../../core/ethereum/json/log-json.js';
import { ETHEREUM_LIMITS } from '../../../core/limits.js';
import { serverError } from '../errors.js';
import { type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { data } from '../params/hex.js';

/** The accounts whose keys the node holds, then, as in anvil, those that it impersonates. */
export const listedAccounts = (_values: readonly [], { api }: MethodContext) => {
  const held = api.accounts();
  const impersonated = api.dev?.impersonation.addresses() ?? [];
  return ok(dataArray([...held, ...impersonated.filter((address) => !held.some((own) => equal(own, address)))]));
};

/** `eth_getProof` answers for the head and some heights before it. */
function proofsUpTo(api: MethodContext['api']): Readonly<Record<string, unknown>> {
  const { proofHeights } = ETHEREUM_LIMITS;
  const [head, lowest] = [api.blockNumber(), api.earliestBlock()];
  const oldest = head - lowest > proofHeights ? head - proofHeights : lowest;
  return {
    disabled: false,
    oldestBlock: hexQuantity(oldest),
    deleteStrategy: { type: 'window', retentionBlocks: hexQuantity(proofHeights) },
  };
}

export const nodeMethods: readonly Method[] = [
  method('web3_clientVersion', [], (_values, { clientVersion }) => ok(JSON.stringify(clientVersion))),
  method('web3_sha3', [data], ([bytes], { crypto }) => quoted(hexData(crypto.keccak256(bytes)))),
  ...['net_version', 'eth_networkId'].map((name) =>
    method(name, [], (_values, { api }) => quoted(api.chainId.toString())),
  ),
  method('net_listening', [], () => ok('true')),
  // one process is the whole chain
  method('net_peerCount', [], () => quoted('0x0')),
  method('rpc_modules', [], (_values, { namespaces }) =>
    ok(JSON.stringify(Object.fromEntries(namespaces.map((namespace) => [namespace, '1.0'])))),
  ),
  method('eth_chainId', [], (_values, { api }) => quoted(hexQuantity(api.chainId))),
  // eth/65 is the last version of the protocol with this method
  method('eth_protocolVersion', [], () => quoted('0x41')),
  method('eth_capabilities', [], (_values, { api }) => {
    const head = api.block(api.blockNumber());
    if (head === undefined) return failed(serverError('header not found'));
    const kept = { disabled: false, oldestBlock: hexQuantity(api.earliestBlock()) };
    return ok(
      JSON.stringify({
        head: { number: hexQuantity(api.blockNumber()), hash: hexData(head.hash) },
        state: kept,
        tx: kept,
        logs: kept,
        receipts: kept,
        blocks: kept,
        stateproofs: proofsUpTo(api),
      }),
    );
  }),
  method('eth_syncing', [], () => ok('false')),
  // ganache's users ask this for the mining mode
  method('eth_mining', [], (_values, { api }) => ok(String(api.dev?.mining().kind === 'instant'))),
  method('eth_hashrate', [], () => quoted('0x0')),
  method('eth_coinbase', [], (_values, { api }) =>
    quoted(hexData(api.block(api.blockNumber())?.miner ?? new Uint8Array(20))),
  ),
  method('eth_accounts', [], listedAccounts),
  method('eth_requestAccounts', [], listedAccounts),
];
