/**
 * Commands of dev mode and their names in other tools (`docs/interfaces/dev-commands.md`). On other nodes these methods
 * do not exist.
 */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import type { Method } from '../../method.js';
import { accountCommands } from './accounts.js';
import { blockCommands } from './blocks.js';
import { branchCommands } from './branches.js';
import { keyCommands } from './keys.js';
import { miningCommands } from './mining.js';
import { nodeCommands } from './node.js';

export function devMethods(dev: EthereumDevApi): readonly Method[] {
  return [accountCommands, keyCommands, blockCommands, miningCommands, branchCommands, nodeCommands].flatMap(
    (commands) => commands(dev),
  );
}
