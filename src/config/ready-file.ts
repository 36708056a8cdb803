import { FACES, type DaemonOptions, type Face, type ListenAddress } from './daemon-options.js';
import { hex } from '../core/bytes/hex.js';
import type { DevAccount } from '../core/keys/accounts.js';

/** Full URLs of the open faces; grpc is host:port. */
export type Endpoints = { readonly [Name in Face]?: string };

/** Facts of a running node for the ready file and the banner. */
export interface NodeFacts {
  readonly pid: number;
  readonly version: string;
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly height: bigint;
  readonly position: bigint;
  /** Bound addresses of the open faces. */
  readonly bound: { readonly [Name in Face]?: ListenAddress };
  /** The address at which a consensus engine finds the application. */
  readonly engine?: string | undefined;
  /** Funded accounts; in dev mode only. */
  readonly accounts?: readonly DevAccount[];
  readonly mnemonic?: string;
  /** The second chain of `dev --ibc`. */
  readonly ibc?: SecondChainFacts | undefined;
}

/** The second chain, and the channel ids on both chains; undefined until the channel is open. */
export interface SecondChainFacts {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly bound: NodeFacts['bound'];
  readonly channels: { readonly here: string; readonly there: string } | undefined;
}

/** Content of the ready file. It holds private keys of dev accounts, so write it with mode 0600. */
export function readyFile(facts: NodeFacts) {
  return {
    pid: facts.pid,
    version: facts.version,
    chain_id: facts.chainId,
    evm_chain_id: facts.evmChainId.toString(),
    height: facts.height.toString(),
    position: facts.position.toString(),
    endpoints: { ...endpointsOf(facts.bound), ...(facts.engine !== undefined && { abci: facts.engine }) },
    ...(facts.accounts !== undefined && {
      accounts: facts.accounts.map(({ index, name, hex: address, bech32, privateKey }) => ({
        index,
        name,
        hex: address,
        bech32,
        private_key: `0x${hex(privateKey)}`,
      })),
    }),
    ...(facts.mnemonic !== undefined && { mnemonic: facts.mnemonic }),
    ...(facts.ibc !== undefined && {
      ibc: {
        chain_id: facts.ibc.chainId,
        evm_chain_id: facts.ibc.evmChainId.toString(),
        endpoints: endpointsOf(facts.ibc.bound),
        ...(facts.ibc.channels !== undefined && {
          channel_id: facts.ibc.channels.here,
          counterparty_channel_id: facts.ibc.channels.there,
        }),
      },
    }),
  };
}

/** Bound addresses of the open faces: the host of the options with the port that was bound. */
export function boundBy({ listen }: Pick<DaemonOptions, 'listen'>, ports: Readonly<Partial<Record<Face, number>>>) {
  const bound: Partial<Record<Face, ListenAddress>> = {};
  for (const face of FACES) {
    const port = ports[face];
    if (port !== undefined) bound[face] = { host: listen[face].host, port };
  }
  return bound;
}

/** URLs for clients: the address of a face that listens on all interfaces is replaced by loopback. */
export function endpointsOf(bound: NodeFacts['bound']): Endpoints {
  const { comet, eth_http, eth_ws, grpc, rest, rest_alias, metrics } = bound;
  return {
    ...(comet && { comet: `http://${authority(comet)}` }),
    ...(eth_http && { eth_http: `http://${authority(eth_http)}` }),
    ...(eth_ws && { eth_ws: `ws://${authority(eth_ws)}` }),
    ...(grpc && { grpc: authority(grpc) }),
    ...(rest && { rest: `http://${authority(rest)}` }),
    ...(rest_alias && { rest_alias: `http://${authority(rest_alias)}` }),
    ...(metrics && { metrics: `http://${authority(metrics)}` }),
  };
}

function authority({ host, port }: ListenAddress): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
