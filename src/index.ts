/** The content of `import ... from 'chronicled'`: a whole node in this process. */
export { JsonRpcError } from './node/library/json-rpc-client.js';
export type {
  BlockTag,
  CometMethods,
  CometTxResult,
  EthereumMethods,
  Hex,
  JsonRpcClient,
  TransactionReceipt,
  TransactionRequest,
} from './node/library/methods.js';
export { StartFailed } from './node/library/start-failed.js';
export { startNode } from './node/library/start-node.js';
export type {
  Account,
  BlockFacts,
  ChronicleNode,
  FaceName,
  Mining,
  NodeEndpoints,
  StartOptions,
} from './node/library/types.js';
