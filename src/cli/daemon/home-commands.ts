import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { utf8 } from '../../core/bytes/bytes.js';
import { withTomlValue } from '../toml-edit.js';
import { requireEvmChainId } from '../../core/app/chain-of-genesis.js';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { devGenesis } from '../../core/genesis/dev-genesis.js';
import { evmChainIdOf } from '../../core/genesis/genesis-document.js';
import { SDK_PERIODS } from '../../core/genesis/periods.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { deriveDevAccounts } from '../../core/keys/accounts.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { createHostKeyCrypto } from '../../runtime/host/key-crypto.js';
import { createHostRandomness } from '../../runtime/host/randomness.js';
import { createEd25519Signer } from '../../runtime/host/signer.js';
import { createHostClock } from '../../runtime/host/time.js';
import {
  homePaths,
  writeValidatorKey,
  generateKey,
  nodeId,
  validatorSeed,
  type Ed25519KeyPair,
} from '../../runtime/home/home.js';
import { writeFileAtomic } from '../../runtime/home/write-file-atomic.js';
import { databaseExists, removeDatabase, restoringFolder } from '../../store/files/replacement.js';
import { syncPath } from '../../store/files/sync-path.js';
import { secondHome } from '../../config/second-chain.js';
import { appToml, configToml } from '../../config/written-files.js';
import { reportingFailure } from './reporting-failure.js';
import { withLock } from './with-chain.js';
import type { CommandOutput } from './command-output.js';
import { genesisModules } from '../../core/genesis/genesis-sections.js';
import { versionOfChain } from '../../core/sdk/module/version-of-chain.js';
import { loadPreset } from '../../runtime/load-preset.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';

const DEFAULT_PRESET = 'chronicle';
const VALIDATOR_POWER = 1_000n;

/** `init`: writes keys, genesis and configuration of a new home, for `start`. Fails while a node runs on the home. */
export function init(options: DaemonOptions, args: CommandArguments<'init'>, output: CommandOutput): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { chainId, evmChainId, preset } = options;
    requireEvmChainId(chainId, evmChainId, (await loadPreset(preset)).evm.defaultChainId);
    return withLock(options, output, () => writeHome(options, args, output));
  });
}

async function writeHome(
  options: DaemonOptions,
  { overwrite, validatorMnemonic }: CommandArguments<'init'>,
  output: CommandOutput,
): Promise<number> {
  const paths = homePaths(options.home);
  if (existsSync(paths.genesis) && !overwrite) {
    output.stderr(`E_CONFIG: genesis.json exists already in ${options.home}\nUse --overwrite to replace it.\n`);
    return EXIT.config;
  }
  const crypto = await createHostCrypto();
  const randomness = createHostRandomness();
  const make = () => generateKey({ randomness, signerOf: createEd25519Signer });
  const seed =
    validatorMnemonic === undefined
      ? validatorSeed(paths.validatorKey, crypto, make)
      : writeValidatorKey(paths.validatorKey, crypto, keyOfSecret(crypto, validatorMnemonic));
  const { mnemonic, count, balance } = options.accounts;
  const document = devGenesis(crypto, {
    chainId: options.chainId,
    time: createHostClock().now(),
    accounts: deriveDevAccounts(createHostKeyCrypto(crypto), {
      mnemonic,
      count,
      bech32Prefix: options.bech32Prefix,
    }).map(({ bech32 }) => bech32),
    validators: [{ publicKey: createEd25519Signer(seed).publicKey, power: VALIDATOR_POWER, name: options.moniker }],
    baseDenom: options.baseDenom,
    balance,
    unsignedTransactions: false,
    periods: SDK_PERIODS,
  });
  const version = await loadPreset(options.preset);
  writeFileAtomic(paths.genesis, `${JSON.stringify(forVersion(document, version), undefined, 2)}\n`);
  keepOptions(paths.options, options);
  const folder = dirname(paths.genesis);
  keepFile(join(folder, 'app.toml'), appToml({ denom: options.baseDenom, evmChainId: idInFile(options, version) }));
  keepFile(join(folder, 'config.toml'), configToml({ pace: options.preset === DEFAULT_PRESET ? '2s' : '5s' }));
  output.stdout(
    `${JSON.stringify({ moniker: options.moniker, chain_id: options.chainId, node_id: nodeId(paths.nodeKey, crypto, make), home: options.home })}\n`,
  );
  return 0;
}

/**
 * Derives the validator key from a mnemonic as the Go node does (CometBFT v0.38 `crypto/ed25519/ed25519.go`
 * GenPrivKeyFromSecret).
 */
function keyOfSecret(crypto: Pick<Crypto, 'sha256'>, secret: string): Ed25519KeyPair {
  const seed = crypto.sha256(utf8(secret));
  return { seed, publicKey: createEd25519Signer(seed).publicKey };
}

/** Limits a genesis document to the modules of an application version. */
function forVersion(document: ReturnType<typeof devGenesis>, version: AppVersion) {
  const modules = new Set(versionOfChain(version, genesisModules({ appState: document.app_state })).initOrder);
  const sections = Object.entries(document.app_state).filter(([name]) => modules.has(name));
  return { ...document, app_state: Object.fromEntries(sections) };
}

/**
 * The EIP-155 id to write to app.toml, as evmd does; undefined if it is the chain id's number or in chronicled.toml.
 */
function idInFile({ chainId, evmChainId }: DaemonOptions, { evm }: Pick<AppVersion, 'evm'>): bigint | undefined {
  if (evmChainId !== undefined || evm.defaultChainId === undefined) return undefined;
  return evmChainIdOf(chainId) ?? evm.defaultChainId;
}

/** Writes a configuration file unless it exists. */
function keepFile(path: string, text: string): void {
  if (!existsSync(path)) writeFileAtomic(path, text);
}

/** Writes options that are not in the genesis to chronicled.toml, so that `start` uses them; its other lines stay. */
function keepOptions(path: string, { moniker, evmChainId, preset }: DaemonOptions): void {
  const kept: readonly (readonly [string, string])[] = [
    ['moniker', JSON.stringify(moniker)],
    ...(evmChainId === undefined ? [] : [['evm-chain-id', JSON.stringify(evmChainId.toString())] as const]),
    ...(preset === DEFAULT_PRESET ? [] : [['preset', JSON.stringify(preset)] as const]),
  ];
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileAtomic(
    path,
    kept.reduce((text, [key, value]) => withTomlValue(text, key, value), before),
  );
}

/**
 * `reset`: removes the data of a home (log, state, indexes, snapshots) and of the second chain of `dev --ibc`; keeps
 * keys and configuration. CometBFT (v0.38 `cmd/cometbft/commands/reset.go`) also removes `data`, and `reset-state`
 * keeps snapshots. Fails without `-y`, and while a node runs on the home.
 */
export async function reset(
  options: DaemonOptions,
  args: CommandArguments<'reset'>,
  output: CommandOutput,
): Promise<number> {
  const second = { ...options, home: secondHome(options.home) };
  const code = await resetOne(options, args, output);
  return code === 0 && databaseExists(homePaths(second.home).database) ? resetOne(second, args, output) : code;
}

function resetOne(
  options: DaemonOptions,
  { yes, keepSnapshots }: CommandArguments<'reset'>,
  output: CommandOutput,
): Promise<number> {
  const { database, witness, upgradeInfo, snapshots } = homePaths(options.home);
  const others = [restoringFolder(database), ...(keepSnapshots ? [] : [snapshots])];
  if (!databaseExists(database) && !others.some((path) => existsSync(path))) {
    output.stdout(`nothing to reset in ${options.home}\n`);
    return Promise.resolve(0);
  }
  if (!yes) {
    output.stderr(`This removes the chain in ${options.home}. Say so with: chronicled reset -y\n`);
    return Promise.resolve(EXIT.failed);
  }
  return withLock(options, output, (lock) => {
    if (!keepSnapshots) rmSync(snapshots, { recursive: true, force: true });
    // Remove these files first: a database is valid without them, but they must not remain without their database.
    for (const path of [witness, upgradeInfo]) rmSync(path, { force: true });
    syncPath(dirname(witness));
    removeDatabase(lock.directory);
    output.stdout(`removed the chain in ${options.home}\n`);
    return Promise.resolve(0);
  });
}
