/** Pictures of a disk at power cuts, generated from seeds and judged. */
import { join } from 'node:path';
import { seededRandom } from '../support/faulty-store.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { Disk } from './disk.js';
import { judgeNode, judgeStore, type Broken } from './judge.js';
import { Moments } from './moments.js';
import { promisedBefore, writtenBy, type Written } from './promises.js';
import { slowFlushes } from './slow-flushes.js';
import type { Trace } from './trace.js';

/** One picture in the first number is opened by a whole node, one in the second is fully verified. */
const NODE_EVERY = 100;
const VERIFIED_EVERY = 5;

export interface Judged {
  readonly trace: string;
  readonly seed: number;
  readonly place: number;
  readonly life: string;
  readonly broken: Broken;
  /** Lost bytes of each file. */
  readonly losses: readonly string[];
  readonly by: 'store' | 'node';
}

interface Variant {
  readonly trace: Trace;
  readonly disk: Disk;
  readonly moments: Moments;
}

/** A trace of which pictures are taken: every other one of the trace with slow flushes. */
export class Pictures {
  readonly #variants: readonly Variant[];
  readonly #written: Written;

  private constructor(traces: readonly Trace[], written: Written) {
    this.#variants = traces.map((trace) => ({ trace, disk: new Disk(trace), moments: new Moments(trace) }));
    this.#written = written;
  }

  /** `plant` plants a fault into the operations of the disk. */
  static async of(trace: Trace, plant: (sound: Trace) => Trace = (sound) => sound): Promise<Pictures> {
    return new Pictures([trace, slowFlushes(trace)].map(plant), await writtenBy(trace, new Disk(trace)));
  }

  /** Makes the picture of a seed in its own folder, judges it, and removes it. */
  async judge(seed: number, by?: Judged['by']): Promise<Judged> {
    const random = seededRandom(seed);
    const variant = this.#variants[seed % this.#variants.length];
    if (variant === undefined) throw new Error(`${seed} is no seed`);
    const { trace, disk, moments } = variant;
    const place = moments.draw(random);
    const folder = temporaryFolder();
    const options = {
      rule: random() < 0.5 ? 'journal' : 'strict',
      unit: random() < 0.5 ? 512 : 4_096,
      random,
    } as const;
    const losses = disk.cut(place, options, folder);
    const promised = promisedBefore(trace, place);
    const home = join(folder, 'home');
    const judgedBy = by ?? (seed % NODE_EVERY === 0 ? 'node' : 'store');
    const broken =
      judgedBy === 'node'
        ? await judgeNode(home, promised)
        : await judgeStore(home, promised, this.#written, { verify: seed % VERIFIED_EVERY === 0 });
    removeFolder(folder);
    const { rule, unit } = options;
    return {
      trace: trace.name,
      seed,
      place,
      life: promised.life,
      broken,
      losses: [`${rule}, ${unit} bytes`, ...losses],
      by: judgedBy,
    };
  }
}
