import type { CommandOutput } from './run.js';

const WIDTH = 25;

/** Shows the part that is done, from 0 to 1, in whole percent; undefined where standard error is no terminal. */
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
