/**
 * Sends, conversions, and calls that revert at any depth, beside a model of plain numbers: the balances in coins and
 * tokens are those of the model, and no supply changes. The long form runs with CHRONICLED_PROPERTY_RUNS and
 * CHRONICLED_PROPERTY_SEED.
 */
import fc from 'fast-check';
import { encodeFunctionData, type Hex } from 'viem';
import { expect, it } from 'vitest';
import { expectFoundedAgain } from '../../../app/founded-again.js';
import { getBalance, getSupply } from '../../../../../src/core/modules/bank/balances.js';
import { sendAmount } from '../../../../../src/core/modules/bank/transfer.js';
import { spendableBalance } from '../../../../../src/core/modules/evm/coins.js';
import { evmCoin } from '../../../../../src/core/sdk/coins/evm-coin.js';
import { getFraction, getRemainder } from '../../../../../src/core/peers/evmd/precisebank/fractions.js';
import { evmState } from '../../../../../src/core/modules/evm/state.js';
import { MsgSendSchema } from '../../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import * as erc20 from '../../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { checksumAddress } from '../../../../../src/core/keys/address.js';
import { encodeAddress, moduleAddress } from '../../../../../src/core/sdk/codec/address.js';
import { SdkError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { presentModules } from '../../../../../src/core/sdk/module/app-version.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import { Liar, Player } from '../../../../contracts/index.js';
import type { PropertyChain } from '../../../app/properties/chain.js';
import { any, bytesOf, operator, person } from '../../../app/properties/people.js';
import { play } from '../../../app/properties/play.js';
import { crypto, toHex } from '../../../app/support.js';
import { ABI, STAKING, TOKENS } from './contract-calls.js';
import { ask, install, perform } from './installed.js';
import { type Act, Model, PEOPLE, PLAYERS, type Frame, type Step, type Unit } from './model.js';
import { NO_SLASHES, bytesOfHex, message, world } from './world.js';

const RUNS = Number(process.env['CHRONICLED_PROPERTY_RUNS'] ?? 4);
const SEED = Number(process.env['CHRONICLED_PROPERTY_SEED'] ?? 0x5a1e);
const TIME_LIMIT = 60 * 60 * 1000;
const TOKEN: Hex = `0x${'70'.repeat(20)}`;
/** The denom of the token as a coin. */
const WRAPPED = `erc20:${checksumAddress(crypto, bytesOfHex(TOKEN))}`;
const FUNDS = 1_000n;
const ESCROW = moduleAddress(crypto, 'erc20');

/** The holders in the order of the model: people, then players. */
const HOLDERS: readonly Uint8Array[] = [
  ...Array.from({ length: PEOPLE }, (_, index) => bytesOf(person(index))),
  ...Array.from({ length: PLAYERS }, (_, index) => bytesOfHex(`0x${'b0'.repeat(19)}b${index}`)),
];
const hexOf = (holder: number): Hex => `0x${toHex(HOLDERS[holder] ?? new Uint8Array())}`;
const nameOf = (holder: number): string => encodeAddress('chron', HOLDERS[holder] ?? new Uint8Array());

const holder = fc.nat(PEOPLE + PLAYERS - 1);
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(1n, FUNDS / 2n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, FUNDS * 20n) },
);
const unit = fc.constantFrom<Unit>('achr', 'ucoin', 'token');
const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('value' as const), to: holder, amount }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('transfer' as const), unit, to: holder, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delegate' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deposit' as const), amount }) },
);
/** An amount in wei, of about a third of a unit each, so that fractions carry and borrow. */
const inWei = (amount: bigint, unit: bigint): bigint => (unit === 1n ? amount : amount * (unit / 3n) + (amount % 3n));
const { frame } = fc.letrec<{ frame: Frame; step: Step }>((tie) => ({
  frame: fc.record({
    kind: fc.constant('frame' as const),
    player: fc.nat(PLAYERS - 1),
    value: fc.oneof({ weight: 2, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(0n, FUNDS) }),
    steps: fc.array(tie('step'), { maxLength: 6 }),
    undone: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }),
  step: fc.oneof(
    { depthSize: 'medium', maxDepth: 4 },
    { weight: 3, arbitrary: move },
    { weight: 2, arbitrary: tie('frame') },
  ),
}));
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      from: fc.nat(PEOPLE - 1),
      to: holder,
      unit: fc.constantFrom('achr' as const, 'ucoin' as const, 'wrapped' as const),
      amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('to coins' as const, 'to tokens' as const),
      from: fc.nat(PEOPLE - 1),
      to: holder,
      amount,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('play' as const), from: fc.nat(PEOPLE - 1), frame }) },
);

/** Each person first converts some tokens to coins. */
const START = Array.from({ length: PEOPLE }, (_, from) => ({
  kind: 'to coins' as const,
  from,
  to: from,
  amount: FUNDS / 3n,
}));

it.each([18, 6])(
  `coins and tokens keep their supply in ${RUNS} histories, with a coin of %i decimals (seed ${SEED})`,
  (decimals) => {
    const unit = 10n ** BigInt(18 - decimals);
    const told = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(act, { minLength: 10, maxLength: 40, size: 'max' }), (acts) => {
        const { chain, state } = begin(decimals);
        const model = new Model(FUNDS, unit);
        const context = () => chain.delivering(state);
        // minted coins of the reserve that nobody owns are its remainder
        const supplies = (): readonly bigint[] => [
          getSupply(context(), 'achr') * unit - getRemainder(context()),
          getSupply(context(), 'ucoin'),
        ];
        const before = supplies();
        for (const one of [...START, ...acts.map((each) => inWeiOf(each, unit))]) {
          const succeeds = model.does(one);
          const name = `${one.kind} ${succeeds}`;
          told.set(name, (told.get(name) ?? 0) + 1);
          expect(done(chain, state, one), name).toBe(succeeds);
          expect(seen(chain, state)).toEqual(model.shown());
          expect(supplies()).toEqual(before);
          expect(getSupply(context(), WRAPPED)).toBe(tokensOf(chain, state, ESCROW));
        }
        const broken = presentModules(chain.version).flatMap(({ invariants = [] }) =>
          invariants.flatMap((invariant) => invariant.check(context()) ?? []),
        );
        expect(broken).toEqual([]);
        expectFoundedAgain(state, chain.exporting());
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env['CHRONICLED_PROPERTY_RUNS'] !== undefined },
    );
    // each kind of act succeeds at least once, and fails at least once
    expect([...told.keys()].toSorted()).toEqual(
      ['play', 'send', 'to coins', 'to tokens'].flatMap((kind) => [`${kind} false`, `${kind} true`]),
    );
  },
  TIME_LIMIT,
);

/** A chain on which all holders have the balances of a new model. */
function begin(decimals: number): { readonly chain: PropertyChain; readonly state: CacheStore } {
  const chain = world(NO_SLASHES, decimals);
  play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
  const state = new CacheStore(chain.state);
  const context = chain.delivering(state);
  const bank = bytesOf(person(PEOPLE));
  for (const [index, address] of HOLDERS.entries()) {
    if (index >= PEOPLE) install(chain, state, hexOf(index), Player);
    for (const denom of ['achr', 'ucoin']) {
      const held = getBalance(context, address, denom);
      if (held > FUNDS) sendAmount(context, address, bank, { denom, amount: held - FUNDS });
    }
  }
  for (const address of HOLDERS.slice(PEOPLE))
    for (const denom of ['achr', 'ucoin']) sendAmount(context, bank, address, { denom, amount: FUNDS });
  install(chain, state, TOKEN, Liar);
  for (const index of HOLDERS.keys()) perform(chain, state, bank, TOKEN, Liar.abi, 'give', [hexOf(index), FUNDS]);
  message(any(erc20.MsgRegisterERC20Schema, { signer: person(0), erc20addresses: [TOKEN] }))(chain.delivering(state));
  return { chain, state };
}

/** The act with its values in wei. */
function inWeiOf(one: Act, unit: bigint): Act {
  return one.kind === 'play' ? { ...one, frame: frameInWei(one.frame, unit) } : one;
}

function frameInWei(one: Frame, unit: bigint): Frame {
  const steps = one.steps.map((step): Step => {
    if (step.kind === 'frame') return frameInWei(step, unit);
    const isWei =
      step.kind === 'value' || step.kind === 'deposit' || (step.kind === 'transfer' && step.unit === 'achr');
    return isWei ? { ...step, amount: inWei(step.amount, unit) } : step;
  });
  return { ...one, value: inWei(one.value, unit), steps };
}

const tokensOf = (chain: PropertyChain, state: CacheStore, address: Uint8Array): bigint => {
  const answer = ask(chain, state, TOKEN, Liar.abi, 'balanceOf', [`0x${toHex(address)}`]);
  if (typeof answer !== 'bigint') throw new Error('no number');
  return answer;
};

/** Balances of each holder, as bank, the EVM and the token report them. */
function seen(chain: PropertyChain, state: CacheStore): readonly string[] {
  const context = chain.delivering(state);
  return HOLDERS.map((address) => {
    const achr = spendableBalance(context, address);
    expect(evmState(context).account(address)?.balance ?? 0n).toBe(achr);
    const { unit } = evmCoin(context);
    expect(getBalance(context, address, 'achr')).toBe(achr / unit);
    expect(getFraction(context, address)).toBe(achr % unit);
    const coins = [achr, getBalance(context, address, 'ucoin'), getBalance(context, address, WRAPPED)];
    return [...coins, tokensOf(chain, state, address)].join(' ');
  });
}

/** Executes an act, and returns whether it succeeds; a refused one changes nothing. */
function done(chain: PropertyChain, state: CacheStore, one: Act): boolean {
  const store = new CacheStore(state);
  try {
    enact(chain, store, one);
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return false;
  }
  store.commitTo(state);
  return true;
}

function enact(chain: PropertyChain, store: CacheStore, one: Act): void {
  const parties = { from: hexOf(one.from), name: nameOf(one.from) };
  switch (one.kind) {
    case 'send': {
      const denom = one.unit === 'wrapped' ? WRAPPED : one.unit;
      const coins = [{ denom, amount: one.amount.toString() }];
      const send = any(MsgSendSchema, { fromAddress: parties.name, toAddress: nameOf(one.to), amount: coins });
      return message(send)(chain.delivering(store));
    }
    case 'to coins':
      return message(
        any(erc20.MsgConvertERC20Schema, {
          contractAddress: TOKEN,
          amount: one.amount.toString(),
          receiver: nameOf(one.to),
          sender: parties.from,
        }),
      )(chain.delivering(store));
    case 'to tokens':
      return message(
        any(erc20.MsgConvertCoinSchema, {
          coin: { denom: WRAPPED, amount: one.amount.toString() },
          receiver: hexOf(one.to),
          sender: parties.name,
        }),
      )(chain.delivering(store));
    case 'play': {
      const { to, args } = callOfFrame(one.frame);
      return perform(chain, store, bytesOfHex(parties.from), to, Player.abi, 'play', args);
    }
  }
}

function callOfFrame({ player, steps, undone }: Frame) {
  return { to: hexOf(PEOPLE + player), args: [steps.map((step) => callOfStep(step, player)), undone] };
}

function callOfStep(step: Step, by: number): { readonly to: Hex; readonly value: bigint; readonly data: Hex } {
  switch (step.kind) {
    case 'value':
      return { to: hexOf(step.to), value: step.amount, data: '0x' };
    case 'transfer':
      return {
        to: step.unit === 'token' ? TOKEN : (TOKENS.get(step.unit) ?? '0x'),
        value: 0n,
        data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [hexOf(step.to), step.amount] }),
      };
    case 'delegate':
      return {
        to: STAKING,
        value: 0n,
        data: encodeFunctionData({
          abi: ABI,
          functionName: 'delegate',
          args: [hexOf(PEOPLE + by), operator(0), step.amount],
        }),
      };
    case 'deposit':
      return { to: TOKENS.get('achr') ?? '0x', value: step.amount, data: '0xd0e30db0' };
    case 'frame': {
      const { to, args } = callOfFrame(step);
      return { to, value: step.value, data: encodeFunctionData({ abi: Player.abi, functionName: 'play', args }) };
    }
  }
}
