/** Upgrades that a build can handle: process options, not chain state. */
export interface Build {
  /** Names of the upgrades that this build can apply. */
  readonly handlers: ReadonlySet<string>;
  /** Heights at which a plan is skipped (`--unsafe-skip-upgrades`). */
  readonly skipHeights: ReadonlySet<bigint>;
  /** True when this build executed the previous block. */
  readonly follows: boolean;
}

/** Result of a module's pre-block hook: an upgrade was applied, or the block must not be executed. */
export type PreBlockReport =
  | { readonly kind: 'upgraded'; readonly name: string }
  | {
      readonly kind: 'halt';
      readonly plan: { readonly name: string; readonly height: bigint; readonly info: string };
      readonly reason: string;
    };
