import {
  FACES,
  ofEachFace,
  type CommandOptions,
  type DaemonOptions,
  type EngineOptions,
  type Face,
  type JsonRpcOptions,
  type LogLevel,
  type LogSync,
  type MiningOptions,
  type ReadingOptions,
} from './daemon-options.js';
import { bytesOfDigits } from '../core/bytes/hex.js';
import { DEV_NAMESPACES } from '../core/ethereum/namespaces.js';
import { DEV_MNEMONIC } from '../core/keys/dev-mnemonic.js';
import type { DaemonCommand, DaemonConfig, OptionSpec } from './option-spec.js';
import { APP_FLAGS, FILE_KEYS, optionsOfDaemonFiles, timeoutsOf } from './daemon-files.js';
import { OPTIONS } from './options.js';
import { pruningOf } from './pruning.js';
import { SECOND_PORTS } from './second-chain.js';
import { readOwnToml, readToml } from './toml.js';
import {
  ConfigError,
  type Found,
  gasPriceOf,
  heightsOf,
  listOf,
  originsOf,
  parseListenAddress,
  urlOf,
  weiOf,
} from './values.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** The host services that resolving needs. */
export interface ConfigHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Text of a file; undefined when it does not exist. Relative paths are relative to the working directory. */
  readonly readFile: (path: string) => string | undefined;
  readonly isDirectory: (path: string) => boolean;
}

const HEARTBEAT_SECONDS = '2';
const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const SYNCS: readonly LogSync[] = ['block', 'always', 'os'];
/** Known namespaces. Those in configuration files of geth and cosmos/evm are among them. */
const NAMESPACES: readonly string[] = DEV_NAMESPACES;

/** The option of each face's address. */
const ADDRESS_OPTION: Readonly<Record<Face, string>> = {
  comet: 'rpc.laddr',
  eth_http: 'json-rpc.address',
  eth_ws: 'json-rpc.ws-address',
  grpc: 'grpc.address',
  rest: 'api.address',
  rest_alias: 'api.alias-address',
  metrics: 'metrics.address',
};

/**
 * Resolves the options of a daemon command: the flag, then the environment, ./chronicled.toml,
 * <home>/config/chronicled.toml, app.toml and config.toml of the home (`start` only), then the default.
 */
export function createDaemonConfig(host: ConfigHost): DaemonConfig {
  return {
    options: OPTIONS,
    resolve(command, flags) {
      try {
        return { ok: true, options: resolve(host, command, flags) };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { ok: false, problem: { code: 'E_CONFIG', message: error.message } };
      }
    },
    explain(command, flags) {
      try {
        const { values, home } = sourcesOf(host, command, flags);
        const options = OPTIONS.map(({ key }) => {
          const found =
            key === 'home'
              ? { value: home, origin: values.given('home')?.origin ?? 'default of --home' }
              : values.find(key);
          return { key, value: found?.value, origin: found?.origin ?? 'not set' };
        });
        return { ok: true, home, options };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { ok: false, problem: { code: 'E_CONFIG', message: error.message } };
      }
    },
    fileKeys: FILE_KEYS,
    homeFile(name, flags) {
      try {
        const home = homeOf(host, new Values([ownLayer(host, 'chronicled.toml')], host.env, flags));
        const path = `${home}/config/${name}.toml`;
        return { ok: true, path, values: fileValues(host, path) };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { ok: false, problem: { code: 'E_CONFIG', message: error.message } };
      }
    },
    async check({ accounts: { mnemonic } }) {
      // The word list is loaded only for a mnemonic other than the default.
      if (mnemonic === DEV_MNEMONIC) return undefined;
      const { isMnemonic } = await import('../core/keys/mnemonic.js');
      return isMnemonic(mnemonic)
        ? undefined
        : { code: 'E_CONFIG', message: '--mnemonic: not the words of a BIP-39 mnemonic with a correct checksum' };
    },
  };
}

interface Layer {
  readonly origin: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Finds values of options by key; the first layer with a value wins. */
class Values {
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

/** The sources of a command's values: the files of its home below environment and flags. */
function sourcesOf(host: ConfigHost, command: DaemonCommand, flags: ReadonlyMap<string, string>) {
  const mode: DaemonOptions['mode'] =
    command === 'start' || command === 'abci' || command === 'prune' ? 'start' : 'dev';
  const project = ownLayer(host, 'chronicled.toml');
  const home = homeOf(host, new Values([project], host.env, flags));
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
    /** Those without the Go node's files. */
    own: new Values(layers, host.env, flags),
  };
}

function resolve(host: ConfigHost, command: DaemonCommand, flags: ReadonlyMap<string, string>): DaemonOptions {
  const { mode, home, comet, values, own } = sourcesOf(host, command, flags);
  const ephemeral = values.flag('ephemeral');
  const deterministic = values.flag('deterministic');
  const listen = listenOf(values, own);
  return {
    mode,
    home,
    listen,
    jsonRpc: jsonRpcOf(values, mode),
    allowedHosts: listOf(values.find('allowed-hosts')),
    corsAllowedOrigins: originsOf(values.find('cors-allowed-origins'), mode),
    httpServer: values.text('http-server') === 'node' ? 'node' : 'uws',
    readyFile: values.find('ready-file')?.value,
    moniker: values.text('moniker'),
    chainId: values.text('chain-id'),
    evmChainId: values.integer('evm-chain-id'),
    bech32Prefix: values.text('bech32-prefix'),
    baseDenom: values.text('denom'),
    minGasPrice: gasPriceOf(values.find('minimum-gas-price')),
    invariantPeriod: values.integer('inv-check-period') ?? 0n,
    skipInvariants: values.flag('x-crisis-skip-assert-invariants'),
    genesisFile: values.find('genesis')?.value,
    mining: miningOf(values, mode, deterministic),
    instamine: values.text('miner.instamine') === 'strict' ? 'strict' : 'eager',
    timeouts: timeoutsOf(comet),
    ephemeral,
    ibc: command === 'dev' && ibcOf(values, listen, deterministic),
    deterministic,
    accounts: accountsOf(values),
    logSync: SYNCS.find((sync) => sync === values.find('log.sync')?.value) ?? (ephemeral ? 'os' : 'block'),
    pruning: pruningOf(values, mode),
    retained: { blocks: ruleOf(values, 'min-retain-blocks'), seconds: ruleOf(values, 'min-retain-time') },
    snapshots: {
      interval: values.integer('state-sync.snapshot-interval') ?? 0n,
      keepRecent: Number(values.integer('state-sync.snapshot-keep-recent') ?? 0n),
    },
    engine: command === 'abci' ? engineOf(values, flags) : undefined,
    appVersion: values.find('app-version')?.value,
    unsafeSkipUpgrades: heightsOf(values.find('unsafe-skip-upgrades')),
    exitOnHalt: values.flag('exit-on-halt'),
    exitWithParent: values.find('exit-with-parent') && values.flag('exit-with-parent'),
    preset: values.text('preset'),
    logLevel: LEVELS.find((level) => level === values.text('log-level')) ?? 'info',
    logFormat: values.text('log-format') === 'json' ? 'json' : 'plain',
    quiet: values.flag('quiet'),
    abi: listOf(values.find('abi')),
    command: commandOf(flags),
  };
}

/** True for `--ibc`; refuses what a second chain cannot have. */
function ibcOf(values: Values, listen: DaemonOptions['listen'], deterministic: boolean): boolean {
  if (!values.flag('ibc')) return false;
  if (deterministic) throw new ConfigError('--ibc: two chains do not share the virtual clock of --deterministic');
  const high = FACES.find((face) => listen[face].port > 65_535 - SECOND_PORTS);
  if (high !== undefined)
    throw new ConfigError(`--ibc: port ${listen[high].port} leaves no room for one ${SECOND_PORTS} higher`);
  return true;
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

/** True for seconds that are a millisecond at least, and that a timer of Node can wait for. */
function isPause(seconds: string): boolean {
  const milliseconds = millisecondsOf(seconds);
  return /^[0-9]+(\.[0-9]+)?$/.test(seconds) && milliseconds > 0 && milliseconds < 2 ** 31;
}

function millisecondsOf(seconds: string): number {
  return Math.round(Number(seconds) * 1000);
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

/** Flags of `start` that are keys of app.toml and of nothing else. */
function appFlags(flags: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...flags].filter(([key]) => APP_FLAGS.includes(key)));
}

/** Every scalar of a toml file; none without the file. */
function fileValues(host: ConfigHost, file: string): ReadonlyMap<string, string> {
  const text = host.readFile(file);
  if (text === undefined) return new Map();
  const read = readToml(file, text);
  if (!read.ok) throw new ConfigError(read.message);
  return read.values;
}

function homeOf(host: ConfigHost, values: Values): string {
  const given = values.given('home');
  if (given !== undefined) return given.value;
  return host.isDirectory('.chronicle') ? '.chronicle' : `${host.userHome}/.chronicled`;
}

/** Listen addresses: an address option wins over the port base, but for an address of the Go node's files. */
function listenOf(values: Values, own: Values): DaemonOptions['listen'] {
  const base = values.integer('port-base');
  if (base !== undefined && base > 65_535n - BigInt(FACES.length - 1))
    throw new ConfigError(`--port-base: ${base} leaves no room for ${FACES.length} ports below 65536`);
  return ofEachFace((face) => {
    const key = ADDRESS_OPTION[face];
    const found = values.given(key);
    const address = parseListenAddress(found ?? { value: values.text(key), origin: `--${key}` });
    if (base === undefined || own.given(key) !== undefined) return address;
    return { host: address.host, port: base === 0n ? 0 : Number(base) + FACES.indexOf(face) };
  });
}

/** The engine of `abci`. An empty `--comet` keeps transactions here. */
function engineOf(values: Values, flags: ReadonlyMap<string, string>): EngineOptions {
  const comet = flags.get('comet') ?? '';
  return {
    comet: comet === '' ? undefined : urlOf({ value: comet, origin: '--comet' }),
    retainBlocks: ruleOf(values, 'min-retain-blocks'),
  };
}

/** A number of blocks or seconds; undefined for 0, which is no rule. */
function ruleOf(values: Values, key: 'min-retain-blocks' | 'min-retain-time'): bigint | undefined {
  const found = values.integer(key) ?? 0n;
  return found === 0n ? undefined : found;
}

/** Options of the Ethereum face. An alias may be a port alone, which is opened on the websocket's host. */
function jsonRpcOf(values: Values, mode: DaemonOptions['mode']): JsonRpcOptions {
  const alias = values.find('json-rpc.ws-alias');
  const host = values.text('json-rpc.ws-address').replace(/:[0-9]*$/, '');
  const api = values.find('evm.rpc.api');
  const namespaces = api === undefined ? undefined : listOf(api);
  const unknown = namespaces?.find((name) => !NAMESPACES.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${api?.origin ?? '--evm.rpc.api'}: ${JSON.stringify(unknown)} is none of ${NAMESPACES.join(', ')}`,
    );
  return {
    enabled: values.flag('json-rpc.enable'),
    namespaces,
    allowUnprotectedTxs: values.flag('rpc.allow-unprotected-txs'),
    txFeeCap: weiOf(values.find('json-rpc.txfee-cap')?.value ?? (mode === 'dev' ? '0' : '1')),
    webSocketAlias:
      alias === undefined
        ? undefined
        : parseListenAddress(/^[0-9]+$/.test(alias.value) ? { ...alias, value: `${host}:${alias.value}` } : alias),
  };
}

/** Mining options. As in anvil, a block time without a mode means interval mining. */
function miningOf(values: Values, mode: DaemonOptions['mode'], deterministic: boolean): MiningOptions {
  const blockTime = values.given('block-time');
  const milliseconds = millisecondsOf(blockTime?.value ?? HEARTBEAT_SECONDS);
  const kind = values.given('mining')?.value ?? (blockTime !== undefined || mode === 'start' ? 'interval' : 'instant');
  if (kind === 'manual') return { kind: 'manual' };
  const empty = emptyBlocksOf(values);
  if (kind === 'interval') return { kind: 'interval', intervalMs: milliseconds, ...(empty && { empty }) };
  const heartbeatMs = empty === undefined ? milliseconds : empty.afterMs;
  return { kind: 'instant', heartbeatMs: deterministic ? undefined : heartbeatMs };
}

/** Undefined where empty blocks come as blocks with transactions do (CometBFT v0.38 `config.go` WaitForTxs). */
function emptyBlocksOf(values: Values): { readonly afterMs: number | undefined } | undefined {
  const interval = values.find('consensus.create-empty-blocks-interval');
  if (interval !== undefined) return { afterMs: millisecondsOf(interval.value) };
  return values.flag('consensus.create-empty-blocks') ? undefined : { afterMs: undefined };
}

function accountsOf(values: Values): DaemonOptions['accounts'] {
  const mnemonic = values.text('mnemonic').trim().replace(/\s+/g, ' ');
  const count = values.integer('accounts') ?? 10n;
  if (count < 1n || count > FIXED_LIMITS.devAccounts)
    throw new ConfigError(`--accounts: must be from 1 to ${FIXED_LIMITS.devAccounts}, got ${count}`);
  return { mnemonic, count: Number(count), balance: (values.integer('balance') ?? 0n) * 10n ** 18n };
}

/** A height that the command line has checked; -1 and undefined mean the last one. */
function heightOf(text: string | undefined): bigint | undefined {
  return text === undefined || text === '-1' ? undefined : BigInt(text);
}

/** Flags of commands that read the log or the state, which the command line has checked. */
function readingOf(flags: ReadonlyMap<string, string>): ReadingOptions {
  const tx = flags.get('tx');
  return {
    types: flags.get('type')?.split(','),
    tx: tx === undefined ? undefined : bytesOfDigits(tx.replace(/^0x/i, '')),
    follow: flags.get('follow') === 'true',
    moments: ['moment-a', 'moment-b', 'at'].flatMap((key) => flags.get(key) ?? []),
    store: flags.get('store'),
  };
}

/** Flags of single commands, which the command line has checked. */
function commandOf(flags: ReadonlyMap<string, string>): CommandOptions {
  return {
    address: flags.get('address') ?? 'tcp://127.0.0.1:26658',
    overwrite: flags.get('overwrite') === 'true',
    validatorMnemonic: flags.get('recover'),
    hard: flags.get('hard') === 'true',
    execute: flags.get('execute') === 'true',
    yes: flags.get('yes') === 'true',
    from: flags.has('from') ? BigInt(flags.get('from') ?? '') : undefined,
    limit: Number(flags.get('limit') ?? '100'),
    to: flags.has('to') ? BigInt(flags.get('to') ?? '') : undefined,
    file: flags.get('file'),
    folder: flags.get('folder'),
    name: flags.get('name'),
    blocks: Math.min(Number(flags.get('blocks') ?? '3'), FIXED_LIMITS.rehearsalBlocks),
    output: flags.get('output') === 'text' ? 'text' : 'json',
    height: heightOf(flags.get('height')),
    outputDocument: flags.get('output-document'),
    format: flags.has('format') ? Number(flags.get('format')) : undefined,
    reading: readingOf(flags),
  };
}
