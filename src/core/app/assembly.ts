import type { EvmEngineFactory } from '../evm/engine.js';
import { invariant } from '../errors.js';
import type { Crypto } from '../ports/crypto.js';
import type { AppVersion } from '../sdk/module/app-version.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';
import type { Keepers } from '../sdk/module/keepers.js';
import { MessageRouter } from '../sdk/module/message-router.js';
import type { Module, QueryHandler } from '../sdk/module/module.js';
import { presentModules } from '../sdk/module/app-version.js';
import type { Build } from '../sdk/module/pre-block.js';
import type { StateStore } from '../state/state.js';
import { Contexts } from './contexts.js';

export interface ApplicationOptions {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly crypto: Crypto;
  /** Names of upgrades that this build can apply; default none. */
  readonly handlers?: ReadonlySet<string>;
  /** Heights at which plans are skipped (`--unsafe-skip-upgrades`). */
  readonly skipUpgradeHeights?: ReadonlySet<bigint>;
  /** Creates EVM engines; without it Ethereum transactions fail with SDK error 37. */
  readonly evm?: EvmEngineFactory;
}

/** The modules of one application in the orders of its version, and derived tables. */
export interface Assembly {
  readonly version: AppVersion;
  readonly chain: ChainConfig;
  readonly crypto: Crypto;
  readonly modules: readonly Module[];
  readonly initOrder: readonly Module[];
  readonly preBlockOrder: readonly Module[];
  readonly beginBlockOrder: readonly Module[];
  readonly endBlockOrder: readonly Module[];
  readonly router: MessageRouter;
  /** Query handlers by path. */
  readonly queries: ReadonlyMap<string, QueryHandler>;
  readonly keepers: Partial<Keepers>;
  readonly contexts: Contexts;
  readonly build: Omit<Build, 'follows'>;
}

/**
 * Assembles an application. Throws when a module has a block hook but is missing from that hook's order, because it
 * would never run (SDK `assertNoForgottenModules`).
 */
export function assemble(options: ApplicationOptions): Assembly {
  const { version, chain, crypto } = options;
  const modules = presentModules(version);
  const byName = new Map(modules.map((module) => [module.name, module]));
  const inOrder = (names: readonly string[], hook?: 'preBlock' | 'beginBlock' | 'endBlock'): readonly Module[] => {
    for (const module of modules)
      invariant(
        hook === undefined || module[hook] === undefined || names.includes(module.name),
        `preset ${version.name} gives the ${hook} of module ${module.name} a place in its order`,
      );
    return names.flatMap((name) => byName.get(name) ?? []);
  };
  const router = new MessageRouter(version);
  return {
    version,
    chain,
    crypto,
    modules,
    initOrder: inOrder(version.initOrder),
    preBlockOrder: inOrder(version.preBlockOrder, 'preBlock'),
    beginBlockOrder: inOrder(version.beginBlockOrder, 'beginBlock'),
    endBlockOrder: inOrder(version.endBlockOrder, 'endBlock'),
    router,
    queries: new Map(modules.flatMap(({ queries }) => queries).map((handler) => [handler.path, handler])),
    keepers: modules.reduce<Partial<Keepers>>((all, { keepers }) => ({ ...all, ...keepers }), {}),
    contexts: new Contexts({ ...options, router }),
    build: {
      handlers: options.handlers ?? new Set(),
      skipHeights: options.skipUpgradeHeights ?? new Set(),
    },
  };
}

/** Block gas limit of the consensus parameters; undefined when it is -1 or 0. */
export function maxBlockGas({ keepers }: Assembly, store: StateStore): bigint | undefined {
  const limit = keepers.consensusParams?.({ store })?.block?.maxGas ?? -1n;
  return limit > 0n ? limit : undefined;
}
