import type { InspectionApi } from '../../../src/core/inspection/api.js';

const REFUSED = { ok: false, error: { code: 'busy', what: 'the node of this test' } } as const;

/** An inspection API without a node: every question is refused. */
export const fakeInspection: InspectionApi = {
  stateDiff: () => Promise.resolve(REFUSED),
  transactionDiff: () => Promise.resolve(REFUSED),
  logEvents: () => Promise.resolve(REFUSED),
  actors: () => ({ mode: 'running', actors: [], streams: [], consumers: [], signals: [] }),
  subscriptions: () => ({ subscriptions: [], filters: [], counts: { subscriptions: 0, filters: 0 }, ended: [] }),
  matchQuery: () => Promise.resolve(REFUSED),
  readRecords: () => Promise.resolve({ records: [], problem: undefined }),
  contract: () => Promise.resolve(undefined),
  supplyContract: () => Promise.resolve(REFUSED),
  cutSubscription: () => Promise.resolve(REFUSED),
  stallSubscription: () => false,
  rehearseUpgrade: () => Promise.resolve(REFUSED),
};
