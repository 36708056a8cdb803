/** Random actions of every module. Accounts and validators are few, so that actions affect each other often. */
import fc from 'fast-check';
import { PEOPLE } from './people.js';

export const CHR = 10n ** 18n;
const somebody = fc.nat(PEOPLE + 2);
const validator = fc.nat(3);
/** Counted back from the newest proposal, which is 1. */
const proposal = fc.oneof({ weight: 4, arbitrary: fc.bigInt(1n, 2n) }, { weight: 1, arbitrary: fc.bigInt(3n, 5n) });
/** `all`: the whole delegation, or half the balance, of the sender. */
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 400n).map((chr) => chr * CHR) },
  { weight: 2, arbitrary: fc.bigInt(1n, 7n) },
  { weight: 2, arbitrary: fc.bigInt(1n, 3n * CHR) },
  { weight: 3, arbitrary: fc.constant('all' as const) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, 10n ** 30n, 2n ** 255n) },
);
export type Amount = bigint | 'all';

const simple = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), to: somebody, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('multi-send' as const), to: somebody, other: somebody, amount }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('delegate' as const), validator, amount }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('undelegate' as const), validator, amount }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('redelegate' as const), validator, to: validator, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel unbonding' as const), entry: fc.nat(5), amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create validator' as const), key: fc.nat(4), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit validator' as const), rate: fc.bigInt(0n, 20n) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('unjail' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw address' as const), to: somebody }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), validator }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw commission' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fund pool' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deposit rewards' as const), validator, amount }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('vote' as const),
      proposal,
      option: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 3, arbitrary: fc.nat(5) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('weighted vote' as const), proposal, yes: fc.bigInt(0n, 11n) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('deposit' as const), proposal, amount: fc.bigInt(1n, 2000n) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel proposal' as const), proposal }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), to: somebody }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('allow fees' as const), to: somebody, limit: fc.bigInt(0n, CHR) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke fees' as const), to: somebody }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('vest' as const),
      to: fc.integer({ min: PEOPLE, max: PEOPLE + 2 }),
      form: fc.constantFrom('delayed', 'continuous', 'permanent', 'periodic'),
      seconds: fc.bigInt(1n, 30n),
      amount: fc.bigInt(1n, 500n).map((chr) => chr * CHR),
    }),
  },
);
export type Simple = typeof simple extends fc.Arbitrary<infer Kind> ? Kind : never;

/** Messages of a proposal; `spend deposits` always fails, because the gov account never holds that much. */
const proposed = fc.oneof(
  fc.record({ kind: fc.constant('spend deposits' as const), amount: fc.constant(10n ** 30n) }),
  fc.record({ kind: fc.constant('spend pool' as const), to: somebody, amount: fc.bigInt(1n, CHR) }),
  fc.record({
    kind: fc.constant('staking' as const),
    maxValidators: fc.integer({ min: 0, max: 4 }),
    seconds: fc.bigInt(1n, 20n),
  }),
  fc.record({ kind: fc.constant('mint' as const), most: fc.bigInt(0n, CHR) }),
  fc.record({ kind: fc.constant('tax' as const), tax: fc.bigInt(0n, CHR + 1n) }),
);
export type Proposed = typeof proposed extends fc.Arbitrary<infer Kind> ? Kind : never;

export const action = fc.oneof(
  { weight: 30, arbitrary: simple },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      deposit: fc.oneof(
        { weight: 3, arbitrary: fc.bigInt(1000n, 6000n) },
        { weight: 1, arbitrary: fc.bigInt(0n, 1000n) },
      ),
      expedited: fc.boolean(),
      proposed: fc.array(proposed, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('grant' as const), to: fc.nat(3), of: simple, limit: fc.bigInt(1n, CHR) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exec' as const), by: somebody, of: simple }) },
);
export type Action = typeof action extends fc.Arbitrary<infer Kind> ? Kind : never;
