import type { LogSync } from '../../../src/core/ports/log-sync.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../../src/core/log-events.js';
import { toHeight } from '../../../src/core/primitives.js';
import { withPoisonRule, withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { CommitUnknownError, PoisonedError } from '../../../src/store/errors.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { heightKey } from '../../../src/store/keys.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { all, lastOf, plan, run, steps, syncMode } from '../scripts.js';
import { blockHash, crypto, steppingClock, text, txHash } from '../support.js';

describe('event log over a faulty store', () => {
  it('recovers a gapless prefix of whole batches with everything acknowledged in a synced mode', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.constantFrom<LogSync>('always', 'block'),
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

  it('recovers a gapless prefix in every sync mode and appends to it', async () => {
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

  it('applies a retried command once and gives the same answer, also after a crash', async () => {
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

  it('writes nothing after the first failed write, and reports the failed batch as unknown', async () => {
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
