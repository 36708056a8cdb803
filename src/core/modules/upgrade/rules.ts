import type { Context } from '../../sdk/module/context.js';
import { parseAddress } from '../../sdk/codec/address.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { getAuthority } from './plan-store.js';

export interface UpgradeRules {
  /** Address of the account that may schedule upgrades besides gov; undefined: none. */
  readonly namedAuthority: (context: Context) => Uint8Array | undefined;
}

/** `app_state.upgrade.authority` names the account. */
export const upgradeRules = new RuleSet<UpgradeRules>({
  namedAuthority: ({ store, chain }) => {
    const named = getAuthority(store);
    return named === undefined ? undefined : parseAddress(chain.bech32Prefix, named);
  },
});
