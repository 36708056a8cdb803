/** The exports of the package `chronicled`: a whole node in the caller's process. */
export { JsonRpcError } from './library/json-rpc-client.js';
export type {
  BlockTag,
  CometMethods,
  CometTxResult,
  EthereumMethods,
  Hex,
  JsonRpcClient,
  TransactionReceipt,
  TransactionRequest,
} from './library/methods.js';
export type { Eip1193Client, EndedPacket, Packet, PacketCommands, WaitOptions } from './library/packet-types.js';
export { PacketStuck, waitForPacket } from './library/packets.js';
export { StartFailed } from './library/start-failed.js';
export { startNode } from './library/start-node.js';
export type {
  Account,
  BlockFacts,
  ChronicleNode,
  FaceName,
  Mining,
  NodeEndpoints,
  SecondChain,
  StartOptions,
} from './library/types.js';
