/**
 * Stores that a software upgrade adds, renames and deletes: the SDK's `StoreUpgrades`, applied before the first block
 * of the new version.
 */
export interface StoreUpgrades {
  readonly added: readonly string[];
  readonly renamed: readonly StoreRename[];
  readonly deleted: readonly string[];
}

export interface StoreRename {
  readonly from: string;
  readonly to: string;
}
