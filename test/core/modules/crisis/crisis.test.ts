/** MsgVerifyInvariant, its fee, and the invariants that the node checks by itself. */
import { describe, expect, it } from 'vitest';
import {
  MsgUpdateParamsSchema,
  MsgVerifyInvariantSchema,
} from '../../../../src/core/proto/cosmos/crisis/v1beta1/tx_pb.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { getConstantFee } from '../../../../src/core/modules/crisis/constant-fee.js';
import { BrokenInvariant } from '../../../../src/core/sdk/module/invariants.js';
import { crisisModule, endBlock } from '../../../../src/core/modules/crisis/module.js';
import { setSupply } from '../../../../src/core/modules/bank/balances.js';
import { sendToModule } from '../../../../src/core/modules/bank/module-accounts.js';
import { presentModules } from '../../../../src/core/sdk/module/app-version.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { chainOfGenesis, readGenesis } from '../../../../src/core/app/chain-of-genesis.js';
import { devGenesis } from '../../../../src/core/genesis/dev-genesis.js';
import { crypto } from '../../app/support.js';
import { FACTS, refusal } from '../distribution/support.js';
import { PropertyChain, type Settings } from '../../app/properties/chain.js';
import { any, bytesOf, moduleText, person } from '../../app/properties/people.js';

const SETTINGS: Settings = {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '0.010000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};
const chain = () => new PropertyChain(chronicle, SETTINGS);
const ask = (module: string, route: string, sender = person(0)) =>
  any(MsgVerifyInvariantSchema, { sender, invariantModuleName: module, invariantRoute: route });

function sent(of: PropertyChain, message: ReturnType<typeof any>) {
  const [result] = of.block(of.facts(1n, 0, []), [of.tx(0, [message], 0n)]).results;
  return result;
}

describe('MsgVerifyInvariant', () => {
  it.each(presentModules(chronicle).flatMap(({ invariants = [] }) => invariants.map(({ name }) => [name])))(
    'checks %s for a fee, and emits its route',
    (name) => {
      const of = chain();
      const [module = '', route = ''] = name.split('/');
      const result = sent(of, ask(module, route));
      expect([result?.code, result?.log]).toEqual([0, '']);
      const told = result?.events.filter(({ type }) => type === 'invariant').flatMap(({ attributes }) => attributes);
      expect(told?.map(({ key, value }) => [key, value])).toContainEqual(['route', route]);
      const paid = result?.events.filter(({ type }) => type === 'transfer').flatMap(({ attributes }) => attributes);
      expect(paid?.map(({ value }) => value)).toContain('1000achr');
    },
  );

  it('fails as a panic when the invariant is broken', () => {
    const of = chain();
    const context = of.context();
    setSupply(context, 'achr', 1n);
    const message = { sender: person(0), invariantModuleName: 'bank', invariantRoute: 'total-supply' };
    const [codespace, code, text] = refusal(context, crisisModule, MsgVerifyInvariantSchema, message) ?? [];
    expect([codespace, code]).toEqual(['undefined', 111222]);
    expect(text).toMatch(/^recovered: bank\/total-supply: supply of achr is 1 but accounts hold \d+: panic$/);
  });

  it.each([
    [
      'of a known module',
      ask('bank', 'no'),
      'crisis 3: failed to execute message; message index: 0: unknown invariant',
    ],
    ['without a module', ask('', ''), 'crisis 3: failed to execute message; message index: 0: unknown invariant'],
  ])('refuses an unknown invariant %s', (_, message, expected) => {
    const of = chain();
    const before = of.context().store.get('crisis', Uint8Array.of(1));
    const result = sent(of, message);
    expect(`${result?.codespace} ${result?.code}: ${result?.log}`).toBe(expected);
    expect(of.context().store.get('crisis', Uint8Array.of(1))).toEqual(before);
  });

  it('refuses a sender that cannot pay, an empty one and a malformed one', () => {
    const context = chain().context();
    const asked = (sender: string) =>
      refusal(context, crisisModule, MsgVerifyInvariantSchema, {
        sender,
        invariantModuleName: 'bank',
        invariantRoute: 'total-supply',
      });
    expect(asked(person(7))).toEqual([
      'sdk',
      5,
      'spendable balance 0achr is smaller than 1000achr: insufficient funds',
    ]);
    expect(asked('')).toEqual(['sdk', 7, 'empty address string is not allowed: invalid address']);
    expect(asked('x')).toEqual([
      'sdk',
      7,
      'invalid sender address: unknown address format: x: unknown address: invalid address',
    ]);
  });
});

describe('the constant fee', () => {
  const update = (constantFee: { readonly denom: string; readonly amount: string }, authority = moduleText('gov')) => {
    const context = chain().context();
    const answer = refusal(context, crisisModule, MsgUpdateParamsSchema, { authority, constantFee });
    return { answer, fee: getConstantFee(context) };
  };

  it('is changed by governance only', () => {
    expect(update({ denom: 'foo', amount: '0' })).toMatchObject({
      answer: undefined,
      fee: { denom: 'foo', amount: '0' },
    });
    expect(update({ denom: 'foo', amount: '5' }, person(0)).answer?.slice(0, 2)).toEqual(['gov', 13]);
  });

  it('is 0 when its amount is absent, as gogoproto decodes it', () => {
    expect(update({ denom: 'foo', amount: '' })).toMatchObject({
      answer: undefined,
      fee: { denom: 'foo', amount: '0' },
    });
  });

  it.each([[{ denom: 'foo', amount: '-1' }], [{ denom: '', amount: '1' }]])('is not changed to %o', (constantFee) => {
    expect(update(constantFee)).toMatchObject({
      answer: ['sdk', 10, 'invalid constant fee: invalid coins'],
      fee: { denom: 'achr', amount: '1000' },
    });
  });

  it('must be a positive coin in a genesis', () => {
    const context = chain().context();
    const begin = (constant_fee: object) => () => crisisModule.initGenesis(context, { constant_fee }, FACTS);
    expect(begin({ denom: 'achr', amount: '0' })).toThrow(
      'app_state.crisis.constant_fee: constant fee must be positive: 0achr',
    );
    expect(begin({ denom: '?', amount: '1' })).toThrow('app_state.crisis.constant_fee: constant fee is invalid');
    expect(crisisModule.exportGenesis(context)).toEqual({ constant_fee: { denom: 'achr', amount: '1000' } });
  });
});

describe('a genesis', () => {
  const document = devGenesis(crypto, {
    chainId: 'broken_7-1',
    time: toTimeNs(1_700_000_000_000_000_000n),
    accounts: [person(0)],
    validators: [{ publicKey: new Uint8Array(32).fill(9), power: 1_000n, name: 'first' }],
  });
  /** The validator has more shares than its delegators. */
  const broken = JSON.stringify(document).replace(/"delegator_shares":"1/, '"delegator_shares":"2');
  const begin = (text: string, skipInvariants: boolean) => () =>
    chainOfGenesis({
      document: readGenesis(new TextEncoder().encode(text)),
      version: chronicle,
      evmChainId: undefined,
      minGasPrice: 0n,
      crypto,
      skipInvariants,
    });

  it('with a broken invariant is refused, unless the check is skipped', () => {
    expect(begin(JSON.stringify(document), false)).not.toThrow();
    expect(begin(broken, false)).toThrow('app_state: invariant broken: staking/delegator-shares: ');
    expect(begin(broken, true)).not.toThrow();
  });
});

describe('the check of all invariants', () => {
  const broken = (period: bigint | undefined, height: bigint) => {
    const of = chain();
    const context = of.context();
    sendToModule(context, bytesOf(person(0)), 'bonded_tokens_pool', [
      { $typeName: 'cosmos.base.v1beta1.Coin', denom: 'achr', amount: '1' },
    ]);
    const config = period === undefined ? context.chain : { ...context.chain, invariantPeriod: period };
    return () => endBlock({ ...context, chain: config, height: toHeight(height) });
  };

  it('stops the node at a multiple of its period', () => {
    expect(broken(3n, 6n)).toThrow(BrokenInvariant);
    expect(broken(3n, 6n)).toThrow('invariant broken: staking/module-accounts: the pools hold 1 bonded');
    expect(broken(3n, 7n)).not.toThrow();
    expect(broken(undefined, 6n)).not.toThrow();
  });
});
