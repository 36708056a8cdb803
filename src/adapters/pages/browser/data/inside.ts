/** Types of the results of `chronicle_actors`, `chronicle_subscriptions` and `chronicle_matchQuery`. */
import type {
  ActorsView,
  FilterFacts,
  QueryMatches,
  SubscriptionFacts,
  SubscriptionsView,
} from '../../../../core/inspection/api.js';
import type { JsonForm } from './json-form.js';

export type Actors = JsonForm<ActorsView>;
export type Consumer = Actors['consumers'][number];
export type Subscription = JsonForm<SubscriptionFacts>;
export type Subscriptions = JsonForm<Omit<SubscriptionsView, 'filters'>> & {
  /** `expires`: nanoseconds since 1970, unless it is polled. */
  readonly filters: readonly (JsonForm<Omit<FilterFacts, 'deadline'>> & { readonly expires: string })[];
};
export type Matches = JsonForm<QueryMatches>;
