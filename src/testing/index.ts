/** The exports of `chronicled/testing`: a model of subscription semantics that tests any target. */
export * from './commands.js';
export type { ChainAction } from './live/chain.js';
export { consensusKey, ethereumKey, type ChainFact, type ChainLog, type ChainTransaction } from './live/facts.js';
export type { Indexer } from './live/indexer.js';
export {
  indexerTarget,
  nodeTarget,
  webSocketTarget,
  type FaceName,
  type IndexerTargetOptions,
  type LiveTarget,
  type NodeTargetOptions,
  type WebSocketTargetOptions,
} from './live/targets.js';
export type { NodeUnderTest } from './live/node-under-test.js';
export * from './model.js';
export { play } from './play.js';
export { consensusProtocol } from './protocol-consensus.js';
export { ethereumProtocol, type EthereumInterest } from './protocol-ethereum.js';
export * from './script.js';
export * from './search.js';
export type * from './target.js';
