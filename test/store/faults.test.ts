import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/core/log-events.js';
import { toHeight, toPosition } from '../../src/core/primitives.js';
import { blockIndexRows } from '../../src/store/block-index.js';
import { withPoisonRule, withRowChecksums } from '../../src/store/checked-store.js';
import { CommitUnknownError, CorruptionError, PoisonedError } from '../../src/store/errors.js';
import { type EventLog, openEventLog, type SyncMode } from '../../src/store/event-log.js';
import { heightKey } from '../../src/store/keys.js';
import type { HeadWitness, Witnessed } from '../../src/store/witness.js';
import { FaultyStore } from '../support/faulty-store.js';
import { admitted, blockHash, collect, crypto, decided, executed, steppingClock, text, txHash } from './support.js';

/** One step of a client: a block with its index rows, or an admission under a command id (ids repeat). */
type Step = { readonly kind: 'block' } | { readonly kind: 'admit'; readonly command: number };
const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'block' }),
    fc.record({ kind: fc.constant<'admit'>('admit'), command: fc.nat(5) }),
  ),
  { minLength: 1, maxLength: 25 },
);
const plan = fc.record({ seed: fc.nat(), commitFails: fc.constantFrom(0, 0.1, 0.3), delays: fc.constantFrom(0, 0.5) });
const syncMode = fc.constantFrom<SyncMode>('block', 'always', 'os');

function memoryWitness(): HeadWitness {
  let last: Witnessed | undefined;
  return { read: () => last, write: (head) => void (last = head), close: () => undefined };
}

/** Runs the steps, some at once; returns the acknowledged ones and the outcome of each call. */
async function run(log: EventLog, script: readonly Step[]) {
  let height = log.head().decided;
  const calls = script.map((step) => {
    if (step.kind === 'admit')
      return log.append([{ event: admitted(`tx ${step.command}`) }], [], { once: `command ${step.command}` });
    height = toHeight(height + 1n);
    const rows = blockIndexRows({ height, blockHash: blockHash(height), txHashes: [[txHash(text(`tx-${height}`))]] });
    return log.append([{ event: decided(height) }, { event: executed(height) }], rows);
  });
  const outcomes = await Promise.allSettled(calls);
  return {
    outcomes,
    acknowledged: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
  };
}

const all = async (log: EventLog): Promise<Recorded[]> => (await collect(log.read({ from: toPosition(1n) }))).flat();
const lastOf = (events: readonly Recorded[]): bigint =>
  events.reduce((last, { position }) => (position > last ? position : last), 0n);

describe('log over a store with faults', () => {
  it('recovers a gapless prefix that holds everything acknowledged in a synced mode, batches whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.constantFrom<SyncMode>('always', 'block'),
        fc.array(steps, { minLength: 1, maxLength: 4 }),
        async (faults, sync, scripts) => {
          const faulty = new FaultyStore(faults);
          const log = await openEventLog({
            store: withRowChecksums(withPoisonRule(faulty)),
            crypto,
            clock: steppingClock(),
            sync,
          }).catch(() => undefined);
          if (log === undefined) return;
          const acknowledged: Recorded[] = [];
          for (const script of scripts) acknowledged.push(...(await run(log, script)).acknowledged);
          const image = withRowChecksums(await faulty.crashImage());
          const recovered = await openEventLog({ store: image, crypto, clock: steppingClock(), sync });
          const events = await all(recovered);
          expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => BigInt(index + 1)));
          expect((await recovered.verifyAll()).problems).toEqual([]);
          const durable =
            sync === 'always' ? acknowledged : acknowledged.filter(({ event }) => event.type !== 'TxAdmitted');
          for (const event of durable) expect(events[Number(event.position - 1n)]).toEqual(event);
          const beyond = events.filter(({ position }) => position > lastOf(acknowledged));
          if (!faulty.failed) expect(beyond).toEqual([]);
          for (let height = 1n; height <= recovered.head().decided; height += 1n) {
            expect(recovered.blockAt(toHeight(height))?.executed?.event.data.height).toBe(height);
            expect(recovered.heightByHash(blockHash(height))).toBe(height);
            expect(recovered.txByHash(txHash(text(`tx-${height}`)))).toEqual({ height, index: 0 });
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('loses acknowledged events on a disk that ignores syncs, and the witness notices (negative control)', async () => {
    let lost = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const faulty = new FaultyStore({ seed, ignoresSync: true });
      const witness = memoryWitness();
      const log = await openEventLog({ store: faulty, crypto, clock: steppingClock(), sync: 'always', witness });
      for (let number = 0; number < 5; number += 1) await run(log, [{ kind: 'block' }]);
      const image = await faulty.crashImage();
      const found = await openEventLog({ store: image, crypto, clock: steppingClock(), sync: 'always' });
      if (found.head().position === log.head().position) continue;
      lost += 1;
      await expect(
        openEventLog({ store: image, crypto, clock: steppingClock(), sync: 'always', witness }),
      ).rejects.toThrow(/were acknowledged/);
    }
    expect(lost).toBeGreaterThan(10);
  });

  it('recovers a gapless prefix in every mode and goes on from it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, syncMode, steps, steps, async (faults, sync, before, after) => {
        const faulty = new FaultyStore(faults);
        const log = await openEventLog({ store: withPoisonRule(faulty), crypto, clock: steppingClock(), sync });
        const { acknowledged } = await run(log, before);
        const image = await faulty.crashImage();
        const recovered = await openEventLog({ store: image, crypto, clock: steppingClock(), sync });
        const kept = await all(recovered);
        for (const event of acknowledged)
          if (event.position <= recovered.head().position) expect(kept[Number(event.position - 1n)]).toEqual(event);
        await run(recovered, after);
        const events = await all(recovered);
        expect(events.slice(0, kept.length)).toEqual(kept);
        expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => BigInt(index + 1)));
        expect((await recovered.verifyAll()).problems).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('gives one effect and the same answer to a command that is tried again, also after a crash', async () => {
    await fc.assert(
      fc.asyncProperty(plan, steps, async (faults, script) => {
        const faulty = new FaultyStore(faults);
        const log = await openEventLog({
          store: withPoisonRule(faulty),
          crypto,
          clock: steppingClock(),
          sync: 'always',
        });
        const first = await run(log, script);
        const recovered = await openEventLog({
          store: await faulty.crashImage(),
          crypto,
          clock: steppingClock(),
          sync: 'always',
        });
        const admissions = script.filter((step) => step.kind === 'admit');
        await run(recovered, admissions);
        const events = (await all(recovered)).filter(({ event }) => event.type === 'TxAdmitted');
        expect(events.length).toBe(new Set(admissions.map((step) => (step.kind === 'admit' ? step.command : -1))).size);
        for (const event of first.acknowledged)
          expect((await all(recovered))[Number(event.position - 1n)]).toEqual(event);
      }),
      { numRuns: 200 },
    );
  });

  it('tries no write after the first failed one, and says unknown for the batch that failed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), steps, async (seed, script) => {
        const faulty = new FaultyStore({ seed, commitFails: 1 });
        const log = await openEventLog({
          store: withPoisonRule(faulty),
          crypto,
          clock: steppingClock(),
          sync: 'always',
        });
        const { outcomes } = await run(log, script);
        await run(log, script);
        expect(faulty.attempts).toBe(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') throw new Error('a failed commit was acknowledged');
          expect(outcome.reason instanceof CommitUnknownError || outcome.reason instanceof PoisonedError).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never answers a value that was not written: flipped reads throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), steps, async (seed, script) => {
        const faulty = new FaultyStore({ seed, readFlips: 0.2 });
        const store = withRowChecksums(faulty);
        const log = await openEventLog({
          store,
          crypto,
          clock: steppingClock(),
          sync: 'always',
          cachedBlocks: 0,
        }).catch(() => undefined);
        if (log === undefined) return;
        await run(log, script);
        for (let height = 1n; height <= log.head().executed; height += 1n) {
          try {
            expect(log.blockAt(toHeight(height))?.decided.event).toEqual(decided(height));
          } catch (error) {
            if (!(error instanceof CorruptionError)) throw error;
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('notices a batch that a disk dropped, tore or wrote in another order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom<'dropped' | 'reordered' | 'torn'>('dropped', 'reordered', 'torn'),
        fc.array(steps, { minLength: 2, maxLength: 5 }),
        async (seed, kind, scripts) => {
          const witness = memoryWitness();
          const faulty = new FaultyStore({ seed });
          const log = await openEventLog({ store: faulty, crypto, clock: steppingClock(), sync: 'always', witness });
          for (const script of scripts) await run(log, script);
          const events = await all(log);
          const image = await faulty.brokenImage(kind);
          try {
            const recovered = await openEventLog({
              store: image,
              crypto,
              clock: steppingClock(),
              sync: 'always',
              witness,
            });
            const { problems } = await recovered.verifyAll();
            if (problems.length > 0) return;
            expect(await all(recovered)).toEqual(events);
          } catch (error) {
            if (!(error instanceof CorruptionError)) throw error;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reports every missing index row in a full verification', async () => {
    const faulty = new FaultyStore({ seed: 1 });
    const log = await openEventLog({ store: faulty, crypto, clock: steppingClock(), sync: 'always' });
    await run(log, [{ kind: 'block' }, { kind: 'block' }]);
    expect((await log.verifyAll()).problems).toEqual([]);
    await faulty.commit([{ type: 'delete', key: heightKey(toHeight(2n)) }], { sync: true });
    const { problems } = await log.verifyAll();
    expect(problems.map(({ position }) => position)).toContain(3n);
  });
});
