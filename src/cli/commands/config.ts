import { nearest } from '../../core/text/nearest.js';
import type { ExplainedOption, HomeFile, HomeFileName, OptionSpec } from '../../config/option-spec.js';
import { CLIENT_KEYS } from '../table/client-file.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command, HOME } from '../table/command-rows.js';
import type { CliPorts, CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { print } from '../table/output.js';
import { START_FLAGS } from '../line/peer-flags.js';
import { withTomlValue } from '../toml-edit.js';

/** `config show [--origin]`: every option as `start` would take it, as lines that `chronicled.toml` may hold. */
const showConfig: CommandBody = (context, _, flags) => {
  const { options } = explained(context, flags);
  if (context.output === 'json')
    return print(
      context,
      flags.is('origin')
        ? options.map(({ key, value, origin }) => ({ key, value: value ?? null, origin }))
        : Object.fromEntries(options.map(({ key, value }) => [key, value ?? null])),
    );
  const types = new Map(context.ports.config.options.map(({ key, type }) => [key, type]));
  const lines = options.map(({ key, value, origin }) => {
    if (value === undefined) return `# ${key} is not set\n`;
    const source = flags.is('origin') ? `  # ${origin}` : '';
    return `${key} = ${tomlOf({ type: types.get(key) ?? 'string' }, value)}${source}\n`;
  });
  context.ports.stdout(lines.join(''));
};

const getConfig: CommandBody = (context, args, flags) => {
  if (args[0] === 'client' && args.length === 2) {
    const { values } = homeFile(context, 'client', flags);
    return context.ports.stdout(`${JSON.stringify(values.get(clientKey(args[1])) ?? '')}\n`);
  }
  const place = placeOf(context, args, 1);
  if (place.kind === 'line') {
    const value = homeFile(context, place.file, flags).values.get(place.key) ?? '';
    return context.ports.stdout(`${textOf(value)}\n`);
  }
  if (place.kind === 'always') return context.ports.stdout(`${textOf(place.values?.[0] ?? '')}\n`);
  const { key } = place;
  const found = explained(context, flags).options.find((option) => option.key === key.key);
  context.ports.stdout(`${found?.value === undefined ? '""' : tomlOf(key, found.value)}\n`);
};

/**
 * `config set [FILE] KEY VALUE`: writes client.toml for its keys; chronicled.toml for options of this program, also
 * under their app.toml or config.toml names; app.toml or config.toml for their other keys.
 */
const setConfig: CommandBody = (context, args, flags) => {
  const { ports } = context;
  if (args[0] === 'client' && args.length === 3) {
    const { path } = homeFile(context, 'client', flags);
    return write(ports, flags, path, clientKey(args[1]), JSON.stringify(args[2]));
  }
  const place = placeOf(context, args, 2);
  const value = args.at(-1) ?? '';
  if (place.kind !== 'option') {
    const { path } = homeFile(context, place.file, flags);
    const refuse = (why: string): never => {
      throw new CommandError(EXIT.config, `${path}: ${place.key}: ${JSON.stringify(value)} is ${why}`);
    };
    if (place.kind === 'always' && place.values?.includes(value) === false)
      refuse(`none of ${place.values.join(', ')}`);
    if (place.kind === 'line' && !place.form.test(value)) refuse('no value of this key');
    if (place.kind === 'line') write(ports, flags, path, place.key, textOf(value));
    return;
  }
  const { key } = place;
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

function homeFile({ ports }: CommandContext, name: HomeFileName, flags: Flags): Extract<HomeFile, { ok: true }> {
  const read = ports.config.homeFile(name, homeFlag(flags));
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

const showHome: CommandBody = (context, _, flags) => context.ports.stdout(`${explained(context, flags).home}\n`);

/** `config path`: the configuration files that are read, in order. */
const showPaths: CommandBody = (context, _, flags) => {
  const { home } = explained(context, flags);
  context.ports.stdout(
    ['chronicled.toml', `${home}/config/chronicled.toml`, `${home}/config/app.toml`, `${home}/config/config.toml`]
      .map((path) => `${path}\n`)
      .join(''),
  );
};

/** `config view [FILE]`: prints a configuration file of the home; by default chronicled.toml. */
const viewConfig: CommandBody = (context, [file = 'chronicled'], flags) => {
  if (!FILES.includes(file))
    throw new CommandError(EXIT.usage, `config view: ${JSON.stringify(file)} is none of ${FILES.join(', ')}`);
  const path = `${explained(context, flags).home}/config/${file}.toml`;
  const text = context.ports.files.read(path);
  if (text === undefined) throw new CommandError(EXIT.notFound, `no ${path}; \`config set\` writes it`);
  context.ports.stdout(text);
};

/** `config validate`: checks that the node would start with this configuration. */
const validateConfig: CommandBody = ({ ports }, _, flags) => {
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

const FILES: readonly string[] = ['chronicled', 'client', 'app', 'config'];

/**
 * Where a key is stored: as an option of this program, as a line of a Go node's file, or nowhere, because this node's
 * behaviour is fixed.
 */
type Place =
  | { readonly kind: 'option'; readonly key: OptionSpec }
  | { readonly kind: 'line'; readonly file: 'app' | 'config'; readonly key: string; readonly form: RegExp }
  | {
      readonly kind: 'always';
      readonly file: 'app';
      readonly key: string;
      readonly values: readonly string[] | undefined;
    };

/** Parses `[FILE] KEY`, as the SDK's `config get` and `config set` do, and finds where the key is stored. */
function placeOf(context: CommandContext, args: readonly string[], wanted: number): Place {
  const file = args.length === wanted + 1 ? args[0] : 'chronicled';
  if (args.length < wanted || args.length > wanted + 1 || file === undefined || !FILES.includes(file))
    throw new CommandError(EXIT.usage, wanted === 1 ? 'config get needs a key' : 'config set needs a key and a value');
  const key = args[args.length - wanted] ?? '';
  if (file !== 'app' && file !== 'config') return { kind: 'option', key: keyOf(context, key) };
  const { options, others } = context.ports.config.fileKeys[file];
  const form = others.get(key);
  if (form !== undefined) return { kind: 'line', file, key, form };
  const flag = file === 'app' ? START_FLAGS.find((one) => one.flag.startsWith(`--${key} `)) : undefined;
  if (flag !== undefined) return { kind: 'always', file: 'app', key, values: flag.only };
  return { kind: 'option', key: keyOf(context, options.get(key) ?? key) };
}

/** A value as TOML text for a Go node's file. */
function textOf(value: string): string {
  return /^(true|false|[0-9]{1,18})$/.test(value) ? value : JSON.stringify(value);
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

function tomlOf({ type }: Pick<OptionSpec, 'type'>, value: string): string {
  return type === 'string' ? JSON.stringify(value) : value;
}

export const commands: readonly CommandRow[] = [
  command('config show', 'every option with its value', ['output'], showConfig, {
    options: [HOME, { flag: '--origin', doc: 'also show the source of each value' }],
  }),
  command('config get <key...>', 'the value of an option', [], getConfig, { options: [HOME] }),
  command('config set <key> <value...>', 'set an option in chronicled.toml of the home', [], setConfig, {
    options: [
      HOME,
      { flag: '--stdout', doc: 'print the file, write nothing' },
      { flag: '-s, --skip-validate', doc: 'no effect: values are always checked' },
      { flag: '-v, --verbose', doc: 'no effect: one line is written' },
    ],
  }),
  command('config home', 'the home directory', [], showHome, { options: [HOME] }),
  command('config path', 'the files that are read', [], showPaths, { options: [HOME] }),
  command('config view [file]', 'a file of the home: chronicled (the default), client, app or config', [], viewConfig, {
    options: [HOME],
  }),
  command('config validate', 'check that a node would start with it', [], validateConfig, { options: [HOME] }),
];
