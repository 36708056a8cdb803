/** Coordinated upgrades (SDK 0.53 `x/upgrade`). */
import { parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { asObject } from '../../text/json-object.js';
import type { Module } from '../../sdk/module/module.js';
import { preBlock } from './due.js';
import { getAuthority, getPlan, hasModule, setAuthority, setModuleVersions, STORE } from './plan-store.js';
import { queries } from './queries.js';
import { messages } from './schedule.js';

/**
 * Stores the version of every module (without which ModuleVersions stays empty for ever) and an authority that the
 * genesis names.
 */
function initGenesis(context: Context, section: unknown): void {
  setModuleVersions(context.store, new Map(Object.entries(context.version.moduleVersions)));
  const authority = asObject(section)?.['authority'];
  if (authority === undefined || authority === '') return;
  if (typeof authority !== 'string' || parseAddress(context.chain.bech32Prefix, authority) === undefined) {
    throw new GenesisError('app_state.upgrade.authority', `not an address with prefix ${context.chain.bech32Prefix}`);
  }
  setAuthority(context.store, authority);
}

export const upgradeModule: Module = {
  name: 'upgrade',
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis: ({ store }) => {
    const authority = getAuthority(store);
    return authority === undefined ? {} : { authority };
  },
  messages,
  queries,
  preBlock,
  keepers: { upgrades: { plan: getPlan, hasModule } },
};
