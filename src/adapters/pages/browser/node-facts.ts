/** Facts of the node that served the page (`GET /_page/node.json`, made by `src/node/pages.ts`). */

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

/** Reads the facts of the node that the page shows. Rejects when the node does not answer. */
export async function readFacts(): Promise<NodeFacts> {
  return await (await fetch('/_page/node.json')).json();
}

/** Address of a face under the name by which this page was reached; undefined for one that is not open. */
export function addressOf({ ports }: NodeFacts, face: FaceName, scheme: 'http' | 'ws'): string | undefined {
  const port = ports[face];
  return port === undefined ? undefined : `${scheme}://${location.hostname}:${port}`;
}
