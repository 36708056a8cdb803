/**
 * Number of runs of a property: `runs`, which take seconds, times CHRONICLED_TEST_FACTOR for long searches
 * (docs/TESTING.md).
 */
export function propertyRuns(runs: number): number {
  return Math.ceil(runs * Number(process.env['CHRONICLED_TEST_FACTOR'] ?? 1));
}
