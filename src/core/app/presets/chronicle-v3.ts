import { callbacksMiddleware } from '../../modules/callbacks/transfers.js';
import { claimsEthereumHooks, claimsGovHooks, claimsStakingHooks } from '../../modules/claims/hooks.js';
import { claimsModule } from '../../modules/claims/module.js';
import { claimsMiddleware } from '../../modules/claims/transfers.js';
import { expireClient } from '../../modules/dev/expire-client.js';
import { erc20ClientMiddleware, erc20Middleware } from '../../modules/erc20/transfers.js';
import { epochsModule } from '../../modules/epochs/module.js';
import { incentivesEpochHooks, incentivesEthereumHooks } from '../../modules/incentives/hooks.js';
import { incentivesModule } from '../../modules/incentives/module.js';
import { inflationHooks } from '../../modules/inflation/epoch-end.js';
import { inflationModule, mintWithoutInflation } from '../../modules/inflation/module.js';
import { ibcModule } from '../../modules/ibc/module.js';
import { around } from '../../modules/ibc/channel/port.js';
import { refuseRedundantRelay } from '../../modules/ibc/channel/redundant-relay.js';
import { recoveryModule } from '../../modules/recovery/module.js';
import { recoveryMiddleware } from '../../modules/recovery/transfers.js';
import { vestingWithClawback } from '../../modules/vesting/with-clawback.js';
import { transferClientPort } from '../../modules/transfer/client-port.js';
import { transferModule } from '../../modules/transfer/module.js';
import { transferPort } from '../../modules/transfer/port.js';
import type { Upgrade } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';

// In evmos v3, claims and recovery accept channels only, not IBC v2 clients.
const ibc = ibcModule(
  [[claimsMiddleware, recoveryMiddleware, erc20Middleware, callbacksMiddleware].reduce(around, transferPort)],
  [erc20ClientMiddleware(transferClientPort)],
);

/** Modules that `v3` adds, in order of InitGenesis. */
const MODULES: readonly Module[] = [
  epochsModule,
  inflationModule,
  incentivesModule,
  claimsModule,
  recoveryModule,
  { ...ibc, messages: [...ibc.messages, expireClient] },
  transferModule,
];

/**
 * Third version of preset `chronicle`, with the modules of evmos v3.0.0 and IBC. New chains start with it, because
 * their genesis has sections of its modules; others upgrade by plan `v3`.
 */
export const chronicleV3: Upgrade = {
  modules: [...MODULES, mintWithoutInflation, vestingWithClawback],
  added: MODULES.flatMap(({ store = [] }) => store),
  deleted: [],
  renamed: [],
  parts: ({ ante, beginBlockOrder, endBlockOrder, hooks, moduleAccounts }) => ({
    ante: [...ante, refuseRedundantRelay],
    beginBlockOrder: ['epochs', 'ibc', ...beginBlockOrder],
    endBlockOrder: [...endBlockOrder, 'claims'],
    hooks: {
      staking: [...hooks.staking, claimsStakingHooks],
      gov: [...hooks.gov, claimsGovHooks],
      ethereum: [...hooks.ethereum, incentivesEthereumHooks, claimsEthereumHooks],
      epochs: [incentivesEpochHooks, inflationHooks],
    },
    moduleAccounts: {
      ...moduleAccounts,
      claims: [],
      incentives: ['minter', 'burner'],
      inflation: ['minter'],
      transfer: ['minter', 'burner'],
    },
  }),
};
