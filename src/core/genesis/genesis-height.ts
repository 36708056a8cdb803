import { type Height, toHeight } from '../primitives.js';

/**
 * Height of the genesis block: one below the first block (`initial_height` of CometBFT's genesis). It is 0 on an
 * ordinary chain. The Ethereum face shows it as a block with the state of the genesis; CometBFT has no such block.
 */
export function genesisHeight(initialHeight: bigint): Height {
  return toHeight(initialHeight - 1n);
}
