import type { AppVersion } from './app-version.js';

const ETH_KEY = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey';
const typeUrlAliases = {
  '/ethermint.crypto.v1.ethsecp256k1.PubKey': ETH_KEY,
  '/cosmos.evm.crypto.eth.ethsecp256k1.PubKey': ETH_KEY,
  '/ethermint.types.v1.EthAccount': '/cosmos.auth.v1beta1.BaseAccount',
  '/ethermint.evm.v1.MsgEthereumTx': '/cosmos.evm.vm.v1.MsgEthereumTx',
  '/ethermint.evm.v1.ExtensionOptionsEthereumTx': '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
} as const;

/** Our own chain: the modules that exist, without the peers' bugs. */
export const chronicle: AppVersion = {
  name: 'chronicle',
  initOrder: ['auth', 'bank', 'evm', 'feemarket', 'consensus', 'upgrade', 'dev'],
  preBlockOrder: ['upgrade', 'auth', 'evm'],
  beginBlockOrder: ['feemarket', 'evm'],
  endBlockOrder: ['auth', 'bank', 'evm', 'feemarket'],
  stores: ['acc', 'bank', 'consensus', 'dev', 'evm', 'feemarket', 'upgrade'],
  moduleVersions: { auth: 5n, bank: 4n, consensus: 1n, dev: 1n, evm: 1n, feemarket: 1n, upgrade: 2n },
  moduleAccounts: { dev: ['minter', 'burner'], evm: ['minter', 'burner'], fee_collector: [], feemarket: [], gov: ['burner'] },
  typeUrlAliases,
  storeUpgrades: {},
  evm: { fork: 'osaka' },
  quirks: {
    singleFeeDenom: false, transientGasWanted: false, namedUpgradeAuthority: true, ethSigGas: 21000n,
    evmMintsAndBurns: false, fractionalBalanceEvents: false, failureUndoesAuthorizations: false, zeroSlotsStay: false, coinbaseIsText: false, ethereumRules: 'geth',
  },
};

/** cosmos/evm's example application v0.6.0 (application-modules.md 1.1): equality with the Go node is this preset's promise. */
export const evmd: AppVersion = {
  name: 'evmd',
  initOrder: [
    'auth', 'bank', 'distribution', 'staking', 'slashing', 'gov', 'mint', 'ibc', 'evm', 'feemarket', 'erc20',
    'precisebank', 'transfer', 'genutil', 'evidence', 'authz', 'feegrant', 'upgrade', 'consensus', 'vesting',
  ],
  preBlockOrder: ['upgrade', 'auth', 'evm'],
  beginBlockOrder: [
    'mint', 'ibc', 'transfer', 'erc20', 'feemarket', 'evm', 'distribution', 'slashing', 'evidence', 'staking',
    'auth', 'bank', 'gov', 'genutil', 'authz', 'feegrant', 'consensus', 'precisebank', 'vesting',
  ],
  endBlockOrder: [
    'gov', 'staking', 'auth', 'bank', 'evm', 'erc20', 'feemarket', 'ibc', 'transfer', 'distribution', 'slashing',
    'mint', 'genutil', 'evidence', 'authz', 'feegrant', 'upgrade', 'consensus', 'precisebank', 'vesting',
  ],
  stores: [
    'acc', 'authz', 'bank', 'consensus', 'distribution', 'erc20', 'evidence', 'evm', 'feegrant', 'feemarket', 'gov',
    'ibc', 'mint', 'precisebank', 'slashing', 'staking', 'transfer', 'upgrade',
  ],
  moduleVersions: {
    '07-tendermint': 0n, auth: 5n, authz: 2n, bank: 4n, consensus: 1n, distribution: 3n, erc20: 1n, evidence: 1n,
    evm: 1n, feegrant: 2n, feemarket: 1n, genutil: 1n, gov: 5n, ibc: 8n, mint: 2n, precisebank: 1n, slashing: 4n,
    staking: 5n, transfer: 6n, upgrade: 2n, vesting: 1n,
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
  storeUpgrades: {},
  evm: { fork: 'prague' },
  quirks: {
    singleFeeDenom: true, transientGasWanted: true, namedUpgradeAuthority: false, ethSigGas: 21000n,
    evmMintsAndBurns: true, fractionalBalanceEvents: true, failureUndoesAuthorizations: true, zeroSlotsStay: true, coinbaseIsText: true, ethereumRules: 'evmd',
  },
};

export const presets: Readonly<Record<string, AppVersion>> = { chronicle, evmd };
