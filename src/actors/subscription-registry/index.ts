/** The actor that owns consensus subscriptions. */
export {
  createSubscriptionRegistry,
  type RegistryCounters,
  type SubscriptionRegistryActor,
  type SubscriptionRegistryOptions,
} from './subscription-registry.js';
export {
  createEthereumRegistry,
  type EthereumRegistryActor,
  type EthereumRegistryCounters,
  type EthereumRegistryOptions,
} from './ethereum-registry.js';
