import type { Height } from '../../core/primitives.js';
import type { ChainConfig } from '../../core/sdk/module/chain-config.js';

/**
 * Options from which main and worker threads create the same application; plain data that can be sent between threads.
 */
export interface ApplicationOptions {
  readonly preset: string;
  readonly chain: ChainConfig;
  /** Upgrade names that this process can apply (`--app-version`). */
  readonly handlers: readonly string[];
  readonly skipUpgradeHeights: readonly Height[];
}
