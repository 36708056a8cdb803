/** A log over disks that lose, change or reorder writes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { CorruptionError } from '../../../src/store/errors.js';
import { NO_BLOCK_CACHE } from '../../../src/store/log/block-cache.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { all, memoryWitness, run, steps } from '../scripts.js';
import { crypto, decided, steppingClock } from '../support.js';

describe('event log over a faulty store', () => {
  it('loses acknowledged events on a disk that ignores syncs, and the witness detects it (negative control)', async () => {
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

  it('never returns a value that was not written: reads with flipped bits throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), steps, async (seed, script) => {
        const faulty = new FaultyStore({ seed, readFlips: 0.2 });
        const store = withRowChecksums(faulty);
        const log = await openEventLog({
          store,
          crypto,
          clock: steppingClock(),
          sync: 'always',
          cache: NO_BLOCK_CACHE,
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

  it('detects a batch that the disk dropped, tore or wrote out of order', async () => {
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
});
