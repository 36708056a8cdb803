import { setFlagsFromString } from 'node:v8';

/** V8's version in Node.js 20. Later versions have a compiler in between, Maglev, and other flags. */
const VERSION = /^11\.3\./;

/**
 * Bytecode that is inlined into one optimised function, and bytecode that a function runs before it is optimised, in
 * bytes. `usual` is what V8 11.3 has without flags (`node --v8-options`).
 */
const INLINED = { flag: '--max-inlined-bytecode-size-cumulative', usual: 920, less: 200 } as const;
const BUDGET = { flag: '--interrupt-budget', usual: 67_584, less: 200_000 } as const;

/** Works in all threads of the process that run at present. */
let running = 0;

/**
 * Runs `work` while V8's optimising compiler, which runs beside it, does less: it begins later and inlines less. That
 * is for work that keeps all cores busy for a second and is new to the process, such as a thousand blocks
 * (docs/decisions/0028-blocks-in-runs.md). Code that was optimised before, or is later, is what it always is. Node.js
 * says that flags which change while V8 runs may do nothing; these two are read at each use.
 */
export async function withLessCompilation<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!VERSION.test(process.versions.v8)) return work();
  if (running === 0) use('less');
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) use('usual');
  }
}

function use(extent: 'usual' | 'less'): void {
  for (const option of [INLINED, BUDGET]) setFlagsFromString(`${option.flag}=${option[extent]}`);
}
