import { file_ethermint_types_v1_web3 } from '../../proto/ethermint/types/v1/web3_pb.js';
import type { AppVersion, Upgrade } from '../../sdk/module/app-version.js';
import type { Module } from '../../sdk/module/module.js';
import { crisisModule } from '../../modules/crisis/module.js';
import { devModule } from '../../modules/dev/module.js';
import { devModuleV2 } from '../../modules/dev/v2.js';
import { convertMissingCoins } from '../../modules/erc20/provide-coins.js';
import { paramsModule } from '../../modules/params/module.js';
import { sampleModule } from '../../modules/sample/module.js';
import { transferRules } from '../../modules/transfer/rules.js';
import { chronicleV3 } from './chronicle-v3.js';
import { CHRONICLE_PRECOMPILES } from '../../precompiles/chronicle.js';
import {
  authModule,
  authzModule,
  bankModule,
  consensusModule,
  distributionModule,
  distributionHooks,
  erc20Module,
  evidenceModule,
  evmModule,
  feegrantModule,
  feemarketModule,
  genutilModule,
  mintModule,
  slashingHooks,
  slashingModule,
  stakingModule,
  govModule,
  upgradeModule,
  vestingModule,
  ANTE,
  ofModules,
  typeUrlAliases,
} from './shared.js';

/**
 * Second version of preset `chronicle`, for trying out a complete upgrade: it adds module `sample` with a store, and
 * migrates module `dev` from version 1 to 2, which renames its parameter `enabled`.
 */
const v2: Upgrade = { modules: [devModuleV2, sampleModule], added: ['sample'], deleted: [], renamed: [] };

/** Accepts signatures of Ethermint wallets in an extension option (`modules/auth/ante/web3-option.ts`). */
const signedByWallets: Module = { ...authModule, types: [file_ethermint_types_v1_web3] };

/**
 * 1 gwei, like anvil (`crates/anvil/src/eth/fees.rs` MIN_SUGGESTED_PRIORITY_FEE) and hardhat 3 (edr,
 * `crates/edr_provider/src/data.rs` gas_price). A price quoted at a low base fee then suffices for many full blocks.
 */
const LEAST_TIP = 1_000_000_000n;

/** This project's own chain, without the bugs of its peers. */
export const chronicle: AppVersion = {
  name: 'chronicle',
  ...ofModules([
    signedByWallets,
    bankModule,
    distributionModule,
    stakingModule,
    slashingModule,
    govModule,
    mintModule,
    evmModule,
    feemarketModule,
    erc20Module,
    genutilModule,
    evidenceModule,
    authzModule,
    feegrantModule,
    upgradeModule,
    consensusModule,
    vestingModule,
    paramsModule,
    devModule,
    crisisModule,
  ]),
  preBlockOrder: ['upgrade', 'auth', 'evm'],
  beginBlockOrder: ['mint', 'feemarket', 'evm', 'distribution', 'slashing', 'evidence', 'staking', 'authz', 'dev'],
  endBlockOrder: ['crisis', 'gov', 'staking', 'auth', 'bank', 'evm', 'feemarket', 'feegrant', 'dev'],
  ante: ANTE,
  hooks: { staking: [distributionHooks, slashingHooks], gov: [], ethereum: [] },
  moduleAccounts: {
    bonded_tokens_pool: ['burner', 'staking'],
    dev: ['minter', 'burner'],
    distribution: [],
    erc20: ['minter', 'burner'],
    evm: ['minter', 'burner'],
    fee_collector: [],
    feemarket: [],
    gov: ['burner'],
    mint: ['minter'],
    not_bonded_tokens_pool: ['burner', 'staking'],
  },
  typeUrlAliases,
  upgrades: new Map([
    ['v2', v2],
    ['v3', chronicleV3],
  ]),
  evm: { fork: 'osaka', minTip: LEAST_TIP },
  precompiles: CHRONICLE_PRECOMPILES,
  blockLimit: 'gas used',
  rules: new Map([transferRules.with({ convertMissingCoins })]),
};
