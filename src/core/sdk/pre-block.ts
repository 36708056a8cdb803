/** What a build can do about upgrades: options of the process, not state of the chain. */
export interface Build {
  /** Names of the upgrades that this build can apply. */
  readonly handlers: ReadonlySet<string>;
  /** Heights whose plan is dropped instead of applied (`--unsafe-skip-upgrades`). */
  readonly skipHeights: ReadonlySet<bigint>;
  /** The block before was executed by this build. */
  readonly follows: boolean;
}

/** What a module reports before a block: an upgrade was applied, or the block must not be executed. */
export type PreBlockReport =
  | { readonly kind: 'upgraded'; readonly name: string }
  | {
      readonly kind: 'halt';
      readonly plan: { readonly name: string; readonly height: bigint; readonly info: string };
      readonly reason: string;
    };
