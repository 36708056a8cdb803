import type { Any } from '@bufbuild/protobuf/wkt';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { TimeNs } from '../../primitives.js';
import type { Context } from '../../sdk/module/context.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

/** The allowance after a fee was taken from it: what is left of it, or nothing; or why it pays nothing any more. */
export type Used =
  | { readonly kind: 'left'; readonly allowance: Any }
  | { readonly kind: 'used up' }
  | { readonly kind: 'ended'; readonly refusal: SdkError };

/** Permission to spend fees of another account (cosmossdk.io/x/feegrant v0.2.0 `fees.go` FeeAllowanceI). */
export interface Allowance {
  /** In its canonical encoding. */
  readonly any: Any;
  /** Undefined: without end. */
  readonly end: TimeNs | undefined;
  /** Throws SdkError for contents that no grant may have. */
  validate(context: Pick<Context, 'version'>): void;
  /** Throws SdkError when the fee of a transaction with messages of these types is not allowed. */
  use(context: Context, fee: readonly Coin[], typeUrls: readonly string[]): Used;
}
