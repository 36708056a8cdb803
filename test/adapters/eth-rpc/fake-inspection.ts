import type { InspectionApi } from '../../../src/core/inspection/api.js';

const REFUSED = { ok: false, error: { code: 'busy', what: 'the node of this test' } } as const;

/** The inside of no node: every question is refused. */
export const fakeInspection: InspectionApi = {
  stateDiff: () => Promise.resolve(REFUSED),
};
