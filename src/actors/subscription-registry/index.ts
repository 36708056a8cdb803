/** The actor that owns consensus subscriptions. */
export {
  createSubscriptionRegistry, type RegistryCounters, type SubscriptionRegistryActor, type SubscriptionRegistryOptions,
} from './subscription-registry.js';
