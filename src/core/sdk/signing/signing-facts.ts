import type { Registry } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { TypedDataRules } from './eip712/typed-data-rules.js';
import type { CoinMetadata } from './textual/coins.js';

/** The chain and the signer's account as it is before the transaction: all that sign bytes hold besides it. */
export interface SigningFacts {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  /** Address of the account as text. */
  readonly address: string;
  /** The account's key, which is that of a threshold also where a member of it signs. */
  readonly publicKey: Any;
  /** The payer of the fee, as SIGN_MODE_DIRECT_AUX reads it; undefined where it cannot. */
  readonly auxPayer: string | undefined;
  readonly bech32Prefix: string;
  /** Chain id of typed data (EIP-712). */
  readonly evmChainId: bigint;
  /** Rules of typed data (EIP-712). */
  readonly typedData: TypedDataRules;
  /** Types that an `Any` of the transaction may hold. */
  readonly types: Registry;
  /** By which SIGN_MODE_TEXTUAL shows amounts. */
  readonly coinMetadata: CoinMetadata;
}
