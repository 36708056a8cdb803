import type { CliPorts } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/**
 * Keys of client.toml with the flags that they stand for (cosmos-sdk v0.53 `client/config/toml.go`). A variable of the
 * environment is above the file, and has the name of the flag.
 */
export const CLIENT_KEYS: ReadonlyMap<string, string> = new Map([
  ['chain-id', 'chain-id'],
  ['keyring-backend', 'keyring-backend'],
  ['keyring-default-keyname', 'from'],
  ['output', 'output'],
  ['node', 'node'],
  ['broadcast-mode', 'broadcast-mode'],
]);

/** A flag of a command, as far as a file may give its value. */
export interface OpenFlag {
  readonly name: string;
  readonly choices: readonly string[] | undefined;
}

/**
 * Values of the home's client.toml for the flags of a command that were not given, by flag. Throws CommandError for a
 * value that its flag does not take, and for a file that is not toml.
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
