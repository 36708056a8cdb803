/**
 * A precompile call and the message that it corresponds to: both are refused, or both leave the same state.
 * The long form runs with CHRONICLED_PROPERTY_RUNS and CHRONICLED_PROPERTY_SEED.
 */
import fc from 'fast-check';
import { decodeErrorResult, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { ensureAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import { action } from '../../../app/properties/actions.js';
import type { PropertyChain, Settings } from '../../../app/properties/chain.js';
import { messageOf } from '../../../app/properties/messages.js';
import { achr, any, bytesOf, consensusKey, operator, PEOPLE, person } from '../../../app/properties/people.js';
import { play } from '../../../app/properties/play.js';
import { PubKeySchema } from '../../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { MsgCreateValidatorSchema } from '../../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgSendSchema } from '../../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { type ContractCall, callOf, DISTRIBUTION, GOV, SLASHING, STAKING, TOKENS } from './contract-calls.js';
import { toHex } from '../../../app/support.js';
import { bytesOfHex, contractCall, message, tried, UCOINS, world } from './world.js';

const RUNS = Number(process.env['CHRONICLED_PROPERTY_RUNS'] ?? 3);
const SEED = Number(process.env['CHRONICLED_PROPERTY_SEED'] ?? 0x0e5e);
const TIME_LIMIT = 60 * 60 * 1000;

const settings = fc.record({
  downtimeFraction: fc.constantFrom('0.000000000000000000', '0.010000000000000000', '0.333333333333333333'),
  doubleSignFraction: fc.constantFrom('0.000000000000000000', '0.050000000000000000'),
  maxValidators: fc.integer({ min: 1, max: 3 }),
  unbondingSeconds: fc.constantFrom(1, 5, 12),
});
const SETTINGS: Settings = {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '0.050000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};
const PROPOSAL = {
  from: 0,
  actions: [{ kind: 'submit' as const, deposit: 1n, expedited: false, proposed: [] }],
  granter: null,
};
const block = fc.record({
  seconds: fc.bigInt(0n, 4n),
  absent: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(15) }),
  offences: fc.constant([]),
  txs: fc.array(
    fc.record({
      from: fc.nat(PEOPLE - 1),
      actions: fc.array(action, { minLength: 1, maxLength: 1 }),
      granter: fc.constant(null),
    }),
    { maxLength: 4 },
  ),
  compared: fc.array(fc.record({ from: fc.nat(PEOPLE - 1), act: action }), { minLength: 4, maxLength: 8 }),
  tokens: fc.record({ from: fc.nat(PEOPLE - 1), to: fc.nat(PEOPLE + 2), amount: fc.bigInt(0n, UCOINS + 9n) }),
});

it(
  `a precompile call has the effect of its message in ${RUNS} histories (seed ${SEED})`,
  () => {
    const told = new Map<string, number>();
    fc.assert(
      fc.property(settings, fc.array(block, { minLength: 6, maxLength: 20, size: 'max' }), (options, blocks) => {
        const chain = world(options);
        for (const { compared, tokens, txs, ...step } of blocks) {
          // the first block founds the validators
          play(chain, { ...step, txs: chain.height === 1n ? [PROPOSAL, ...txs] : txs }, new Map());
          const context = chain.context();
          for (const { from, act } of compared) {
            const one = messageOf(context, act.kind === 'create validator' ? from % 4 : from, act);
            expectSame(chain, one, told);
          }
          const { from, to, amount } = tokens;
          expectSame(chain, messageOf(context, from, { kind: 'deposit', proposal: 1n, amount }), told);
          const parties = { fromAddress: person(from), toAddress: person(to) };
          const coins = [{ denom: 'ucoin', amount: amount.toString() }];
          expectSame(chain, any(MsgSendSchema, { ...parties, amount: coins }), told);
          expectSame(chain, any(MsgSendSchema, { ...parties, amount: [achr(amount)] }), told);
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env['CHRONICLED_PROPERTY_RUNS'] !== undefined },
    );
    if (process.env['CHRONICLED_PROPERTY_RUNS'] !== undefined)
      console.log(
        [...told]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, count]) => `${count} ${name}`)
          .join('\n'),
      );
    // each precompile succeeded at least once
    for (const contract of [STAKING, DISTRIBUTION, GOV, ...TOKENS.values()])
      expect([...told.keys()], contract).toContain(`${contract} ok`);
  },
  TIME_LIMIT,
);

it('createValidator of the precompile has the effect of its message', () => {
  const chain = world(SETTINGS);
  play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
  const told = new Map<string, number>();
  for (const value of [achr(5n * 10n ** 18n), achr(0n)])
    expectSame(
      chain,
      any(MsgCreateValidatorSchema, {
        description: { moniker: 'new', details: 'one more' },
        commission: { rate: '100000000000000000', maxRate: '500000000000000000', maxChangeRate: '100000000000000000' },
        minSelfDelegation: '1',
        delegatorAddress: person(4),
        validatorAddress: operator(4),
        pubkey: any(PubKeySchema, { key: consensusKey(9) }),
        value,
      }),
      told,
    );
  expect([...told.keys()]).toEqual([`${STAKING} ok`, `${STAKING} invalid delegation amount: invalid request`]);
});

it('submitProposal of the precompile has the effect of its message, also with decimals', () => {
  const chain = world(SETTINGS);
  play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
  const told = new Map<string, number>();
  const proposed = [
    { kind: 'tax' as const, tax: 7n * 10n ** 16n },
    { kind: 'staking' as const, maxValidators: 3, seconds: 9n },
    { kind: 'mint' as const, most: 10n ** 17n },
  ];
  const submit = { kind: 'submit' as const, deposit: 2000n, expedited: true, proposed };
  expectSame(chain, messageOf(chain.context(), 2, submit), told);
  expect([...told.keys()]).toEqual([`${GOV} ok`]);
});

it('unjail of the precompile has the effect of its message', () => {
  const chain = world(SETTINGS);
  const told = new Map<string, number>();
  const everyUnjail = (): void => {
    for (const from of [0, 1, 2, 3]) expectSame(chain, messageOf(chain.context(), from, { kind: 'unjail' }), told);
  };
  for (let height = 0; height < 8; height += 1) {
    play(chain, { seconds: 1n, absent: 2, offences: [], txs: [] }, new Map());
    everyUnjail();
  }
  play(chain, { seconds: 9n, absent: 0, offences: [], txs: [] }, new Map());
  everyUnjail();
  expect([...told.keys()]).toEqual([
    `${SLASHING} validator not jailed; cannot be unjailed`,
    `${SLASHING} validator still jailed; cannot be unjailed`,
    `${SLASHING} ok`,
  ]);
});

function expectSame(chain: PropertyChain, one: Parameters<typeof callOf>[0], told: Map<string, number>): void {
  const call = callOf(one);
  if (call === undefined) return;
  const signer = bytesOf(person(chain.signerOf(one)));
  // the first call of a precompile creates its account
  const state = new CacheStore(chain.state);
  ensureAccount(chain.delivering(state), bytesOfHex(call.to));
  const sent = tried(chain, state, message(one));
  const called = tried(chain, state, contractCall(signer, call));
  const name = `${call.to} ${sent.refusal === undefined ? 'ok' : short(sent.refusal)}`;
  told.set(name, (told.get(name) ?? 0) + 1);
  expect(called.refusal === undefined, one.typeUrl).toBe(sent.refusal === undefined);
  if (sent.refusal !== undefined)
    expect(OWN_WORDS.get(sent.refusal.replace(/\d+/g, '_')) ?? sent.refusal).toBe(reasonOf(chain, state, signer, call));
  expect(Object.fromEntries(called.changes), one.typeUrl).toEqual(Object.fromEntries(sent.changes));
}

/** The reason with which the call of a contract reverts. */
function reasonOf(chain: PropertyChain, state: CacheStore, from: Uint8Array, { to, data }: ContractCall): string {
  const at = { ...chain.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const result = chain.app.ethereum?.call(state, at, { from, to: bytesOfHex(to), data: bytesOfHex(data) }, [], {});
  if (result?.kind !== 'revert') throw new Error(result?.kind);
  const { args } = decodeErrorResult({ data: `0x${toHex(result.output)}`, abi: parseAbi(['error Error(string)']) });
  return args[0];
}

/** Refusals for which precompiles have other texts. */
const OWN_WORDS: ReadonlyMap<string, string> = new Map([
  ['spendable balance _ucoin is smaller than _ucoin: insufficient funds', 'ERC20: transfer amount exceeds balance'],
  ['spendable balance _achr is smaller than _achr: insufficient funds', 'ERC20: transfer amount exceeds balance'],
]);

const short = (text: string): string => text.replace(/chron\w+|\d{2,}/g, '_').slice(0, 90);
