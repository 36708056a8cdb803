/** Addresses in queries, with the Go node's error texts (cosmos-sdk v0.53 `x/staking/keeper/grpc_query.go`). */
import type { Context } from '../../sdk/module/context.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import type { Validator } from './validator.js';
import { getValidator } from './validators.js';

/** Throws for a request without an address. */
export function requireGiven(who: 'delegator' | 'validator', address: string): void {
  if (address === '') throw grpcError('InvalidArgument', `${who} address cannot be empty`);
}

/** Reads an operator address (bech32 with `valoper`); throws SdkError for any other text. */
export function queriedOperator({ chain }: Context, address: string): Uint8Array {
  return requireQueriedAddress(`${chain.bech32Prefix}valoper`, address);
}

/** Reads an account address (bech32); throws SdkError for any other text. */
export function queriedDelegator({ chain }: Context, address: string): Uint8Array {
  return requireQueriedAddress(chain.bech32Prefix, address);
}

/** Decodes delegator and validator of a request. */
export function queriedPair(
  context: Context,
  { delegatorAddr, validatorAddr }: { readonly delegatorAddr: string; readonly validatorAddr: string },
): { readonly delegator: Uint8Array; readonly operator: Uint8Array } {
  requireGiven('delegator', delegatorAddr);
  requireGiven('validator', validatorAddr);
  const delegator = queriedDelegator(context, delegatorAddr);
  return { delegator, operator: queriedOperator(context, validatorAddr) };
}

/** Validator of a query; `address` is its text in the request. */
export function requireQueriedValidator(context: Context, operator: Uint8Array, address: string): Validator {
  const validator = getValidator(context, operator);
  if (validator === undefined) throw grpcError('NotFound', `validator ${address} not found`);
  return validator;
}
