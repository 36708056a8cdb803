/** Slashes: they take from a validator, from its unbondings, and from its redelegations since the offence. */
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getSupply, setBalance, setSupply } from '../../../../src/core/modules/bank/balances.js';
import { allDelegations, setDelegation } from '../../../../src/core/modules/staking/delegations.js';
import { invariants } from '../../../../src/core/modules/staking/invariants.js';
import { slashingModule } from '../../../../src/core/modules/slashing/module.js';
import { DEFAULT_PARAMS, setParams as setSlashingParams } from '../../../../src/core/modules/slashing/params.js';
import { getSigningInfo, setSigningInfo } from '../../../../src/core/modules/slashing/signing-info.js';
import { setParams } from '../../../../src/core/modules/staking/params.js';
import { BONDED_POOL, NOT_BONDED_POOL } from '../../../../src/core/modules/staking/pools.js';
import { setRedelegation } from '../../../../src/core/modules/staking/redelegations.js';
import { slash } from '../../../../src/core/modules/staking/slash.js';
import {
  getUnbonding,
  setUnbonding,
  type UnbondingEntry,
} from '../../../../src/core/modules/staking/unbonding-delegations.js';
import { BondStatus, consensusAddressOf, type Validator } from '../../../../src/core/modules/staking/validator.js';
import {
  getValidator,
  setByPower,
  setValidator,
  setValidatorByConsensus,
} from '../../../../src/core/modules/staking/validators.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { DescriptionSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { DEC_ONE, truncateDec } from '../../../../src/core/sdk/coins/dec.js';
import { any } from '../../app/properties/people.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { crypto } from '../../app/support.js';
import { emptyContext } from './context.js';

const SEED = 0x51a5;
const NOW = 1_000n;
const HEIGHT = 100n;
/** Height of the offence. */
const THEN = 50n;
const POWER = 10n;
const COIN = 10n ** 18n;
const named = (fill: number): Uint8Array => new Uint8Array(20).fill(fill);
const [OFFENDER, OTHER, DELEGATOR] = [named(1), named(2), named(3)];

function validator(operator: Uint8Array, status: BondStatus, tokens: bigint): Validator {
  return {
    operator,
    consensusKey: any(PubKeySchema, { key: new Uint8Array(32).fill(operator[0] ?? 0) }),
    jailed: false,
    status,
    tokens,
    shares: tokens * DEC_ONE,
    description: create(DescriptionSchema),
    unbondingHeight: 0n,
    unbondingTime: toTimeNs(0n),
    commission: { rate: 0n, maxRate: 0n, maxChangeRate: 0n, updateTime: toTimeNs(0n) },
    minSelfDelegation: 1n,
    onHold: 0n,
    unbondingIds: [],
  };
}

interface Entry {
  readonly height: bigint;
  readonly end: bigint;
  readonly initial: bigint;
  /** Percent of the initial balance that earlier slashes left. */
  readonly left: bigint;
}
interface Situation {
  readonly offender: BondStatus;
  readonly other: BondStatus;
  readonly unbonding: readonly Entry[];
  /** Entries of tokens at the other validator that unbond there. */
  readonly movedOn: readonly Entry[];
  readonly moved: readonly Entry[];
  readonly delegated: bigint;
  readonly tokens: bigint;
}

const entry: fc.Arbitrary<Entry> = fc.record({
  height: fc.bigInt(THEN - 2n, THEN + 3n),
  end: fc.bigInt(NOW - 2n, NOW + 3n),
  initial: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 9n * COIN)),
  left: fc.constantFrom(0n, 50n, 100n),
});
const situation: fc.Arbitrary<Situation> = fc.record({
  offender: fc.constantFrom(BondStatus.BONDED, BondStatus.UNBONDING),
  other: fc.constantFrom(BondStatus.BONDED, BondStatus.UNBONDING, BondStatus.UNBONDED),
  unbonding: fc.array(entry, { maxLength: 3 }),
  movedOn: fc.array(entry, { maxLength: 2 }),
  moved: fc.array(entry, { maxLength: 3 }),
  delegated: fc.oneof(fc.constant(0n), fc.bigInt(1n, 20n * COIN)),
  tokens: fc.oneof(fc.constant(0n), fc.bigInt(1n, 20n * COIN)),
});

const balanceOf = ({ initial, left }: Entry): bigint => (initial * left) / 100n;

function entriesOf(entries: readonly Entry[]): readonly UnbondingEntry[] {
  return entries.map((one, index) => ({
    creationHeight: one.height,
    completionTime: toTimeNs(one.end),
    initialBalance: one.initial,
    balance: balanceOf(one),
    id: BigInt(index + 1),
    onHold: 0n,
  }));
}

function contextOf(of: Situation): Context {
  const context = emptyContext(HEIGHT, NOW);
  setParams(context, {
    unbondingTime: 5n,
    maxValidators: 10,
    maxEntries: 7,
    historicalEntries: 1,
    bondDenom: 'atest',
    minCommissionRate: 0n,
  });
  const validators = [validator(OFFENDER, of.offender, of.tokens), validator(OTHER, of.other, of.delegated)];
  for (const one of validators) {
    setValidator(context, one);
    setValidatorByConsensus(context, one);
    setByPower(context, one);
  }
  if (of.tokens > 0n) setDelegation(context, { delegator: OFFENDER, operator: OFFENDER, shares: of.tokens * DEC_ONE });
  if (of.delegated > 0n)
    setDelegation(context, { delegator: DELEGATOR, operator: OTHER, shares: of.delegated * DEC_ONE });
  const unbondings = [
    { operator: OFFENDER, entries: entriesOf(of.unbonding) },
    { operator: OTHER, entries: entriesOf(of.movedOn) },
  ];
  for (const { operator, entries } of unbondings)
    if (entries.length > 0) setUnbonding(context, { delegator: DELEGATOR, operator, entries });
  if (of.moved.length > 0)
    setRedelegation(context, {
      delegator: DELEGATOR,
      source: OFFENDER,
      destination: OTHER,
      entries: entriesOf(of.moved).map((one) => ({ ...one, shares: one.initialBalance * DEC_ONE })),
    });
  const bonded = validators
    .filter(({ status }) => status === BondStatus.BONDED)
    .reduce((sum, one) => sum + one.tokens, 0n);
  const other = [...of.unbonding, ...of.movedOn].reduce((sum, one) => sum + balanceOf(one), 0n);
  const notBonded = of.tokens + of.delegated - bonded + other;
  setBalance(context, moduleAddress(crypto, BONDED_POOL), 'atest', bonded);
  setBalance(context, moduleAddress(crypto, NOT_BONDED_POOL), 'atest', notBonded);
  setSupply(context, 'atest', bonded + notBonded);
  return context;
}

const isLiable = ({ height, end }: Entry): boolean => height >= THEN && end > NOW;
const offence = {
  consensus: consensusAddressOf(crypto, validator(OFFENDER, BondStatus.BONDED, 0n)),
  height: THEN,
  power: POWER,
};
const tokensOf = (context: Context, operator: Uint8Array): bigint => getValidator(context, operator)?.tokens ?? 0n;
const part = (fraction: bigint, entries: readonly Entry[]): bigint =>
  entries.filter(isLiable).reduce((sum, { initial }) => sum + truncateDec(fraction * initial), 0n);

describe('slashing', () => {
  it(`takes no more than the fraction, and burns all that it takes (seed ${SEED})`, () => {
    fc.assert(
      fc.property(situation, fc.oneof(fc.constantFrom(0n, DEC_ONE), fc.bigInt(0n, DEC_ONE)), (of, fraction) => {
        const context = contextOf(of);
        const supply = getSupply(context, 'atest');
        const burned = slash(context, offence, fraction);
        expect(invariants.flatMap((one) => one.check(context) ?? [])).toEqual([]);

        const lost = of.tokens - tokensOf(context, OFFENDER);
        const nominal = part(fraction, of.unbonding) + part(fraction, of.moved);
        const owed = truncateDec(fraction * POWER * COIN) - nominal;
        expect(burned).toBe(lost);
        expect(lost).toBe(owed <= 0n ? 0n : owed < of.tokens ? owed : of.tokens);

        const unbonding = getUnbonding(context, DELEGATOR, OFFENDER)?.entries ?? [];
        of.unbonding.forEach((one, index) => {
          const most = isLiable(one) ? truncateDec(fraction * one.initial) : 0n;
          const taken = balanceOf(one) - (unbonding[index]?.balance ?? 0n);
          expect(taken).toBe(most < balanceOf(one) ? most : balanceOf(one));
        });
        const movedOn = getUnbonding(context, DELEGATOR, OTHER)?.entries ?? [];
        const takenOn = of.movedOn.reduce(
          (sum, one, index) => sum + balanceOf(one) - (movedOn[index]?.balance ?? 0n),
          0n,
        );
        of.movedOn.forEach((one, index) => {
          if (!isLiable(one)) expect(movedOn[index]?.balance).toBe(balanceOf(one));
        });
        const takenThere = of.delegated - tokensOf(context, OTHER);
        expect(takenOn <= part(fraction, of.moved)).toBe(true);
        // each entry loses at most the fraction of its shares, whatever was taken from unbondings
        expect(takenThere <= part(fraction, of.moved) + BigInt(of.moved.length)).toBe(true);
        const takenUnbonding = of.unbonding.reduce(
          (sum, one, i) => sum + balanceOf(one) - (unbonding[i]?.balance ?? 0n),
          0n,
        );
        expect(supply - getSupply(context, 'atest')).toBe(lost + takenUnbonding + takenOn + takenThere);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it('removes an unbonded validator when it takes the last shares', () => {
    const moved = { height: THEN, end: NOW + 1n, initial: COIN, left: 100n };
    const context = contextOf({
      offender: BondStatus.BONDED,
      other: BondStatus.UNBONDED,
      unbonding: [],
      movedOn: [],
      moved: [moved],
      delegated: COIN,
      tokens: COIN,
    });
    slash(context, offence, DEC_ONE);
    expect(getValidator(context, OTHER)).toBeUndefined();
    expect([...allDelegations(context)].map(({ operator }) => operator)).toEqual([OFFENDER]);
    expect(getSupply(context, 'atest')).toBe(0n);
  });

  it('does not touch an unbonded validator whose missed blocks are reported late', () => {
    const context = contextOf({
      offender: BondStatus.UNBONDED,
      other: BondStatus.BONDED,
      unbonding: [],
      movedOn: [],
      moved: [],
      delegated: COIN,
      tokens: COIN,
    });
    setSlashingParams(context, { ...DEFAULT_PARAMS, signedBlocksWindow: 1n, minSignedPerWindow: DEC_ONE });
    const info = { indexOffset: 0n, startHeight: 0n, jailedUntil: toTimeNs(0n), tombstoned: false, missed: 0n };
    setSigningInfo(context, { ...info, address: offence.consensus });
    const { hash, proposer, gas, facts } = context.block;
    const lastCommitVotes = [{ address: offence.consensus, power: 1n, flag: 'absent' as const }];
    slashingModule.beginBlock?.({
      ...context,
      block: new BlockScope(hash, proposer, gas, { ...facts, lastCommitVotes }),
    });
    expect(getValidator(context, OFFENDER)).toMatchObject({ tokens: COIN, jailed: false });
    expect(getSigningInfo(context, offence.consensus)?.missed).toBe(1n);
  });
});
