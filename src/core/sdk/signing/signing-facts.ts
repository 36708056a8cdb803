import type { Registry } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { TypedDataRules } from './eip712/typed-data-rules.js';
import type { CoinMetadata } from './textual/coins.js';

/**
 * Chain and account facts that sign bytes contain besides the transaction; account fields are as before the
 * transaction.
 */
export interface SigningFacts {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  /** Account address as text. */
  readonly address: string;
  /** Public key of the account; the multisig key when a member signs. */
  readonly publicKey: Any;
  /** Fee payer as SIGN_MODE_DIRECT_AUX reads it; undefined when it cannot. */
  readonly auxPayer: string | undefined;
  readonly bech32Prefix: string;
  /** Chain id in typed data (EIP-712). */
  readonly evmChainId: bigint;
  /** Rules of typed data (EIP-712). */
  readonly typedData: TypedDataRules;
  /** Types that an `Any` of the transaction may contain. */
  readonly types: Registry;
  /** Coin metadata with which SIGN_MODE_TEXTUAL shows amounts. */
  readonly coinMetadata: CoinMetadata;
}
