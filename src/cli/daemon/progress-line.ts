import type { CommandOutput } from './command-output.js';

const WIDTH = 25;

/**
 * Returns a function that shows progress (0 to 1) as a bar with percent; undefined if standard error is not a
 * terminal.
 */
export function progressLine({ status }: CommandOutput, doing: string): ((part: number) => void) | undefined {
  if (status === undefined) return undefined;
  let shown = -1;
  return (part) => {
    const percent = Math.floor(part * 100);
    if (percent === shown) return;
    shown = percent;
    const done = Math.floor((percent * WIDTH) / 100);
    status(percent >= 100 ? '' : `${doing} ${'#'.repeat(done).padEnd(WIDTH, '.')} ${percent} %`);
  };
}

/** Progress bar for commands that are usually quick: it appears after one second. Call it with 1 at the end. */
export function delayedProgress(output: CommandOutput, doing: string): (part: number) => void {
  const show = progressLine(output, doing);
  const from = performance.now() + QUICK_MS;
  let isShown = false;
  return (part) => {
    if (part < 1 && performance.now() < from) return;
    if (part < 1) isShown = true;
    if (isShown) show?.(part);
  };
}

/** Delay before the bar appears, in milliseconds. */
const QUICK_MS = 1_000;
