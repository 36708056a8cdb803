/** The children of the supervisor; each is a folder of `src/actors`. */
export type ActorId = 'consensus' | 'mempool' | 'upgradeKeeper' | 'filterManager' | 'subscriptionRegistry';
