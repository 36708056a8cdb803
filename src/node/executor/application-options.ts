import type { Height } from '../../core/primitives.js';
import type { ChainConfig } from '../../core/sdk/chain-config.js';

/** What both threads need to build the same application; plain data, so that it can cross the boundary. */
export interface ApplicationOptions {
  readonly preset: string;
  readonly chain: ChainConfig;
  /** Names of upgrades that this start can apply (`--app-version`). */
  readonly handlers: readonly string[];
  readonly skipUpgradeHeights: readonly Height[];
}
