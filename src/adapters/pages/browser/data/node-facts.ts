/** Facts of the node that served the application (`GET /_page/node.json`, made by `src/node/pages.ts`). */
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
  /** True where commands of dev mode exist. */
  readonly is_dev: boolean;
  /** Price of gas for Cosmos transactions, in the base denomination: a decimal number, which may have a fraction. */
  readonly gas_price: string;
  /** Ports of the open faces by their names in the ready file. */
  readonly ports: Readonly<Partial<Record<FaceName, number>>>;
  /** Accounts whose keys the node holds. */
  readonly accounts: readonly {
    readonly hex: string;
    readonly bech32: string;
    /** Present for accounts of the well-known mnemonic alone. */
    readonly name?: string;
    readonly private_key?: string;
  }[];
  /** Amount that the faucet sends, in the base denomination; absent where there is no faucet. */
  readonly faucet_amount?: string;
}

export type FaceName = 'comet' | 'eth_http' | 'eth_ws' | 'grpc' | 'rest' | 'rest_alias' | 'metrics';

/** Reads the facts of the node. Rejects when the node does not answer. */
export async function readFacts(by: (path: string) => Promise<Response> = fetchNode): Promise<NodeFacts> {
  return (await (await by('/_page/node.json')).json()) as NodeFacts;
}

/** Address of a face under the name by which the application was reached; undefined for one that is not open. */
export function faceAddress({ ports }: NodeFacts, face: FaceName, scheme: 'http' | 'ws'): string | undefined {
  const port = ports[face];
  return port === undefined ? undefined : `${scheme}://${location.hostname}:${port}`;
}

/** True where the application was opened on the machine of the node: only there it shows keys. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/.test(host);
}
