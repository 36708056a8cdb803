import type { AppVersion, Upgrade } from '../sdk/app-version.js';
import type { Module } from '../sdk/module.js';
import { authModule } from '../modules/auth/module.js';
import { authzModule } from '../modules/authz/module.js';
import { bankModule } from '../modules/bank/module.js';
import { CONSENSUS_PARAMS, consensusModule } from '../modules/consensus/module.js';
import { crisisModule } from '../modules/crisis/module.js';
import { devModule } from '../modules/dev/module.js';
import { devModuleV2 } from '../modules/dev/v2.js';
import { distributionModule } from '../modules/distribution/module.js';
import { distributionHooks } from '../modules/distribution/hooks.js';
import { erc20Module } from '../modules/erc20/module.js';
import { evidenceModule } from '../modules/evidence/module.js';
import { evmModule } from '../modules/evm/module.js';
import { feegrantModule } from '../modules/feegrant/module.js';
import { feemarketModule } from '../modules/feemarket/module.js';
import { FEE_MARKET_PARAMS } from '../modules/feemarket/params.js';
import { genutilModule } from '../modules/genutil/module.js';
import { ibcModule } from '../modules/ibc/module.js';
import { paramsModule } from '../modules/params/module.js';
import { precisebankModule } from '../modules/precisebank/module.js';
import { transferModule } from '../modules/transfer/module.js';
import { transferPort } from '../modules/transfer/port.js';
import { mintModule } from '../modules/mint/module.js';
import { sampleModule } from '../modules/sample/module.js';
import { slashingHooks } from '../modules/slashing/hooks.js';
import { slashingModule } from '../modules/slashing/module.js';
import { stakingModule } from '../modules/staking/module.js';
import { govModule } from '../modules/gov/module.js';
import { upgradeModule } from '../modules/upgrade/module.js';
import { vestingModule } from '../modules/vesting/module.js';
import { CHRONICLE_PRECOMPILES } from '../precompiles/chronicle.js';
import { EVMD_PRECOMPILES } from '../precompiles/evmd.js';
import { ANTE } from './ante.js';

const ETH_KEY = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey';
const typeUrlAliases = {
  '/ethermint.crypto.v1.ethsecp256k1.PubKey': ETH_KEY,
  '/cosmos.evm.crypto.eth.ethsecp256k1.PubKey': ETH_KEY,
  '/ethermint.types.v1.EthAccount': '/cosmos.auth.v1beta1.BaseAccount',
  '/ethermint.evm.v1.MsgEthereumTx': '/cosmos.evm.vm.v1.MsgEthereumTx',
  '/ethermint.evm.v1.ExtensionOptionsEthereumTx': '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
} as const;

/**
 * Facts of an application version with exactly these modules, in order of InitGenesis. A module with a hook before or
 * after blocks also needs a place in the order of that hook.
 */
export function ofModules(
  modules: readonly Module[],
): Pick<AppVersion, 'modules' | 'initOrder' | 'stores' | 'moduleVersions'> {
  return {
    modules,
    initOrder: modules.map(({ name }) => name),
    stores: modules.flatMap(({ store = [] }) => store).toSorted(),
    moduleVersions: Object.fromEntries(modules.map(({ name, consensusVersion }) => [name, consensusVersion])),
  };
}

/**
 * The second version of preset `chronicle`, with which a user tries a whole upgrade: it adds the module `sample` with a
 * store, and migrates the module `dev` from version 1 to 2, which renames its parameter `enabled`.
 */
const v2: Upgrade = { modules: [devModuleV2, sampleModule], added: ['sample'], deleted: [], renamed: [] };

/** This project's own chain, without the peers' bugs. */
export const chronicle: AppVersion = {
  name: 'chronicle',
  ...ofModules([
    authModule,
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
  upgrades: new Map([['v2', v2]]),
  evm: { fork: 'osaka' },
  precompiles: CHRONICLE_PRECOMPILES,
  blockLimit: 'gas used',
  quirks: {
    singleFeeDenom: false,
    submittedEvidencePanics: false,
    transientGasWanted: false,
    decimalBaseFee: false,
    legacyContentsPanic: false,
    newValidatorsPanic: false,
    namedUpgradeAuthority: true,
    ethSigGas: 21000n,
    evmMintsAndBurns: false,
    failureUndoesAuthorizations: false,
    executionsNestBeside: false,
    revokedFeegrantsStayQueued: false,
    simulatesDearestKey: true,
    floorIsOnlyChecked: false,
    unmeteredReads: undefined,
    unorderedTransactions: true,
    lastValidatorStays: true,
    zeroSlotsStay: false,
    coinbaseIsText: false,
    contractsTakeValue: false,
    balancesFollowEvents: false,
    ethereumRules: 'geth',
  },
};

/** cosmos/evm's example application v0.6.0 (`evmd/app.go`): this preset promises the app hashes of the Go node. */
export const evmd: AppVersion = {
  name: 'evmd',
  modules: [
    authModule,
    bankModule,
    genutilModule,
    distributionModule,
    mintModule,
    stakingModule,
    slashingModule,
    evidenceModule,
    govModule,
    evmModule,
    feemarketModule,
    upgradeModule,
    consensusModule,
    vestingModule,
    ibcModule([transferPort]),
    transferModule,
    erc20Module,
    precisebankModule,
    authzModule,
    feegrantModule,
  ],
  ante: ANTE,
  hooks: { staking: [distributionHooks, slashingHooks], gov: [], ethereum: [] },
  initOrder: [
    'auth',
    'bank',
    'distribution',
    'staking',
    'slashing',
    'gov',
    'mint',
    'ibc',
    'evm',
    'feemarket',
    'erc20',
    'precisebank',
    'transfer',
    'genutil',
    'evidence',
    'authz',
    'feegrant',
    'upgrade',
    'consensus',
    'vesting',
  ],
  preBlockOrder: ['upgrade', 'auth', 'evm'],
  beginBlockOrder: [
    'mint',
    'ibc',
    'transfer',
    'erc20',
    'feemarket',
    'evm',
    'distribution',
    'slashing',
    'evidence',
    'staking',
    'auth',
    'bank',
    'gov',
    'genutil',
    'authz',
    'feegrant',
    'consensus',
    'precisebank',
    'vesting',
  ],
  endBlockOrder: [
    'gov',
    'staking',
    'auth',
    'bank',
    'evm',
    'erc20',
    'feemarket',
    'ibc',
    'transfer',
    'distribution',
    'slashing',
    'mint',
    'genutil',
    'evidence',
    'authz',
    'feegrant',
    'upgrade',
    'consensus',
    'precisebank',
    'vesting',
  ],
  stores: [
    'acc',
    'authz',
    'bank',
    'consensus',
    'distribution',
    'erc20',
    'evidence',
    'evm',
    'feegrant',
    'feemarket',
    'gov',
    'ibc',
    'mint',
    'precisebank',
    'slashing',
    'staking',
    'transfer',
    'upgrade',
  ],
  moduleVersions: {
    '07-tendermint': 0n,
    auth: 5n,
    authz: 2n,
    bank: 4n,
    consensus: 1n,
    distribution: 3n,
    erc20: 1n,
    evidence: 1n,
    evm: 1n,
    feegrant: 2n,
    feemarket: 1n,
    genutil: 1n,
    gov: 5n,
    ibc: 8n,
    mint: 2n,
    precisebank: 1n,
    slashing: 4n,
    staking: 5n,
    transfer: 6n,
    upgrade: 2n,
    vesting: 1n,
  },
  moduleAccounts: {
    bonded_tokens_pool: ['burner', 'staking'],
    distribution: [],
    erc20: ['minter', 'burner'],
    evm: ['minter', 'burner'],
    fee_collector: [],
    feemarket: [],
    gov: ['burner'],
    mint: ['minter'],
    not_bonded_tokens_pool: ['burner', 'staking'],
    precisebank: ['minter', 'burner'],
    transfer: ['minter', 'burner'],
  },
  typeUrlAliases,
  upgrades: new Map(),
  evm: { fork: 'prague' },
  precompiles: EVMD_PRECOMPILES,
  blockLimit: 'gas wanted',
  quirks: {
    singleFeeDenom: true,
    submittedEvidencePanics: true,
    transientGasWanted: true,
    decimalBaseFee: true,
    legacyContentsPanic: true,
    newValidatorsPanic: true,
    namedUpgradeAuthority: false,
    ethSigGas: 21000n,
    evmMintsAndBurns: true,
    failureUndoesAuthorizations: true,
    executionsNestBeside: true,
    revokedFeegrantsStayQueued: true,
    simulatesDearestKey: false,
    floorIsOnlyChecked: true,
    unmeteredReads: { context: [CONSENSUS_PARAMS], ante: [FEE_MARKET_PARAMS] },
    unorderedTransactions: false,
    lastValidatorStays: false,
    zeroSlotsStay: true,
    coinbaseIsText: true,
    contractsTakeValue: true,
    balancesFollowEvents: true,
    ethereumRules: 'evmd',
  },
};

export const presets: Readonly<Record<string, AppVersion>> = { chronicle, evmd };
