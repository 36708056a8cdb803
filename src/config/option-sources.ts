import { asObject, jsonOf } from '../core/text/json-object.js';
import { APP_FLAGS, optionsOfDaemonFiles } from './daemon-files.js';
import type { DaemonOptions } from './daemon-options.js';
import type { DaemonCommand, OptionSpec } from './option-spec.js';
import { OPTIONS } from './options.js';
import { readOwnToml, readToml } from './toml.js';
import { ConfigError, type Found, isPause } from './values.js';

/** The host services that resolving needs. */
export interface ConfigHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Text of a file; undefined when it does not exist. Relative paths are relative to the working directory. */
  readonly readFile: (path: string) => string | undefined;
  readonly isDirectory: (path: string) => boolean;
}

interface Layer {
  readonly origin: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Finds values of options by key; the first layer with a value wins. */
export class Values {
  constructor(
    private readonly layers: readonly Layer[],
    private readonly env: ConfigHost['env'],
    private readonly flags: ReadonlyMap<string, string>,
  ) {}

  given(key: string): Found | undefined {
    const spec = specOf(key);
    const flag = this.flags.get(key);
    if (flag !== undefined) return checked(spec, { value: flag, origin: `--${key}` });
    const env = this.env[spec.env];
    if (env !== undefined && env !== '') return checked(spec, { value: env, origin: spec.env });
    for (const { origin, values } of this.layers) {
      const value = values.get(key);
      if (value !== undefined) return checked(spec, { value, origin: `${origin}: ${key}` });
    }
    return undefined;
  }

  find(key: string): Found | undefined {
    const fallback = specOf(key).default;
    return this.given(key) ?? (fallback === undefined ? undefined : { value: fallback, origin: `default of --${key}` });
  }

  text(key: string): string {
    return this.find(key)?.value ?? '';
  }

  integer(key: string): bigint | undefined {
    const found = this.find(key);
    return found === undefined ? undefined : BigInt(found.value);
  }

  flag(key: string): boolean {
    return this.text(key) === 'true';
  }
}

/** Reads every source of a command's option values, by precedence: flags, environment, files. */
export function sourcesOf(host: ConfigHost, command: DaemonCommand, flags: ReadonlyMap<string, string>) {
  const mode: DaemonOptions['mode'] =
    command === 'start' || command === 'abci' || command === 'prune' ? 'start' : 'dev';
  const project = ownLayer(host, 'chronicled.toml');
  const home = homeOf(host, flags, project);
  const app = new Map([...foreignValues(host, `${home}/config/app.toml`, mode), ...appFlags(flags)]);
  const comet = foreignValues(host, `${home}/config/config.toml`, mode);
  const layers = [project, ownLayer(host, `${home}/config/chronicled.toml`)];
  const ofFiles = [
    { origin: `${home}/config/config.toml`, values: optionsOfDaemonFiles(new Map(), comet) },
    { origin: `${home}/config/app.toml`, values: optionsOfDaemonFiles(app, new Map()) },
  ];
  return {
    ...{ mode, home, app, comet },
    values: new Values([...layers, ...ofFiles], host.env, flags),
    /** Values without the Go node's files. */
    own: new Values(layers, host.env, flags),
  };
}

function specOf(key: string): OptionSpec {
  const spec = OPTIONS.find((one) => one.key === key);
  if (spec === undefined) throw new Error(`invariant: option ${key} is not in the table`);
  return spec;
}

/** Throws with the origin of a value that its option does not accept. */
function checked(spec: Pick<OptionSpec, 'type' | 'choices'>, found: Found): Found {
  const { value, origin } = found;
  if (spec.choices !== undefined && !spec.choices.includes(value))
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is none of ${spec.choices.join(', ')}`);
  if (spec.type === 'integer' && !/^[0-9]{1,78}$/.test(value))
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is not a whole number`);
  if (spec.type === 'number' && !/^[0-9]+(\.[0-9]+)?$/.test(value))
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is not a number from 0 on, such as 2 or 0.5`);
  if (spec.type === 'seconds' && !isPause(value))
    throw new ConfigError(
      `${origin}: ${JSON.stringify(value)} is not a time between blocks; expected seconds above 0 and below 24 days, such as 2 or 0.5`,
    );
  if (spec.type === 'boolean' && value !== 'true' && value !== 'false')
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is neither true nor false`);
  return found;
}

function ownLayer(host: ConfigHost, file: string): Layer {
  const text = host.readFile(file);
  if (text === undefined) return { origin: file, values: new Map() };
  const read = readOwnToml(file, text, OPTIONS);
  if (!read.ok) throw new ConfigError(read.message);
  return { origin: file, values: read.values };
}

/** Values of app.toml or config.toml; unknown keys are ignored. */
function foreignValues(host: ConfigHost, file: string, mode: DaemonOptions['mode']): ReadonlyMap<string, string> {
  return mode === 'start' ? fileValues(host, file) : new Map();
}

/** Flags of `start` that have only a key of app.toml. */
function appFlags(flags: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...flags].filter(([key]) => APP_FLAGS.includes(key)));
}

/** Every scalar of a toml file; empty if the file does not exist. */
export function fileValues(host: ConfigHost, file: string): ReadonlyMap<string, string> {
  const text = host.readFile(file);
  if (text === undefined) return new Map();
  const read = readToml(file, text);
  if (!read.ok) throw new ConfigError(read.message);
  return read.values;
}

/** The home folder: the option `home`, else `./.chronicle` if it exists, else `~/.chronicled`. */
export function homeOf(
  host: ConfigHost,
  flags: ReadonlyMap<string, string>,
  project: Layer = ownLayer(host, 'chronicled.toml'),
): string {
  const given = new Values([project], host.env, flags).given('home');
  if (given !== undefined) return given.value;
  return host.isDirectory('.chronicle') ? '.chronicle' : `${host.userHome}/.chronicled`;
}

/** The chain id of the genesis file in a home; undefined without one. */
export function chainIdOfHome({ readFile }: ConfigHost, home: string): Found | undefined {
  const path = `${home}/config/genesis.json`;
  const value = asObject(jsonOf(readFile(path) ?? ''))?.['chain_id'];
  return typeof value === 'string' ? { value, origin: `${path}: chain_id` } : undefined;
}
