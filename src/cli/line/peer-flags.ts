import { type Command, Option } from 'commander';

/**
 * Flags that the Go node takes with every command, also with one that they do not concern (cosmos-sdk v0.53
 * `client/cmd.go`, `server/cmd/execute.go`): scripts and test harnesses write them after each. Here a command without
 * an option of the name takes it without effect.
 */
const EVERYWHERE: readonly { readonly flag: string }[] = [
  { flag: '--home <dir>' },
  { flag: '--chain-id <id>' },
  { flag: '--keyring-backend <name>' },
  { flag: '--log_level, --log-level <level>' },
  { flag: '--log_format, --log-format <format>' },
  { flag: '--log_no_color' },
  { flag: '--trace' },
  // of clients; the Go node takes them with commands that ask no node, too (cosmos/evm v0.6 `server/start.go`)
  { flag: '--node <address>' },
  { flag: '--from <key>' },
  { flag: '--fees <coins>' },
  { flag: '--gas-prices <price>' },
  { flag: '--gas-adjustment <factor>' },
  { flag: '--broadcast-mode <mode>' },
];

/**
 * Lets a command take those flags of every command of which it has no option, but for those `without`; its help does
 * not show them.
 */
export function takeEverywhere(command: Command, without: readonly string[] = []): void {
  const taken = new Set<string | null | undefined>([...command.options.map(({ long }) => long), ...without]);
  for (const { flag } of EVERYWHERE) {
    const option = new Option(flag).hideHelp();
    if (!taken.has(option.long)) command.addOption(option);
  }
}

/**
 * Flags of the Go node's `start` with the values that say what this node does (cosmos-sdk v0.53 `server/start.go`,
 * cosmos/evm v0.6 `server/start.go`); any other value is refused. A flag without `only` has no effect, but for the one
 * of CORS, which is `--cors-allowed-origins '*'`.
 */
export const START_FLAGS: readonly { readonly flag: string; readonly only?: readonly string[] }[] = [
  { flag: '--transport <kind>', only: ['socket'] },
  { flag: '--evm.min-tip <wei>', only: ['0'] },
  { flag: '--json-rpc.allow-unprotected-txs [true|false]', only: ['false'] },
  ...['api.enable', 'grpc.enable', 'grpc-web.enable', 'with-comet', 'with-cometbft', 'with-tendermint'].map((name) => ({
    flag: `--${name} [true|false]`,
    only: ['true'],
  })),
  { flag: '--api.enabled-unsafe-cors [true|false]' },
  ...['trace', 'log_no_color', 'inter-block-cache', 'rpc.unsafe', 'metrics', 'json-rpc.enable-indexer'].map((name) => ({
    flag: `--${name} [true|false]`,
  })),
];

/** Lets `start` take flags of the Go node's `start` that name what this node does in any case. */
export function takeStartFlags(command: Command): void {
  for (const { flag, only } of START_FLAGS) {
    const option = new Option(flag).hideHelp();
    command.addOption(only === undefined ? option : option.choices(only));
  }
}

/** The first word of a command line that is no flag of every command, nor its value: the command, or another flag. */
export function firstWord(argv: readonly string[]): string | undefined {
  let at = 0;
  for (let option = everywhere(argv[at]); option !== undefined; option = everywhere(argv[at]))
    at += option.required && !argv[at]?.includes('=') ? 2 : 1;
  return argv[at];
}

/** The flag of every command that a word names, with or without a value. */
function everywhere(word: string | undefined): Option | undefined {
  const [name = ''] = word?.split('=') ?? [];
  const row = EVERYWHERE.find(({ flag }) => flag.split(/[, ]+/).includes(name));
  return row && new Option(row.flag);
}
