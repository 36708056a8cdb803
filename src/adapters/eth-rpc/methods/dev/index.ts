/** Dev commands under their names in other tools (`docs/interfaces/dev-commands.md`). They exist in dev mode only. */
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

/** Creates all dev-mode methods. `eth_sendUnsignedTransaction` uses the send queue `inTurn`, like other sends. */
export function devMethods(dev: EthereumDevApi, inTurn: SendQueue): readonly Method[] {
  const own = [keyCommands, blockCommands, miningCommands, minerCommands, branchCommands, nodeCommands];
  return [
    ...unsigned([...accountCommands(dev), sendUnsigned(dev, inTurn)]),
    ...[...own, compilationCommands, packetCommands, chainBranchCommands].flatMap((commands) => commands(dev)),
    ...absentMethods,
  ];
}
