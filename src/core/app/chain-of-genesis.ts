import type { Application } from '../application.js';
import type { InitChainResult } from '../application-requests.js';
import {
  detectBaseDenom,
  detectWei,
  detectBech32Prefix,
  evmChainIdOf,
  parseGenesis,
  type GenesisDocument,
} from '../genesis/genesis-document.js';
import { genesisModules, genesisTokens } from '../genesis/genesis-sections.js';
import { genesisTransactions } from '../genesis/genesis-transactions.js';
import type { Crypto } from '../ports/crypto.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';
import { GenesisError } from '../sdk/module/genesis-section.js';
import { missingModules } from '../sdk/module/app-version.js';
import { versionOfChain } from '../sdk/module/version-of-chain.js';
import { createApplication } from './create-application.js';
import { assertInvariants, BrokenInvariant } from '../sdk/module/invariants.js';
import { CacheStore, EMPTY_STATE } from '../state/overlay.js';
import { MessageRouter } from '../sdk/module/message-router.js';
import type { AppVersion } from '../sdk/module/app-version.js';
import { Contexts } from './contexts.js';
import { parseJson } from '../text/json-text.js';

/** Thrown for a genesis that this build cannot run; the message names the key or the modules. */
export class GenesisRefused extends Error {
  override readonly name = 'GenesisRefused';
}

/** Thrown when the genesis file for a new chain does not exist. */
export class NoGenesisFile extends Error {
  constructor(readonly path: string) {
    super(`there is no genesis file ${path}`);
    this.name = 'NoGenesisFile';
  }
}

/** Preset of the genesis that a dev chain generates. */
const DEV_PRESET = 'chronicle';

/** Thrown for a new chain without a genesis file whose preset has no generated genesis. */
export class GenesisNeeded extends Error {
  constructor(preset: string) {
    super(
      `a new chain of preset ${preset} needs a genesis file, for the genesis that dev makes is of preset ${DEV_PRESET}: name one with --genesis <file>`,
    );
    this.name = 'GenesisNeeded';
  }
}

/** Throws GenesisNeeded for a preset without a generated genesis. */
export function requireDevPreset(preset: string): void {
  if (preset !== DEV_PRESET) throw new GenesisNeeded(preset);
}

/** Thrown when the chain id contains no EIP-155 id and none was given. */
export class EvmChainIdNeeded extends Error {
  constructor(chainId: string, problem = withoutEvmChainId(chainId)) {
    super(problem);
    this.name = 'EvmChainIdNeeded';
  }
}

/** Throws EvmChainIdNeeded when neither the given id, nor the chain id, nor the preset provides an EIP-155 id. */
export function requireEvmChainId(chainId: string, given: bigint | undefined, ofPreset: bigint | undefined): void {
  if ((given ?? evmChainIdOf(chainId) ?? ofPreset) === undefined) throw new EvmChainIdNeeded(chainId);
}

function withoutEvmChainId(chainId: string): string {
  const number = /^[1-9][0-9]{0,17}$/.test(chainId) ? chainId : '271828';
  return `the chain id ${JSON.stringify(chainId)} has no EIP-155 id in it: write a text such as chronicle_${number}-1, or give the id with --evm-chain-id, as --evm-chain-id ${number}`;
}

/** A chain before its first block. */
export interface ChainOfGenesis {
  readonly document: GenesisDocument;
  /** Name of the preset. */
  readonly preset: string;
  readonly chain: ChainConfig;
  /** Genesis state, before the first block. */
  readonly begun: InitChainResult;
}

/** Parses a genesis document; throws GenesisRefused with the invalid key and the reason. */
export function readGenesis(json: Uint8Array): GenesisDocument {
  let parsed: unknown;
  try {
    parsed = parseJson(new TextDecoder().decode(json));
  } catch {
    throw new GenesisRefused('genesis: is not JSON');
  }
  const result = parseGenesis(parsed);
  if (!result.ok) throw new GenesisRefused(result.message);
  return result.genesis;
}

/**
 * Starts a chain from its genesis in memory, with everything that a node checks before it starts. Throws
 * GenesisRefused. The chain starts with the version that its genesis sections indicate (`versionOfChain`). A section
 * of a module that a later upgrade adds is ignored, because that upgrade initializes the module. `evmChainId` is the
 * EIP-155 id; undefined: the number in the chain id, else the version's default.
 */
export function chainOfGenesis(options: {
  readonly document: GenesisDocument;
  readonly version: AppVersion;
  readonly evmChainId: bigint | undefined;
  readonly minGasPrice: bigint;
  readonly crypto: Crypto;
  /** True: the invariants of the genesis state are not checked. */
  readonly skipInvariants?: boolean;
}): ChainOfGenesis {
  const { document, crypto, minGasPrice } = options;
  const version = versionOfChain(options.version, genesisModules(document));
  const missing = missingModules(version);
  if (missing.length > 0)
    throw new GenesisRefused(
      `preset ${version.name} needs modules that this build does not have yet: ${missing.join(', ')}`,
    );
  const later = [...version.upgrades.values()].flatMap(({ modules = [] }) => modules.map(({ name }) => name));
  const known = new Set([...version.initOrder, ...later]);
  const foreign = Object.entries(document.appState)
    .filter(([name, section]) => !known.has(name) && !isEmpty(section))
    .map(([name]) => name);
  if (foreign.length > 0)
    throw new GenesisRefused(`app_state: preset ${version.name} is missing the modules ${foreign.join(', ')}`);
  const evmChainId = options.evmChainId ?? evmChainIdOf(document.chainId) ?? version.evm.defaultChainId;
  if (evmChainId === undefined) throw new GenesisRefused(`chain_id: ${withoutEvmChainId(document.chainId)}`);
  const bech32Prefix = detectBech32Prefix(document.appState);
  const baseDenom = detectBaseDenom(document.appState);
  if (bech32Prefix === undefined || baseDenom === undefined)
    throw new GenesisRefused('app_state: no account or balance names the address prefix and the base denom');
  const chain: ChainConfig = {
    chainId: document.chainId,
    evmChainId,
    bech32Prefix,
    baseDenom,
    minGasPrice,
    ...genesisTransactions(document),
    ...genesisTokens(document),
    ...genesisModules(document),
    ...detectWei(document.appState),
  };
  const begun = initChain(createApplication({ version, chain, crypto }), document);
  if (begun.validators.length === 0)
    throw new GenesisRefused(
      'consensus.validators: at least one validator is needed: name one, or bond one by a genesis transaction that delegates at least 10^18 of the bond denom',
    );
  if (options.skipInvariants !== true && version.initOrder.includes('crisis'))
    requireInvariants({ version, chain, crypto }, document, begun);
  return { document, preset: version.name, chain, begun };
}

/** Genesis state of a chain; throws GenesisRefused with the invalid key and the reason. */
export function initChain(application: Application, document: GenesisDocument): InitChainResult {
  try {
    return application.initChain(document);
  } catch (error) {
    if (error instanceof GenesisError) throw new GenesisRefused(error.message);
    throw error;
  }
}

/**
 * Throws GenesisRefused when the genesis state violates an invariant of a module (cosmos-sdk v0.53
 * `x/crisis/keeper/genesis.go`).
 */
function requireInvariants(
  parts: { readonly version: AppVersion; readonly chain: ChainConfig; readonly crypto: Crypto },
  { time, initialHeight }: GenesisDocument,
  { writes }: InitChainResult,
): void {
  const contexts = new Contexts({ ...parts, router: new MessageRouter(parts.version) });
  const state = new CacheStore(EMPTY_STATE);
  for (const { store, key, value } of writes) if (value !== undefined) state.set(store, key, value);
  try {
    assertInvariants(contexts.query(state, { chainId: parts.chain.chainId, height: initialHeight, time }));
  } catch (error) {
    if (error instanceof BrokenInvariant) throw new GenesisRefused(`app_state: ${error.message}`);
    throw error;
  }
}

/** True for a section that changes nothing in its module. */
function isEmpty(section: unknown): boolean {
  return section === null || (typeof section === 'object' && Object.keys(section).length === 0);
}
