/**
 * Random messages of all modules, missed blocks, double signing and time jumps. The long form runs with
 * CHRONICLED_PROPERTY_RUNS and CHRONICLED_PROPERTY_SEED, ends at the first failure without a search for a shorter one,
 * and prints how often each kind of transaction ended with which code.
 */
import fc from 'fast-check';
import { it } from 'vitest';
import { presets } from '../../../../src/core/app/presets.js';
import { action } from './actions.js';
import { PropertyChain, type Settings } from './chain.js';
import { expectSameAfterImport, expectSameAfterUpgrade, expectUnchangedByQueries } from './ends.js';
import { play, type Step } from './play.js';

const RUNS = Number(process.env['CHRONICLED_PROPERTY_RUNS'] ?? 4);
const SEED = Number(process.env['CHRONICLED_PROPERTY_SEED'] ?? 0x5eed);
const IS_LONG = process.env['CHRONICLED_PROPERTY_RUNS'] !== undefined;
const TIME_LIMIT = 60 * 60 * 1000;

const fraction = fc.constantFrom(
  '0.000000000000000000',
  '0.010000000000000000',
  '0.333333333333333333',
  '1.000000000000000000',
);
const settings: fc.Arbitrary<Settings> = fc.record({
  downtimeFraction: fraction,
  doubleSignFraction: fraction,
  maxValidators: fc.integer({ min: 1, max: 3 }),
  unbondingSeconds: fc.constantFrom(1, 5, 12),
});
const who = fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, { weight: 2, arbitrary: fc.nat(8) });
const step: fc.Arbitrary<Step> = fc.record({
  seconds: fc.oneof(
    { weight: 8, arbitrary: fc.bigInt(0n, 3n) },
    { weight: 2, arbitrary: fc.bigInt(4n, 15n) },
    { weight: 1, arbitrary: fc.constantFrom(86_400n, 400n * 86_400n) },
  ),
  absent: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(15) }),
  offences: fc.oneof(
    { weight: 7, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.record({ validator: fc.nat(3), age: fc.nat(6) }), { maxLength: 2 }) },
  ),
  txs: fc.array(
    fc.record({
      from: who,
      actions: fc.array(action, { minLength: 1, maxLength: 2 }),
      granter: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(3) }),
    }),
    { maxLength: 4 },
  ),
});

it.each(Object.values(presets))(
  `preset $name keeps every invariant, also over export and upgrade (${RUNS} random histories, seed ${SEED})`,
  (version) => {
    const told = new Map<string, number>();
    fc.assert(
      fc.property(settings, fc.array(step, { minLength: 4, maxLength: 40, size: 'max' }), (options, steps) => {
        const chain = new PropertyChain(version, options);
        for (const one of steps) play(chain, one, told);
        expectSameAfterImport(chain);
        expectSameAfterUpgrade(chain);
        expectUnchangedByQueries(chain);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: IS_LONG },
    );
    if (IS_LONG)
      console.log(
        [...told]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, count]) => `${count} ${name}`)
          .join('\n'),
      );
  },
  TIME_LIMIT,
);
