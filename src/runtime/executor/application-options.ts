import type { Height } from '../../core/primitives.js';
import type { ChainConfig } from '../../core/sdk/module/chain-config.js';

/** Options from which main and worker threads build the same application; plain data that can cross between threads. */
export interface ApplicationOptions {
  readonly preset: string;
  readonly chain: ChainConfig;
  /** Names of the upgrades that this start can apply (`--app-version`). */
  readonly handlers: readonly string[];
  readonly skipUpgradeHeights: readonly Height[];
}
