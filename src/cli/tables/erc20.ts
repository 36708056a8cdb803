import type { CommandRow, CommandTable, OptionSet } from '../command-table.js';

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const asked = () => import('../commands/query-erc20.js');
const sent = () => import('../commands/tx-erc20.js');

const query = (path: string, row: Omit<CommandRow, 'path' | 'sets'>, sets = ASKS): CommandRow => ({
  ...row,
  path: `query ${path}`,
  sets,
});
const tx = (path: string, row: Omit<CommandRow, 'path' | 'sets' | 'output' | 'options'>): CommandRow => ({
  ...row,
  path: `tx erc20 ${path}`,
  output: 'json',
  sets: SENDS,
  options: [{ flag: '--from <key>', doc: 'key that signs', required: true }],
});

/** Coins as tokens of contracts, under the command names of cosmos/evm. */
export const ERC20: CommandTable = {
  groups: [
    { path: 'query erc20', doc: 'coins as tokens of contracts' },
    { path: 'query precisebank', doc: 'parts of the base denom' },
    { path: 'tx erc20', doc: 'coins as tokens of contracts, and back' },
  ],
  commands: [
    query(
      'erc20 token-pairs',
      { doc: 'all pairs of a denom and a contract', load: async () => (await asked()).tokenPairs },
      [...ASKS, 'page'],
    ),
    query('erc20 token-pair', {
      args: '<token>',
      doc: 'the pair of a denom or contract',
      load: async () => (await asked()).tokenPair,
    }),
    query('erc20 params', { doc: 'parameters of erc20', load: async () => (await asked()).erc20Params }),
    query('precisebank remainder', { doc: 'what no account has', load: async () => (await asked()).remainder }),
    query('precisebank fractional-balance', {
      args: '<address>',
      doc: 'what an account has of a unit of the base denom',
      load: async () => (await asked()).fractionalBalance,
    }),
    tx('convert-coin', {
      args: '<coin> [receiver]',
      doc: 'coins into tokens; for the sender unless a receiver is given',
      load: async () => (await sent()).convertCoin,
    }),
    tx('convert-erc20', {
      args: '<contract> <amount> [receiver]',
      doc: 'tokens into coins; for the sender unless a receiver is given',
      load: async () => (await sent()).convertErc20,
    }),
    tx('register-erc20', {
      args: '<contracts...>',
      doc: 'make a pair for each contract',
      load: async () => (await sent()).registerErc20,
    }),
  ],
};
