/** `0x` and hex digits: bytes, or a number without leading zeros. */
export type Hex = `0x${string}`;

/** A block by its number or its name. */
export type BlockTag = Hex | 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized';

/** A transaction that the node signs, or a call. */
export interface TransactionRequest {
  readonly from?: Hex;
  readonly to?: Hex;
  readonly value?: Hex;
  readonly data?: Hex;
  readonly gas?: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly nonce?: Hex;
}

/** The fields of a receipt that tests mostly need; the answer has more. */
export interface TransactionReceipt {
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly status: '0x0' | '0x1';
  readonly gasUsed: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

/** Parameters and results of common methods of the Ethereum face; other methods can be called without types. */
export interface EthereumMethods {
  readonly eth_chainId: { readonly params: readonly []; readonly result: Hex };
  readonly eth_blockNumber: { readonly params: readonly []; readonly result: Hex };
  readonly eth_accounts: { readonly params: readonly []; readonly result: readonly Hex[] };
  readonly eth_gasPrice: { readonly params: readonly []; readonly result: Hex };
  readonly eth_getBalance: { readonly params: readonly [address: Hex, block: BlockTag]; readonly result: Hex };
  readonly eth_getTransactionCount: { readonly params: readonly [address: Hex, block: BlockTag]; readonly result: Hex };
  readonly eth_call: { readonly params: readonly [call: TransactionRequest, block: BlockTag]; readonly result: Hex };
  readonly eth_estimateGas: { readonly params: readonly [call: TransactionRequest]; readonly result: Hex };
  readonly eth_sendTransaction: { readonly params: readonly [transaction: TransactionRequest]; readonly result: Hex };
  readonly eth_sendRawTransaction: { readonly params: readonly [signed: Hex]; readonly result: Hex };
  readonly eth_getTransactionReceipt: {
    readonly params: readonly [hash: Hex];
    readonly result: TransactionReceipt | null;
  };
}

/** Code and log of a transaction in the consensus RPC. */
export interface CometTxResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/**
 * Parameters and results of common methods of the consensus RPC; integers are decimal texts, bytes base64 or upper-case
 * hex.
 */
export interface CometMethods {
  readonly status: {
    readonly params: Record<string, never>;
    readonly result: {
      readonly node_info: { readonly network: string };
      readonly sync_info: { readonly latest_block_height: string; readonly latest_block_hash: string };
    };
  };
  readonly block: {
    readonly params: { readonly height?: string };
    readonly result: {
      readonly block: {
        readonly header: { readonly height: string; readonly time: string };
        readonly data: { readonly txs: readonly string[] };
      };
    };
  };
  readonly broadcast_tx_sync: {
    readonly params: { readonly tx: string };
    readonly result: CometTxResult & { readonly hash: string };
  };
  readonly broadcast_tx_commit: {
    readonly params: { readonly tx: string };
    readonly result: {
      readonly check_tx: CometTxResult;
      readonly tx_result: CometTxResult;
      readonly hash: string;
      readonly height: string;
    };
  };
  readonly tx: {
    readonly params: { readonly hash: string };
    readonly result: { readonly hash: string; readonly height: string; readonly tx_result: CometTxResult };
  };
  readonly abci_query: {
    readonly params: { readonly path: string; readonly data: string; readonly height?: string };
    readonly result: {
      readonly response: {
        readonly code: number;
        readonly log: string;
        readonly value: string | null;
        readonly height: string;
      };
    };
  };
}

/** Methods by name, with their parameters and results. */
type Methods<Table> = { readonly [Name in keyof Table]: { readonly params: unknown; readonly result: unknown } };

/** A JSON-RPC client in the form of EIP-1193. Rejects with `JsonRpcError` when the node answers with an error. */
export interface JsonRpcClient<Table extends Methods<Table>> {
  request<Name extends keyof Table & string>(call: {
    readonly method: Name;
    readonly params?: Table[Name]['params'];
  }): Promise<Table[Name]['result']>;
  request<Name extends string>(call: {
    readonly method: Name extends keyof Table ? never : Name;
    readonly params?: unknown;
  }): Promise<unknown>;
}
