import type { Context } from '../../sdk/module/context.js';
import { parseAddress } from '../../sdk/codec/address.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { getAuthority } from './plan-store.js';

export interface UpgradeRules {
  /** Account besides gov that may schedule upgrades; undefined: none. */
  readonly namedAuthority: (context: Context) => Uint8Array | undefined;
}

/** The account comes from `app_state.upgrade.authority`. */
export const upgradeRules = new RuleSet<UpgradeRules>({
  namedAuthority: ({ store, chain }) => {
    const named = getAuthority(store);
    return named === undefined ? undefined : parseAddress(chain.bech32Prefix, named);
  },
});
