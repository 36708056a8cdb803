import { DEV_MNEMONIC } from '../build/core/keys/dev-mnemonic.js';

export const CHAIN_ID = 'chronicle_271828-1';
export const PREFIX = 'chron';
export const DENOM = 'achr';
export const ACCOUNTS = 20;

/** Options of a dev daemon on free ports that the system chooses. @param {string} home @param {object} mining */
export function optionsOf(home, mining) {
  const any = { host: '127.0.0.1', port: 0 };
  return {
    mode: 'dev',
    home,
    listen: { comet: any, eth_http: any, eth_ws: any, grpc: any, rest: any, rest_alias: any, metrics: any },
    jsonRpc: {
      enabled: true,
      namespaces: undefined,
      allowUnprotectedTxs: true,
      txFeeCap: 0n,
      webSocketAlias: undefined,
    },
    allowedHosts: [],
    corsAllowedOrigins: [],
    readyFile: undefined,
    moniker: 'bench',
    chainId: CHAIN_ID,
    evmChainId: undefined,
    bech32Prefix: PREFIX,
    baseDenom: DENOM,
    minGasPrice: 0n,
    invariantPeriod: 0n,
    skipInvariants: false,
    named: [],
    genesisFile: undefined,
    mining,
    instamine: 'eager',
    timeouts: {},
    ephemeral: false,
    deterministic: false,
    accounts: { mnemonic: DEV_MNEMONIC, count: ACCOUNTS, balance: 10_000n * 10n ** 18n },
    logSync: 'block',
    pruning: { strategy: 'nothing', keepRecent: undefined, interval: 10n },
    retained: { blocks: undefined, seconds: undefined },
    snapshots: { interval: 0n, keepRecent: 2 },
    httpServer: 'uws',
    appVersion: undefined,
    unsafeSkipUpgrades: [],
    exitOnHalt: false,
    preset: 'chronicle',
    logLevel: 'error',
    logFormat: 'plain',
    quiet: true,
    abi: [],
    command: {},
  };
}
