import { type DaemonOptions, ofEachFace } from './daemon-options.js';

/** Added to each port of the first chain to get that of the second. */
export const SECOND_PORTS = 100;

/**
 * Options of the second chain of `dev --ibc`: its home is inside the first one's, its ports are `SECOND_PORTS` higher
 * (or 0 where the first has 0), and its accounts have the same keys. `chainId`: chain id of the first chain.
 */
export function secondChain(options: DaemonOptions, chainId: string): DaemonOptions {
  return {
    ...options,
    home: secondHome(options.home),
    chainId: secondChainId(chainId),
    evmChainId: options.evmChainId === undefined ? undefined : options.evmChainId + 1n,
    // The user's explicit settings describe the first chain.
    named: [],
    genesisFile: undefined,
    readyFile: undefined,
    quiet: true,
    ibc: false,
    listen: ofEachFace((face) => {
      const { host, port } = options.listen[face];
      return { host, port: port === 0 ? 0 : port + SECOND_PORTS };
    }),
    jsonRpc: { ...options.jsonRpc, webSocketAlias: undefined },
  };
}

/** The home of the second chain, in that of the first. */
export const secondHome = (home: string): string => `${home}/ibc`;

/** `name_9-1` becomes `nametwo_10-1`, so that the EIP-155 id differs, too; ids of another form get `two` alone. */
function secondChainId(chainId: string): string {
  const [, name, id, revision] = /^([a-z]+)_([1-9][0-9]{0,17})-([1-9][0-9]*)$/.exec(chainId) ?? [];
  return name === undefined || id === undefined ? `two${chainId}` : `${name}two_${BigInt(id) + 1n}-${revision}`;
}
