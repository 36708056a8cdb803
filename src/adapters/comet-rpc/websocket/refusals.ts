import type { SubscriptionRefusal } from '../../../core/subscriptions/index.js';
import { CURSOR_ERRORS } from '../../push/index.js';
import { internalError, rpcErrorOf, type RpcError } from '../errors.js';

/**
 * Converts a refused subscribe to CometBFT's error (rpc/core/events.go, v0.38). The switch is exhaustive: a new code
 * without a case does not compile.
 */
export function refusalOf(refusal: SubscriptionRefusal): RpcError {
  switch (refusal.code) {
    case 'too-many-clients':
      return internalError(`max_subscription_clients ${refusal.maximum} reached`);
    case 'too-many-of-client':
      return internalError(`max_subscriptions_per_client ${refusal.maximum} reached`);
    case 'too-many-of-face':
      return internalError('too many subscriptions');
    case 'query-too-long':
      return internalError('maximum query length exceeded');
    case 'bad-query':
      return internalError(`failed to parse query: ${refusal.message}`);
    case 'already-subscribed':
      return internalError('already subscribed');
    case 'cursor-ahead':
    case 'cursor-abandoned':
    case 'cursor-pruned':
      return internalError(CURSOR_ERRORS[refusal.code]);
    case 'failed':
      return rpcErrorOf(refusal.error);
  }
}
