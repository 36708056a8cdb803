import { type Height, toHeight } from '../primitives.js';

/**
 * Height of the genesis block: one below the first block (`initial_height` in CometBFT's genesis), so 0 on most
 * chains. Ethereum JSON-RPC shows it as a block with the genesis state; CometBFT has no such block.
 */
export function genesisHeight(initialHeight: bigint): Height {
  return toHeight(initialHeight - 1n);
}
