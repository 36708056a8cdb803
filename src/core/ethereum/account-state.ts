/** Everything that the EVM stores about an account. Slots and values have 32 bytes. */
export interface EthereumAccountState {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  /** Balance in wei. */
  readonly balance: bigint;
  readonly code: Uint8Array;
  readonly slots: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

/** An account without its storage. */
export type AccountWithCode = Pick<EthereumAccountState, 'nonce' | 'balance' | 'code'>;
