/** Ethereum JSON-RPC namespaces: those that every node serves, and all that dev mode serves by default. */
export const DEFAULT_NAMESPACES = ['eth', 'net', 'web3', 'txpool', 'rpc'] as const;
export const DEV_NAMESPACES = [
  ...DEFAULT_NAMESPACES,
  'debug',
  'trace',
  'ots',
  'erigon',
  'evm',
  'anvil',
  'hardhat',
  'ganache',
  'miner',
  'tenderly',
  'personal',
  'chronicle',
] as const;

/** Namespace of methods about the node itself: served on loopback, and elsewhere only when enabled by name. */
export const INSPECTION_NAMESPACE = 'chronicle';
