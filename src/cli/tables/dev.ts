import type { CommandTable, OptionSet } from '../command-table.js';

const SETS: readonly OptionSet[] = ['eth', 'keyring'];
const dev = () => import('../commands/dev.js');

/** Commands that control a node of `chronicled dev` over its Ethereum JSON-RPC, and the faucet. */
export const DEV: CommandTable = {
  groups: [],
  commands: [
    { path: 'dev mine', args: '[count]', doc: 'make blocks now', sets: SETS, load: async () => (await dev()).mine },
    {
      path: 'dev time',
      args: '[show|increase] [seconds]',
      doc: 'time of the last block, or move the clock forward',
      sets: SETS,
      load: async () => (await dev()).time,
    },
    {
      path: 'dev fund',
      args: '<address> <amount>',
      doc: 'add to a balance: 1.5chr, 1.5ether, 20gwei, or wei without a unit',
      sets: SETS,
      load: async () => (await dev()).fund,
    },
    {
      path: 'dev set-balance',
      args: '<address> <amount>',
      doc: 'set a balance, in the same units',
      sets: SETS,
      load: async () => (await dev()).setBalance,
    },
    {
      path: 'dev snapshot',
      doc: 'remember the state; prints an id',
      sets: SETS,
      load: async () => (await dev()).snapshot,
    },
    {
      path: 'dev revert',
      args: '<id>',
      doc: 'go back to a snapshot',
      sets: SETS,
      load: async () => (await dev()).revert,
    },
    {
      path: 'faucet',
      args: '<address> [amount]',
      doc: 'send coins of a dev account (default: 10chr)',
      output: 'json',
      sets: ['tx', 'output', 'node', 'keyring'],
      options: [
        { flag: '--from <key>', doc: 'account that pays', default: 'dev9' },
        { flag: '-y, --yes', doc: 'not needed: a faucet does not ask', default: 'true' },
      ],
      load: async () => (await import('../commands/faucet.js')).faucet,
    },
  ],
};
