import type { Registry } from '@bufbuild/protobuf';

/** The chain and the signer's account as it is before the transaction: all that sign bytes hold besides it. */
export interface SigningFacts {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  /** Address of the account as text. */
  readonly address: string;
  /** Chain id of typed data (EIP-712). */
  readonly evmChainId: bigint;
  /** Types that an `Any` of the transaction may hold. */
  readonly types: Registry;
}
