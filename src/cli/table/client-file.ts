import type { CliPorts } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/**
 * Keys of client.toml with their flags (cosmos-sdk v0.53 `client/config/toml.go`). An environment variable, named
 * after the flag, takes precedence over the file.
 */
export const CLIENT_KEYS: ReadonlyMap<string, string> = new Map([
  ['chain-id', 'chain-id'],
  ['keyring-backend', 'keyring-backend'],
  ['keyring-default-keyname', 'from'],
  ['output', 'output'],
  ['node', 'node'],
  ['broadcast-mode', 'broadcast-mode'],
]);

/** The parts of a command's flag that are needed to take its value from a file. */
export interface OpenFlag {
  readonly name: string;
  readonly choices: readonly string[] | undefined;
}

/**
 * Values from the home's client.toml for flags that were not typed, by flag. Throws CommandError for a value that its
 * flag does not accept, and for invalid toml.
 */
export function valuesOfClientFile(
  ports: Pick<CliPorts, 'config' | 'env'>,
  home: string | undefined,
  open: readonly OpenFlag[],
): ReadonlyMap<string, string> {
  const read = ports.config.homeFile('client', new Map(home === undefined ? [] : [['home', home]]));
  if (!read.ok) throw new CommandError(EXIT.config, `${read.problem.code}: ${read.problem.message}`);
  const values = new Map<string, string>();
  for (const [key, name] of CLIENT_KEYS) {
    const value = read.values.get(key);
    const flag = open.find((one) => one.name === name);
    if (flag === undefined || value === undefined || value === '' || isInEnvironment(ports, name)) continue;
    if (flag.choices !== undefined && !flag.choices.includes(value))
      throw new CommandError(
        EXIT.config,
        `${read.path}: ${key}: ${JSON.stringify(value)} is none of ${flag.choices.join(', ')}`,
      );
    values.set(name, value);
  }
  return values;
}

function isInEnvironment({ env }: Pick<CliPorts, 'env'>, name: string): boolean {
  return env[`CHRONICLED_${name.toUpperCase().replaceAll('-', '_')}`] !== undefined;
}
