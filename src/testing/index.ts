/**
 * The content of `import ... from 'chronicled/testing'`: the model of subscription semantics, for any target of a user.
 */
export * from './commands.js';
export * from './model.js';
export * from './play.js';
export * from './script.js';
export * from './search.js';
export type * from './target.js';
export { consensusProtocol } from './protocol-consensus.js';
export { ethereumProtocol, type EthereumInterest } from './protocol-ethereum.js';
