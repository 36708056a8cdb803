/**
 * Commands of dev mode and their names in other tools (`docs/interfaces/dev-commands.md`). On other nodes these methods
 * do not exist.
 */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import type { Method } from '../../method.js';
import type { SendQueue } from '../send.js';
import { absentMethods } from './absent.js';
import { accountCommands } from './accounts.js';
import { blockCommands } from './blocks.js';
import { branchCommands } from './branches.js';
import { chainBranchCommands } from './chain-branches.js';
import { compilationCommands } from './compilations.js';
import { keyCommands } from './keys.js';
import { minerCommands } from './miner.js';
import { miningCommands } from './mining.js';
import { nodeCommands } from './node.js';
import { unsigned } from './names.js';
import { packetCommands } from './packets.js';
import { sendUnsigned } from './send-unsigned.js';

/**
 * All methods that exist in dev mode alone. Transactions of `eth_sendUnsignedTransaction` wait in `inTurn`, as those
 * of other sends.
 */
export function devMethods(dev: EthereumDevApi, inTurn: SendQueue): readonly Method[] {
  const own = [keyCommands, blockCommands, miningCommands, minerCommands, branchCommands, nodeCommands];
  return [
    ...unsigned([...accountCommands(dev), sendUnsigned(dev, inTurn)]),
    ...[...own, compilationCommands, packetCommands, chainBranchCommands].flatMap((commands) => commands(dev)),
    ...absentMethods,
  ];
}
