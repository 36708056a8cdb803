/** Facts of the node that serves the application (`GET /_page/node.json`, from `src/node/pages.ts`). */
import { fetchNode } from './origin.js';

export interface NodeFacts {
  readonly version: string;
  readonly chain_id: string;
  /** Decimal. */
  readonly evm_chain_id: string;
  readonly bech32_prefix: string;
  readonly denom: {
    readonly base: string;
    readonly display: string;
    readonly symbol: string;
    readonly decimals: number;
  };
  /** True if dev commands exist. */
  readonly is_dev: boolean;
  /** Gas price for Cosmos transactions in the base denom: a decimal number. */
  readonly gas_price: string;
  /** Ports of the open faces, by their ready-file names. */
  readonly ports: Readonly<Partial<Record<FaceName, number>>>;
  /** Accounts whose keys the node holds. */
  readonly accounts: readonly {
    readonly hex: string;
    readonly bech32: string;
    /** Only present for accounts of the well-known mnemonic. */
    readonly name?: string;
    readonly private_key?: string;
  }[];
  /** Amount that the faucet sends, in the base denom; absent without a faucet. */
  readonly faucet_amount?: string;
}

export type FaceName = 'comet' | 'eth_http' | 'eth_ws' | 'grpc' | 'rest' | 'rest_alias' | 'metrics';

/** Reads the facts. Rejects if the node does not answer. */
export async function readFacts(by: (path: string) => Promise<Response> = fetchNode): Promise<NodeFacts> {
  return (await (await by('/_page/node.json')).json()) as NodeFacts;
}

/** Address of a face on the application's host name; undefined if it is closed. */
export function faceAddress({ ports }: NodeFacts, face: FaceName, scheme: 'http' | 'ws'): string | undefined {
  const port = ports[face];
  return port === undefined ? undefined : `${scheme}://${location.hostname}:${port}`;
}

/** True if the application is opened on the node's machine; only then private keys are shown. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/.test(host);
}
