/**
 * Named places where a test may kill the process or throw. The node connects them to CHRONICLED_FAIL
 * (`src/runtime/host/fail-points.ts`).
 */
export interface FailPoints {
  hit(name: FailPoint): void;
}

export const FAIL_POINTS = [
  'log-before-batch',
  'log-after-batch',
  'log-after-publish',
  'store-before-rename',
  'store-after-rename',
  'replace-before',
  'replace-between',
  'replace-after',
  'upgrade-before-info',
  'upgrade-after-info',
  'lock-taken',
  'lock-released',
] as const;
export type FailPoint = (typeof FAIL_POINTS)[number];

export const NO_FAIL_POINTS: FailPoints = { hit: () => undefined };
