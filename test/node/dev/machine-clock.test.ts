/**
 * The time of blocks while the machine's clock is set forward and back, over restarts and over the commands that
 * move the clock of the blocks.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromTimestamp } from '../../../src/core/comet/time.js';
import { createHostClock } from '../../../src/runtime/host/time.js';
import { crypto } from '../../core/app/support.js';
import { propertyRuns } from '../../support/property-runs.js';
import { Clocks } from '../../support/system-clocks.js';
import { simulate, type SimulatedNode } from '../simulated-node.js';
import { blockAt, devOf, firing, head, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const MS = 1_000_000n;
const SECOND = 1_000n * MS;
const HOUR_MS = 3_600_000;

type Step =
  /** A block of a command or of the producer, some time later. */
  | { readonly kind: 'mine' | 'heartbeat'; readonly milliseconds: number }
  | { readonly kind: 'set'; readonly milliseconds: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'increase' | 'setTime' | 'setNext' | 'interval'; readonly seconds: bigint };

const milliseconds = fc.integer({ min: 0, max: 20_000 });
const seconds = fc.bigInt({ min: 1n, max: 8_000n });
/** A step of a second or more, up to some hours. */
const stepped = fc
  .tuple(fc.integer({ min: 1_000, max: 6 * HOUR_MS }), fc.boolean())
  .map(([by, isBack]) => (isBack ? -by : by));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('mine' as const, 'mine', 'heartbeat'), milliseconds }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), milliseconds: stepped }) },
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constantFrom('increase' as const, 'setTime', 'setNext', 'interval'), seconds }),
);

/** A chain whose node can be restarted, with the expected time of its next block. */
class Life {
  readonly clocks = new Clocks();
  readonly #store = reopenable();
  #clock = createHostClock(this.clocks);
  #simulated: SimulatedNode | undefined;
  #shift = 0n;
  /** Time of the clock when the head was decided; undefined when a command moved the clock since. */
  #signed: bigint | undefined;
  /** The time that a command has set for the next block. */
  #exact: bigint | undefined;

  get simulated(): SimulatedNode {
    if (this.#simulated === undefined) throw new Error('the node has not started');
    return this.#simulated;
  }

  async start(): Promise<void> {
    await this.#simulated?.node.stop();
    this.#clock = createHostClock(this.clocks);
    this.#simulated = await simulate({ store: this.#store, crypto, clock: this.#clock });
    this.#exact = undefined;
    if (head(this.simulated).height === 0n) await value(devOf(this.simulated).mine(1, undefined));
    else return;
    this.#signed = this.#later();
  }

  /** Nanoseconds. */
  get headTime(): bigint {
    return fromTimestamp(blockAt(this.simulated, head(this.simulated).height)?.block.header?.time);
  }

  get #now(): bigint {
    return BigInt(this.clocks.wall) * MS + this.#shift;
  }

  /** Time of the clock, or the least step from the head. */
  #later(): bigint {
    const least = this.headTime + MS;
    return this.#now > least ? this.#now : least;
  }

  /** A command that sets the time of the next block moves the shift by as much as it moves the chain. */
  #moveWithHead(time: bigint): void {
    const reached = this.#exact ?? this.headTime;
    this.#shift += time - (this.#now > reached ? this.#now : reached);
  }

  /** Makes a block and holds its time to the rule. */
  async block(make: () => Promise<unknown>, time: bigint): Promise<void> {
    const before = this.headTime;
    await make();
    this.#exact = undefined;
    expect(this.headTime).toBe(time);
    expect(this.headTime).toBeGreaterThan(before);
    this.#signed = this.#later();
  }

  async take(one: Step): Promise<void> {
    const dev = devOf(this.simulated);
    if (one.kind === 'mine' || one.kind === 'heartbeat') this.clocks.pass(one.milliseconds);
    if (one.kind === 'set') {
      this.clocks.wall += one.milliseconds;
      // Without a read between them, two steps count as one; a step below a second is ignored.
      this.#clock.now();
    }
    if (one.kind === 'restart') await this.start();
    if (one.kind === 'mine') await this.block(() => value(dev.mine(1, undefined)), this.#exact ?? this.#later());
    if (one.kind === 'heartbeat')
      await this.block(
        () => firing(this.simulated, this.simulated.node.consensus.mine()),
        this.#exact ?? this.#signed ?? this.#later(),
      );
    if (one.kind === 'interval') await this.#throughInterval(one.seconds);
    if (one.kind === 'increase') {
      this.#shift += one.seconds * SECOND;
      this.#signed = undefined;
      expect(await value(dev.increaseTime(one.seconds))).toBe(this.#shift / SECOND);
    }
    if (one.kind === 'setTime') {
      const second = this.#now / SECOND + one.seconds - 4_000n;
      this.#shift += (second - this.#now / SECOND) * SECOND;
      this.#signed = undefined;
      this.#exact = undefined;
      await value(dev.setTime(second));
    }
    if (one.kind === 'setNext') {
      const second = this.headTime / SECOND + one.seconds;
      this.#moveWithHead(second * SECOND);
      this.#exact = second * SECOND;
      this.#signed = undefined;
      await value(dev.setNextBlockTimestamp(second));
    }
  }

  /** Two blocks at an interval; the clock moves with a block that passes it. */
  async #throughInterval(interval: bigint): Promise<void> {
    const dev = devOf(this.simulated);
    await value(dev.setTimestampInterval(interval));
    for (let made = 0; made < 2; made += 1) {
      const time = this.#exact ?? this.headTime + interval * SECOND;
      if (this.#exact === undefined && time > this.#now) this.#moveWithHead(time);
      await this.block(() => value(dev.mine(1, undefined)), time);
    }
    await value(dev.setTimestampInterval(undefined));
  }

  stop(): Promise<void> {
    return this.simulated.node.stop();
  }
}

async function live(steps: readonly Step[]): Promise<Life> {
  const life = new Life();
  await life.start();
  for (const one of steps) await life.take(one);
  return life;
}

it("block time is the machine's clock plus the commands' shift, or the least step after the previous block", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const life = await live(steps);
      await life.stop();
    }),
    { numRuns: propertyRuns(12) },
  );
});

it("block time equals the machine's clock again after restarts during which the clock was behind", async () => {
  const day: readonly Step[] = [
    { kind: 'set', milliseconds: -5 * HOUR_MS },
    { kind: 'restart' },
    { kind: 'mine', milliseconds: 0 },
    { kind: 'set', milliseconds: 5 * HOUR_MS },
    { kind: 'mine', milliseconds: 24 * HOUR_MS },
  ];
  const life = await live([...day, ...day, ...day]);
  expect(life.headTime).toBe(BigInt(life.clocks.wall) * MS);
  await life.stop();
});

/** Commands that set the time of blocks from that of the head, by some seconds. */
const FROM_HEAD: readonly (readonly [string, bigint, (life: Life) => Promise<unknown>])[] = [
  ['blocks at an interval of 10 s', 20n, (life) => life.take({ kind: 'interval', seconds: 10n })],
  ['a time 10 s after the head', 10n, (life) => life.take({ kind: 'setNext', seconds: 10n })],
  ['a time 20 s after the head in place of one 10 s after it', 20n, timeTwice],
  ['mined blocks that are 10 s apart', 20n, ({ simulated }) => value(devOf(simulated).mine(3, undefined, STEPS))],
];

/** Sets the time of the next block twice: the second replaces the first. */
async function timeTwice(life: Life): Promise<void> {
  await life.take({ kind: 'setNext', seconds: 10n });
  await life.take({ kind: 'setNext', seconds: 20n });
}
const STEPS = { seconds: 10n, beforeFirst: false };

it.each(FROM_HEAD)(
  "%s: the chain does not stay ahead of the machine's clock, which was behind on three days",
  async (_, seconds, command) => {
    const life = await live([]);
    for (let day = 0; day < 3; day += 1) {
      await life.take({ kind: 'set', milliseconds: -5 * HOUR_MS });
      await command(life);
      await value(devOf(life.simulated).mine(1, undefined));
      await life.take({ kind: 'set', milliseconds: 5 * HOUR_MS });
      life.clocks.pass(24 * HOUR_MS);
      await value(devOf(life.simulated).mine(1, undefined));
    }
    const ahead = life.headTime - BigInt(life.clocks.wall) * MS;
    expect(ahead).toBeGreaterThan(-3n * SECOND);
    expect(ahead).toBeLessThan(3n * (seconds + 1n) * SECOND);
    await life.stop();
  },
);

it("block time equals the machine's clock again when a clock that was set back has caught up", async () => {
  const life = await live([{ kind: 'mine', milliseconds: 5 }]);
  const before = life.headTime;
  await life.take({ kind: 'set', milliseconds: -HOUR_MS });
  await life.take({ kind: 'mine', milliseconds: 20_000 });
  expect(life.headTime).toBe(before + MS);
  await life.take({ kind: 'mine', milliseconds: HOUR_MS });
  expect(life.headTime).toBe(before + 20_000n * MS);
  await life.stop();
});
