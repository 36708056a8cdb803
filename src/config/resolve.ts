import { FACES, LOG_LEVELS, type DaemonOptions, type EngineOptions, type JsonRpcOptions } from './daemon-options.js';
import { DEV_NAMESPACES } from '../core/ethereum/namespaces.js';
import { DEV_MNEMONIC } from '../core/keys/dev-mnemonic.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import { LOG_SYNCS } from '../core/ports/log-sync.js';
import { FILE_KEYS, timeoutsOf } from './daemon-files.js';
import { listenOf, listenOfBranch } from './listen-options.js';
import { miningOf } from './mining-options.js';
import { chainIdOfHome, type ConfigHost, fileValues, homeOf, sourcesOf, type Values } from './option-sources.js';
import type { ConfigProblem, DaemonCommand, DaemonConfig } from './option-spec.js';
import { OPTIONS } from './options.js';
import { pruningOf } from './pruning.js';
import { SECOND_PORTS } from './second-chain.js';
import { ConfigError, gasPriceOf, heightsOf, listOf, originsOf, parseListenAddress, urlOf, weiOf } from './values.js';

/** Namespaces that `--evm.rpc.api` accepts; they include those of geth's and cosmos/evm's configuration files. */
const NAMESPACES: readonly string[] = DEV_NAMESPACES;

/**
 * Resolves the options of a daemon command: the flag, then the environment, ./chronicled.toml,
 * <home>/config/chronicled.toml, app.toml and config.toml of the home (`start` only), then the default.
 */
export function createDaemonConfig(host: ConfigHost): DaemonConfig {
  return {
    options: OPTIONS,
    resolve: (command, flags) => orProblem(() => ({ ok: true, options: resolve(host, command, flags) })),
    explain: (command, flags) =>
      orProblem(() => {
        const { values, home } = sourcesOf(host, command, flags);
        const options = OPTIONS.map(({ key }) => {
          const found =
            key === 'home'
              ? { value: home, origin: values.given('home')?.origin ?? 'default of --home' }
              : (values.given(key) ?? (key === 'chain-id' ? chainIdOfHome(host, home) : undefined) ?? values.find(key));
          return { key, value: found?.value, origin: found?.origin ?? 'not set' };
        });
        return { ok: true, home, options };
      }),
    fileKeys: FILE_KEYS,
    homeFile: (name, flags) =>
      orProblem(() => {
        const path = `${homeOf(host, flags)}/config/${name}.toml`;
        return { ok: true, path, values: fileValues(host, path) };
      }),
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

/** Facts fixed at genesis, with the options that set them. */
const NAMED = [
  ['chainId', 'chain-id'],
  ['evmChainId', 'evm-chain-id'],
  ['bech32Prefix', 'bech32-prefix'],
  ['preset', 'preset'],
] as const;

/** Runs `read`; turns a ConfigError into a problem. */
function orProblem<T>(read: () => T): T | { readonly ok: false; readonly problem: ConfigProblem } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ok: false, problem: { code: 'E_CONFIG', message: error.message } };
  }
}

function resolve(host: ConfigHost, command: DaemonCommand, flags: ReadonlyMap<string, string>): DaemonOptions {
  const { mode, home, comet, values, own } = sourcesOf(host, command, flags);
  const branch = branchOf(values, command);
  const ephemeral = branch !== undefined || values.flag('ephemeral');
  const deterministic = values.flag('deterministic');
  const listen = branch === undefined ? listenOf(values, own) : listenOfBranch(values);
  return {
    mode,
    home,
    listen,
    jsonRpc: { ...jsonRpcOf(values, mode), ...(branch !== undefined && { webSocketAlias: undefined }) },
    allowedHosts: listOf(values.find('allowed-hosts')),
    corsAllowedOrigins: originsOf(values.find('cors-allowed-origins'), mode),
    httpServer: values.text('http-server') === 'node' ? 'node' : 'uws',
    readyFile: values.find('ready-file')?.value,
    moniker: values.text('moniker'),
    chainId: values.text('chain-id'),
    evmChainId: values.integer('evm-chain-id'),
    bech32Prefix: values.text('bech32-prefix'),
    named: NAMED.flatMap(([fact, key]) => {
      const found = values.given(key);
      if (found === undefined) return [];
      return [{ ...found, fact, value: fact === 'evmChainId' ? `${BigInt(found.value)}` : found.value }];
    }),
    baseDenom: values.text('denom'),
    minGasPrice: gasPriceOf(values.find('minimum-gas-price')),
    invariantPeriod: values.integer('inv-check-period') ?? 0n,
    skipInvariants: values.flag('x-crisis-skip-assert-invariants'),
    genesisFile: values.find('genesis')?.value,
    mining: miningOf(values, mode, deterministic),
    instamine: values.text('miner.instamine') === 'strict' ? 'strict' : 'eager',
    timeouts: timeoutsOf(comet),
    ephemeral,
    branch,
    ibc: command === 'dev' && branch === undefined && ibcOf(values, listen, deterministic),
    deterministic,
    accounts: accountsOf(values),
    logSync: LOG_SYNCS.find((sync) => sync === values.find('log.sync')?.value) ?? (ephemeral ? 'os' : 'block'),
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
    logLevel: LOG_LEVELS.find((level) => level === values.text('log-level')) ?? 'info',
    logFormat: values.text('log-format') === 'json' ? 'json' : 'plain',
    quiet: values.flag('quiet'),
    abi: listOf(values.find('abi')),
  };
}

/** Options of the Ethereum face. `--json-rpc.ws-alias` may be a port alone, which opens on the websocket's host. */
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

function accountsOf(values: Values): DaemonOptions['accounts'] {
  const mnemonic = values.text('mnemonic').trim().replace(/\s+/g, ' ');
  const count = values.integer('accounts') ?? 10n;
  if (count < 1n || count > FIXED_LIMITS.devAccounts)
    throw new ConfigError(`--accounts: must be from 1 to ${FIXED_LIMITS.devAccounts}, got ${count}`);
  return { mnemonic, count: Number(count), balance: (values.integer('balance') ?? 0n) * 10n ** 18n };
}

/** Options of `chronicled abci`. An empty `--comet` means that transactions are not forwarded. */
function engineOf(values: Values, flags: ReadonlyMap<string, string>): EngineOptions {
  const comet = flags.get('comet') ?? '';
  return {
    address: flags.get('address') ?? 'tcp://127.0.0.1:26658',
    comet: comet === '' ? undefined : urlOf({ value: comet, origin: '--comet' }),
    retainBlocks: ruleOf(values, 'min-retain-blocks'),
  };
}

/** A number of blocks or seconds to keep; undefined for 0, which disables the rule. */
function ruleOf(values: Values, key: 'min-retain-blocks' | 'min-retain-time'): bigint | undefined {
  const found = values.integer(key) ?? 0n;
  return found === 0n ? undefined : found;
}

/** True for `--ibc`. Throws ConfigError for options that a second chain cannot have. */
function ibcOf(values: Values, listen: DaemonOptions['listen'], deterministic: boolean): boolean {
  if (!values.flag('ibc')) return false;
  if (deterministic) throw new ConfigError('--ibc: two chains do not share the virtual clock of --deterministic');
  const high = FACES.find((face) => listen[face].port > 65_535 - SECOND_PORTS);
  if (high !== undefined)
    throw new ConfigError(`--ibc: port ${listen[high].port} leaves no room for one ${SECOND_PORTS} higher`);
  return true;
}

/** The height of `--branch`. Throws ConfigError outside of `dev`. */
function branchOf(values: Values, command: DaemonCommand): bigint | undefined {
  const found = values.given('branch');
  if (found === undefined) return undefined;
  if (command !== 'dev') throw new ConfigError(`${found.origin}: only chronicled dev runs a branch`);
  if (values.flag('deterministic')) throw new ConfigError(`${found.origin}: --deterministic begins a chain of its own`);
  return BigInt(found.value);
}
