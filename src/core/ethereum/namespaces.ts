/** Namespaces of Ethereum JSON-RPC: those of every node, and all of them, which dev mode serves by default. */
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

/** Methods that tell of the node itself: served on loopback, and elsewhere where it is asked for by name. */
export const INSPECTION_NAMESPACE = 'chronicle';
