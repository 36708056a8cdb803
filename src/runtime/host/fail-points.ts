import { FAIL_POINTS, NO_FAIL_POINTS, type FailPoints } from '../../store/fail-points.js';

/**
 * Fail points from `CHRONICLED_FAIL=name[:nth]:kill|throw`, for crash tests. They are in the product, so that tests run
 * the real program. Throws for an unknown name.
 */
export function environmentFailPoints(): FailPoints {
  const setting = process.env['CHRONICLED_FAIL'];
  if (setting === undefined || setting === '') return NO_FAIL_POINTS;
  const [name, ...rest] = setting.split(':');
  const action = rest.pop();
  let left = Number(rest[0] ?? 1);
  if (
    !FAIL_POINTS.some((point) => point === name) ||
    (action !== 'kill' && action !== 'throw') ||
    !Number.isInteger(left) ||
    left < 1
  ) {
    throw new Error(
      `CHRONICLED_FAIL: expected name[:nth]:kill|throw with a name of ${FAIL_POINTS.join(', ')}, got ${JSON.stringify(setting)}`,
    );
  }
  return {
    hit(point) {
      if (point !== name) return;
      left -= 1;
      if (left !== 0) return;
      if (action === 'kill') process.kill(process.pid, 'SIGKILL');
      throw new Error(`fail point ${point}`);
    },
  };
}
