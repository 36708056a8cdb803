import { nearest } from '../../../core/config/nearest.js';
import type { ClientFile, ExplainedOption, OptionSpec } from '../../../core/config/option-spec.js';
import { CLIENT_KEYS } from '../client-file.js';
import type { CommandBody } from '../command-table.js';
import type { CliPorts, CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { print } from '../output.js';
import { withTomlValue } from '../toml-edit.js';

/**
 * Names of the SDK's configuration files but client.toml. The SDK's `get` and `set` take one before the key; here all
 * keys are in one table.
 */
const FILES: readonly string[] = ['app', 'config', 'chronicled'];

/** `config show [--origin]`: every option as `start` would take it. */
export const showConfig: CommandBody = (context, _, flags) => {
  const { options } = explained(context, flags);
  if (context.output === 'json')
    return print(
      context,
      flags.is('origin')
        ? options.map(({ key, value, origin }) => ({ key, value: value ?? null, origin }))
        : Object.fromEntries(options.map(({ key, value }) => [key, value ?? null])),
    );
  context.ports.stdout(
    options
      .map(
        ({ key, value, origin }) =>
          `${key} = ${value === undefined ? '' : JSON.stringify(value)}${flags.is('origin') ? `  # ${origin}` : ''}\n`,
      )
      .join(''),
  );
};

/** `config get [FILE] KEY`. */
export const getConfig: CommandBody = (context, args, flags) => {
  if (args[0] === 'client' && args.length === 2) {
    const { values } = clientFile(context, flags);
    return context.ports.stdout(`${JSON.stringify(values.get(clientKey(args[1])) ?? '')}\n`);
  }
  const key = keyOf(context, withoutFile(args, 1)[0] ?? '');
  const found = explained(context, flags).options.find((option) => option.key === key.key);
  context.ports.stdout(`${found?.value === undefined ? '""' : tomlOf(key, found.value)}\n`);
};

/** `config set [FILE] KEY VALUE`: writes the home's client.toml, or chronicled.toml for every other file. */
export const setConfig: CommandBody = (context, args, flags) => {
  const { ports } = context;
  if (args[0] === 'client' && args.length === 3) {
    const { path } = clientFile(context, flags);
    return write(ports, flags, path, clientKey(args[1]), JSON.stringify(args[2]));
  }
  const [name = '', value = ''] = withoutFile(args, 2);
  const key = keyOf(context, name);
  const { home } = explained(context, flags);
  const checked = ports.config.resolve(
    'start',
    new Map([
      ['home', home],
      [key.key, value],
    ]),
  );
  if (!checked.ok) throw new CommandError(EXIT.config, checked.problem.message);
  write(ports, flags, `${home}/config/chronicled.toml`, key.key, tomlOf(key, value));
};

function write(ports: CliPorts, flags: Flags, path: string, key: string, value: string): void {
  const text = withTomlValue(ports.files.read(path) ?? '', key, value);
  if (flags.is('stdout')) ports.stdout(text);
  else ports.files.write(path, text);
}

function clientFile({ ports }: CommandContext, flags: Flags): Extract<ClientFile, { ok: true }> {
  const read = ports.config.clientFile(homeFlag(flags));
  if (!read.ok) throw new CommandError(EXIT.config, read.problem.message);
  return read;
}

/** Throws CommandError for a key that client.toml does not have. */
function clientKey(key = ''): string {
  if (CLIENT_KEYS.has(key)) return key;
  throw new CommandError(
    EXIT.notFound,
    `key "${key}" not found; client.toml has ${[...CLIENT_KEYS.keys()].join(', ')}`,
  );
}

/** `config home`. */
export const showHome: CommandBody = (context, _, flags) => context.ports.stdout(`${explained(context, flags).home}\n`);

/** `config path`: the files that are read, in order. */
export const showPaths: CommandBody = (context, _, flags) => {
  const { home } = explained(context, flags);
  context.ports.stdout(
    ['chronicled.toml', `${home}/config/chronicled.toml`, `${home}/config/app.toml`, `${home}/config/config.toml`]
      .map((path) => `${path}\n`)
      .join(''),
  );
};

/** `config view`: the home's chronicled.toml as it is. */
export const viewConfig: CommandBody = (context, _, flags) => {
  const path = `${explained(context, flags).home}/config/chronicled.toml`;
  const text = context.ports.files.read(path);
  if (text === undefined) throw new CommandError(EXIT.notFound, `no ${path}; \`config set\` writes it`);
  context.ports.stdout(text);
};

/** `config validate`: whether the node would start with this configuration. */
export const validateConfig: CommandBody = ({ ports }, _, flags) => {
  const resolved = ports.config.resolve('start', homeFlag(flags));
  if (!resolved.ok) throw new CommandError(EXIT.config, resolved.problem.message);
  ports.stdout('the configuration is valid\n');
};

function explained(
  { ports }: CommandContext,
  flags: Flags,
): { readonly home: string; readonly options: readonly ExplainedOption[] } {
  const found = ports.config.explain('start', homeFlag(flags));
  if (!found.ok) throw new CommandError(EXIT.config, found.problem.message);
  return found;
}

function homeFlag(flags: Flags): ReadonlyMap<string, string> {
  const home = flags.text('home');
  return home === undefined ? new Map() : new Map([['home', home]]);
}

function withoutFile(args: readonly string[], wanted: number): readonly string[] {
  if (args.length === wanted) return args;
  const [file = '', ...rest] = args;
  if (args.length !== wanted + 1 || !FILES.includes(file))
    throw new CommandError(EXIT.usage, wanted === 1 ? 'config get needs a key' : 'config set needs a key and a value');
  return rest;
}

function keyOf({ ports }: CommandContext, key: string): OptionSpec {
  const found = ports.config.options.find((option) => option.key === key);
  if (found !== undefined) return found;
  const hint = nearest(
    key,
    ports.config.options.map((option) => option.key),
  );
  throw new CommandError(EXIT.notFound, `key "${key}" not found${hint === undefined ? '' : `; did you mean ${hint}?`}`);
}

function tomlOf({ type }: OptionSpec, value: string): string {
  return type === 'string' ? JSON.stringify(value) : value;
}
