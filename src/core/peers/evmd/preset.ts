import type { AppVersion } from '../../sdk/module/app-version.js';
import { authModule } from '../../modules/auth/module.js';
import { authzModule } from '../../modules/authz/module.js';
import { callbacksMiddleware } from '../../modules/callbacks/transfers.js';
import { bankModule } from '../../modules/bank/module.js';
import { consensusModule } from '../../modules/consensus/module.js';
import { distributionHooks } from '../../modules/distribution/hooks.js';
import { distributionModule } from '../../modules/distribution/module.js';
import { erc20Module } from '../../modules/erc20/module.js';
import { erc20ClientMiddleware, erc20Middleware } from '../../modules/erc20/transfers.js';
import { evidenceModule } from '../../modules/evidence/module.js';
import { evmModule } from '../../modules/evm/module.js';
import { feegrantModule } from '../../modules/feegrant/module.js';
import { feemarketModule } from '../../modules/feemarket/module.js';
import { genutilModule } from '../../modules/genutil/module.js';
import { govModule } from '../../modules/gov/module.js';
import { around } from '../../modules/ibc/channel/port.js';
import { ibcModule } from '../../modules/ibc/module.js';
import { mintModule } from '../../modules/mint/module.js';
import { slashingHooks } from '../../modules/slashing/hooks.js';
import { slashingModule } from '../../modules/slashing/module.js';
import { stakingModule } from '../../modules/staking/module.js';
import { transferClientPort } from '../../modules/transfer/client-port.js';
import { transferModule } from '../../modules/transfer/module.js';
import { transferPort } from '../../modules/transfer/port.js';
import { upgradeModule } from '../../modules/upgrade/module.js';
import { vestingModule } from '../../modules/vesting/module.js';
import { EVMD_ANTE } from './ante.js';
import { EVMD_PRECOMPILES } from './contracts.js';
import { precisebankModule } from './precisebank/module.js';
import { EVMD_RULES } from './rules.js';

/** cosmos/evm's example application v0.6.0 (`evmd/app.go`). This preset reproduces the Go node's app hashes. */
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
    ibcModule(
      [[erc20Middleware, callbacksMiddleware].reduce(around, transferPort)],
      [erc20ClientMiddleware(transferClientPort)],
    ),
    transferModule,
    erc20Module,
    precisebankModule,
    authzModule,
    feegrantModule,
  ],
  ante: EVMD_ANTE,
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
  typeUrlAliases: {},
  upgrades: new Map(),
  // Chain id of cosmos/evm v0.6 `server/config/config.go` DefaultEVMChainID. The suggested tip is the maximal rise of
  // the base fee per block, as in cosmos/evm, but at least 1 wei.
  evm: { fork: 'prague', defaultChainId: 262_144n, minTip: 1n },
  precompiles: EVMD_PRECOMPILES,
  blockLimit: 'gas wanted',
  rules: EVMD_RULES,
};
