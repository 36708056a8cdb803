import { command } from './table/command-rows.js';
import type { CommandBody, CommandRow, OptionSet } from './table/command-table.js';

const SETS: readonly OptionSet[] = ['eth', 'keyring'];

const bodies = () => import('./commands/dev.js');

/** Loads a command's implementation on use, because every node's program includes these commands. */
function later(name: keyof Awaited<ReturnType<typeof bodies>>): CommandBody {
  return async (context, args, flags) => (await bodies())[name](context, args, flags);
}

const packets: CommandBody = async (context, args, flags) =>
  (await import('./commands/dev-packets.js')).packets(context, args, flags);

const expireClient: CommandBody = async (context, args, flags) =>
  (await import('./commands/dev-packets.js')).expireClient(context, args, flags);

const faucet: CommandBody = async (context, args, flags) =>
  (await import('./commands/faucet.js')).faucet(context, args, flags);

const opened: CommandBody = async (context, args, flags) =>
  (await import('./commands/open.js')).open(context, args, flags);

/** Commands that control a node of `chronicled dev` over its Ethereum JSON-RPC, and the faucet. */
export const DEV_COMMANDS: readonly CommandRow[] = [
  command('dev mine [count]', 'make blocks now', SETS, later('mine')),
  command(
    'dev time [show|increase] [seconds|duration]',
    'time of the last block, or move the clock forward',
    SETS,
    later('time'),
  ),
  command(
    'dev fund <address> <amount>',
    'add to a balance: 1.5chr, 1.5ether, 20gwei, or wei without a unit',
    SETS,
    later('fund'),
  ),
  command('dev set-balance <address> <amount>', 'set a balance, in the same units', SETS, later('setBalance')),
  command('dev snapshot', 'remember the state; prints an id', SETS, later('snapshot')),
  command('dev revert <id>', 'go back to a snapshot', SETS, later('revert')),
  command(
    'dev packets [list|hold|release|drop|order|delay|timeout] [sequences]',
    'packets to the other chain of dev --ibc: list them, or let the relayer treat some (3,1,2) otherwise',
    SETS,
    packets,
  ),
  command('dev expire-client [client-id]', 'let the trusting period of a light client pass', SETS, expireClient),
  command('open', 'open the page of the node in a browser', ['eth'], opened),
  command(
    'faucet <address> [amount]',
    'send coins of a dev account (default: 10chr)',
    ['tx', 'output', 'node', 'keyring'],
    faucet,
    {
      output: 'json',
      options: [
        { flag: '--from <key>', doc: 'account that pays', default: 'dev9' },
        { flag: '-y, --yes', doc: 'no effect: a faucet does not ask', default: 'true' },
      ],
    },
  ),
];
