/** Subscriptions of the Ethereum websocket: pure rules and the ports of the registry. */
export * from './ports.js';
export { createLogIndex, isInRange, type LogIndex } from './log-index.js';
export {
  createEthereumTable,
  decideEthereum,
  evolveEthereum,
  matchBlock,
  matchPending,
  type EthereumCommand,
  type EthereumDecision,
  type EthereumRegistryEvent,
  type EthereumRegistryLimits,
  type EthereumTable,
} from './table.js';
