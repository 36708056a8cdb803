import { type Command, Option } from 'commander';

/**
 * Flags that the Go node accepts with every command, even if they have no effect there (cosmos-sdk v0.53
 * `client/cmd.go`, `server/cmd/execute.go`), because scripts and test harnesses always add them. Here a command
 * without the option accepts and ignores it.
 */
const EVERYWHERE: readonly { readonly flag: string }[] = [
  { flag: '--home <dir>' },
  { flag: '--chain-id <id>' },
  { flag: '--keyring-backend <name>' },
  { flag: '--log_level, --log-level <level>' },
  { flag: '--log_format, --log-format <format>' },
  { flag: '--log_no_color' },
  { flag: '--trace' },
  // client flags; the Go node also accepts them with commands that call no node (cosmos/evm v0.6 `server/start.go`)
  { flag: '--node <address>' },
  { flag: '--from <key>' },
  { flag: '--fees <coins>' },
  { flag: '--gas-prices <price>' },
  { flag: '--gas-adjustment <factor>' },
  { flag: '--broadcast-mode <mode>' },
];

/**
 * Lets a command accept these flags if it lacks the option, except those in `without`. Its help does not show them.
 */
export function acceptEverywhere(command: Command, without: readonly string[] = []): void {
  const taken = new Set<string | null | undefined>([...command.options.map(({ long }) => long), ...without]);
  for (const { flag } of EVERYWHERE) {
    const option = new Option(flag).hideHelp();
    if (!taken.has(option.long)) command.addOption(option);
  }
}

/**
 * Flags of the Go node's `start` (cosmos-sdk v0.53 `server/start.go`, cosmos/evm v0.6 `server/start.go`) that
 * describe fixed behaviour of this node: `only` lists the accepted values. A flag without `only` has no effect,
 * except the CORS flag, which means `--cors-allowed-origins '*'`.
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

/** Lets `start` accept the flags of `START_FLAGS`. */
export function acceptStartFlags(command: Command): void {
  for (const { flag, only } of START_FLAGS) {
    const option = new Option(flag).hideHelp();
    command.addOption(only === undefined ? option : option.choices(only));
  }
}

/** The first word of a command line after flags that every command accepts: the command, or another flag. */
export function firstWord(argv: readonly string[]): string | undefined {
  let at = 0;
  for (let option = everywhere(argv[at]); option !== undefined; option = everywhere(argv[at]))
    at += option.required && !argv[at]?.includes('=') ? 2 : 1;
  return argv[at];
}

/** The flag accepted everywhere that a word names, with or without `=value`. */
function everywhere(word: string | undefined): Option | undefined {
  const [name = ''] = word?.split('=') ?? [];
  const row = EVERYWHERE.find(({ flag }) => flag.split(/[, ]+/).includes(name));
  return row && new Option(row.flag);
}
