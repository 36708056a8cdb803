/** The upgrades that a build can handle: options of the process, not state of the chain. */
export interface Build {
  /** Names of the upgrades that this build can apply. */
  readonly handlers: ReadonlySet<string>;
  /** Heights whose plan is dropped instead of applied (`--unsafe-skip-upgrades`). */
  readonly skipHeights: ReadonlySet<bigint>;
  /** True when this build executed the previous block. */
  readonly follows: boolean;
}

/** The report of a module before a block: an upgrade was applied, or the block must not be executed. */
export type PreBlockReport =
  | { readonly kind: 'upgraded'; readonly name: string }
  | {
      readonly kind: 'halt';
      readonly plan: { readonly name: string; readonly height: bigint; readonly info: string };
      readonly reason: string;
    };
