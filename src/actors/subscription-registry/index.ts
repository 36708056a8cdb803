/** The actor that owns the subscriptions of all push APIs. */
export {
  createSubscriptionRegistry,
  type RegistryCounters,
  type SubscriptionRegistryOptions,
  type SubscriptionRegistryShell,
} from './subscription-registry.js';
