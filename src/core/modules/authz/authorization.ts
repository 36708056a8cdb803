import type { Any } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/module/context.js';

/** The effect of one use: the grant stays as it is, changes, or ends. */
export type Accepted =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly to: Any }
  | { readonly kind: 'used up' };

/**
 * Permission to execute messages of one type for another account (cosmos-sdk v0.53 `x/authz/authorizations.go`
 * Authorization).
 */
export interface Authorization {
  /** In its canonical encoding. */
  readonly any: Any;
  readonly msgTypeUrl: string;
  /** Throws SdkError for contents that no grant may have. */
  validate(context: Pick<Context, 'version'>): void;
  /** Throws SdkError when the message is not allowed. */
  accept(context: Context, message: Any): Accepted;
}
