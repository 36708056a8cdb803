import { type Command, Option } from 'commander';
import type { CliPorts, CommandContext } from './context.js';
import { CommandError, EXIT } from './exit-codes.js';
import { createRpcClient } from './rpc-client.js';
import type { TxFlags } from './send-tx.js';
import type { KeysFlags } from './commands/keys.js';
import type { BalancesFlags } from './commands/query-bank.js';
import type { UpgradeFlags } from './commands/upgrade.js';

const DEFAULT_NODE = 'tcp://127.0.0.1:26657';
/** Two gwei in the dev chain's denom: what dev clients pay (design section 9). */
const DEFAULT_GAS_PRICES = '2000000000achr';

interface ClientFlags {
  readonly node: string;
  readonly output: 'text' | 'json';
  readonly home?: string;
  readonly keyringDir?: string;
}

/** Adds the commands that are clients of a node's consensus RPC, and `keys`. Their bodies are loaded when they run. */
export function addClientCommands(program: Command, ports: CliPorts): void {
  const contextOf = (flags: ClientFlags): CommandContext => ({
    ports,
    rpc: createRpcClient(flags.node),
    output: flags.output,
    keyDirectory: () => flags.keyringDir ?? `${homeOf(ports, flags.home)}/keyring-test`,
  });
  const client = (parent: Command, usage: string, doc: string, output: 'text' | 'json' = 'text'): Command =>
    parent
      .command(usage)
      .description(doc)
      .allowExcessArguments(false)
      .addOption(new Option('--node <address>', 'consensus RPC of the node').default(ports.env['CHRONICLED_NODE'] ?? DEFAULT_NODE))
      .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default(output))
      .option('--home <dir>', 'directory that holds the keyring')
      .option('--keyring-dir <dir>', 'keyring directory, when it is not in the home')
      .addOption(new Option('--keyring-backend <name>', 'kind of keyring').choices(['test']).default('test'));

  client(program, 'status', 'what the node says of itself', 'json').action(async (flags: ClientFlags) => (await import('./commands/status.js')).status(contextOf(flags)));
  addQueries(program, client, contextOf);
  addTransactions(program, client, contextOf);
  addKeys(program, ports, client, contextOf);
}

/** The home that the daemon's configuration names, so that both use one keyring. */
function homeOf(ports: CliPorts, flag: string | undefined): string {
  const resolved = ports.config.resolve('dev', flag === undefined ? new Map() : new Map([['home', flag]]));
  if (!resolved.ok) throw new CommandError(EXIT.config, `${resolved.problem.code}: ${resolved.problem.message}`);
  return resolved.options.home;
}

type AddCommand = (parent: Command, usage: string, doc: string, output?: 'text' | 'json') => Command;
type ContextOf = (flags: ClientFlags) => CommandContext;

function addQueries(program: Command, client: AddCommand, contextOf: ContextOf): void {
  const query = program.command('query').alias('q').description('ask the node');
  const bank = query.command('bank').description('balances');
  client(bank, 'balances <address>', 'coins of an account, by address or key name')
    .option('--height <height>', 'state after this block; the latest by default')
    .option('--limit <count>', 'coins at most', '100')
    .option('--page-key <key>', 'continue where a page ended')
    .action(async (who: string, flags: ClientFlags & BalancesFlags) => (await import('./commands/query-bank.js')).queryBalances(contextOf(flags), who, flags));
  client(query, 'tx <hash>', 'a transaction and its result').action(async (hash: string, flags: ClientFlags) =>
    (await import('./commands/query-chain.js')).queryTx(contextOf(flags), hash));
  client(query, 'block [height|hash]', 'a block; the last one by default')
    .addOption(new Option('--type <type>', 'what the argument is').choices(['height', 'hash']))
    .action(async (which: string | undefined, flags: ClientFlags & { readonly type?: string }) =>
      (await import('./commands/query-chain.js')).queryBlock(contextOf(flags), which, flags.type));

  const upgrade = query.command('upgrade').description('upgrade plans');
  const upgrades = () => import('./commands/query-upgrade.js');
  client(upgrade, 'plan', 'the scheduled plan').action(async (flags: ClientFlags) => (await upgrades()).queryPlan(contextOf(flags)));
  client(upgrade, 'applied <name>', 'the block that applied a plan', 'json').action(async (name: string, flags: ClientFlags) =>
    (await upgrades()).queryApplied(contextOf(flags), name));
  client(upgrade, 'module_versions [module]', 'consensus versions of modules').alias('module-versions')
    .action(async (module: string | undefined, flags: ClientFlags) => (await upgrades()).queryModuleVersions(contextOf(flags), module));
}

function addTransactions(program: Command, client: AddCommand, contextOf: ContextOf): void {
  const signing = (command: Command): Command =>
    command
      .option('--gas <amount|auto>', 'gas limit; auto simulates', 'auto')
      .option('--gas-adjustment <factor>', 'factor on simulated gas', '1.5')
      .option('--gas-prices <price>', 'price of gas', DEFAULT_GAS_PRICES)
      .option('--fees <coins>', 'fee, in place of a gas price')
      .option('--note <text>', 'memo', '')
      .addOption(new Option('-b, --broadcast-mode <mode>', 'wait for admission (sync), nothing (async) or the block').choices(['sync', 'async', 'block']).default('sync'))
      .option('--chain-id <id>', 'chain id to sign for; the node\'s by default')
      .option('-s, --sequence <number>', 'sequence; the account\'s by default')
      .option('-a, --account-number <number>', 'account number; the account\'s by default')
      .option('--dry-run', 'print the gas that a simulation needs, send nothing')
      .option('-y, --yes', 'do not ask');

  const bank = program.command('tx').description('send transactions').command('bank').description('transfers');
  signing(client(bank, 'send <from> <to> <amount>', 'send coins, for example 1000achr', 'json'))
    .action(async (from: string, to: string, amount: string, flags: ClientFlags & TxFlags) =>
      (await import('./commands/tx-bank.js')).bankSend(contextOf(flags), from, to, amount, flags));

  const upgrade = program.command('upgrade').description('schedule and cancel upgrades');
  const authority = (usage: string, doc: string): Command => signing(client(upgrade, usage, doc, 'json')).option('--from <key>', 'authority that signs', 'dev0');
  authority('schedule <name>', 'plan an upgrade')
    .requiredOption('--height <height>', 'block of the upgrade; +N counts from the last one')
    .option('--info <text>', 'text of the plan, for example where the new binary is', '')
    .action(async (name: string, flags: ClientFlags & UpgradeFlags) => (await import('./commands/upgrade.js')).scheduleUpgrade(contextOf(flags), name, flags));
  authority('cancel', 'cancel the scheduled upgrade')
    .action(async (flags: ClientFlags & UpgradeFlags) => (await import('./commands/upgrade.js')).cancelUpgrade(contextOf(flags), flags));
}

function addKeys(program: Command, ports: CliPorts, client: AddCommand, contextOf: ContextOf): void {
  const keys = program.command('keys').description('keys that sign');
  const bodies = () => import('./commands/keys.js');
  const key = (usage: string, doc: string): Command =>
    client(keys, usage, doc).addOption(new Option('--bech32-prefix <prefix>', 'prefix of addresses').default(ports.env['CHRONICLED_BECH32_PREFIX'] ?? 'chron'));
  key('add <name>', 'make a key')
    .option('--recover <mnemonic>', 'make it from a mnemonic')
    .option('--index <number>', 'index of the key in its mnemonic', '0')
    .action(async (name: string, flags: ClientFlags & KeysFlags) => (await bodies()).addKey(contextOf(flags), name, flags));
  key('list', 'all keys')
    .option('--dev', 'the funded accounts of a dev chain')
    .option('-n, --list-names', 'names only')
    .action(async (flags: ClientFlags & KeysFlags) => (await bodies()).listKeys(contextOf(flags), flags));
  key('show <name>', 'one key, by name or address')
    .option('-a, --address', 'its address only')
    .option('--hex', 'its 0x address only')
    .action(async (name: string, flags: ClientFlags & KeysFlags) => (await bodies()).showKey(contextOf(flags), name, flags));
}
