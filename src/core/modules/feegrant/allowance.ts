import type { Any } from '@bufbuild/protobuf/wkt';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { TimeNs } from '../../primitives.js';
import type { Context } from '../../sdk/module/context.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

/** Allowance after a fee was deducted: updated, used up, or ended with an error. */
export type Used =
  | { readonly kind: 'left'; readonly allowance: Any }
  | { readonly kind: 'used up' }
  | { readonly kind: 'ended'; readonly refusal: SdkError };

/** Permission to spend another account's coins on fees (cosmossdk.io/x/feegrant v0.2.0 `fees.go` FeeAllowanceI). */
export interface Allowance {
  /** The allowance in its canonical encoding. */
  readonly any: Any;
  /** Expiration; undefined: none. */
  readonly end: TimeNs | undefined;
  /** Throws SdkError for invalid content. */
  validate(context: Pick<Context, 'version'>): void;
  /** Deducts a fee; throws SdkError when the allowance does not cover it for messages of these types. */
  use(context: Context, fee: readonly Coin[], typeUrls: readonly string[]): Used;
}
