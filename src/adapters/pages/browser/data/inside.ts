/** The inside of a node, as `chronicle_actors`, `chronicle_subscriptions` and `chronicle_matchQuery` answer it. */
import type {
  ActorsView,
  FilterFacts,
  QueryMatches,
  SubscriptionFacts,
  SubscriptionsView,
} from '../../../../core/inspection/api.js';
import type { Told } from './told.js';

export type Actors = Told<ActorsView>;
export type Hearer = Actors['hearers'][number];
export type Subscription = Told<SubscriptionFacts>;
export type Subscriptions = Told<Omit<SubscriptionsView, 'filters'>> & {
  /** `expires`: nanoseconds since 1970, unless it is polled. */
  readonly filters: readonly (Told<Omit<FilterFacts, 'deadline'>> & { readonly expires: string })[];
};
export type Matches = Told<QueryMatches>;
