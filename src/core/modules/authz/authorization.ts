import type { Any } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/module/context.js';

/** Effect of one use on the grant: unchanged, updated, or deleted. */
export type Accepted =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly to: Any }
  | { readonly kind: 'used up' };

/**
 * Permission to execute messages of one type on behalf of another account (cosmos-sdk v0.53
 * `x/authz/authorizations.go` Authorization).
 */
export interface Authorization {
  /** The authorization in its canonical encoding. */
  readonly any: Any;
  readonly msgTypeUrl: string;
  /** Throws SdkError for invalid content. */
  validate(context: Pick<Context, 'version'>): void;
  /** Throws SdkError when the message is not allowed. */
  accept(context: Context, message: Any): Accepted;
}
