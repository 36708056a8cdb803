/** Listeners of staking that throw: what remains of a message, a slashing or a block. */
import { type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ed25519Address } from '../../../../src/core/comet/address.js';
import { getAccount } from '../../../../src/core/modules/auth/accounts.js';
import { getBalance } from '../../../../src/core/modules/bank/balances.js';
import { getValidator } from '../../../../src/core/modules/staking/validators.js';
import { unbondingsFromValidator } from '../../../../src/core/modules/staking/unbonding-delegations.js';
import { slash } from '../../../../src/core/modules/staking/slash.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import type { StakingHooks } from '../../../../src/core/sdk/module/hooks.js';
import type { StateStore, StateWrite } from '../../../../src/core/state/state.js';
import { account, brokenInvariants, codes, contextOf, DevChain, only, refusal, signed } from '../dev-chain.js';
import { addressOf } from '../ethereum-chain.js';
import { crypto, toHex } from '../support.js';
import { isHalfDone, refuseHalfway, withHooks } from './listener.js';
import { encode } from '../../../support/encode.js';

const CHR = 10n ** 18n;
const SECOND = 1_000_000_000n;
const GAS = 600_000n;
const FEE = GAS * 2_000_000_000n;
const KEYS = [7, 8, 9, 10].map((fill) => new Uint8Array(32).fill(fill));
const operator = (index: number): string => encodeAddress('chronvaloper', addressOf(index));
const coin = (amount: bigint) => ({ denom: 'achr', amount: amount.toString() });

/** A chain and the messages of its accounts, signed with their current sequences. */
class Play {
  readonly dev = new DevChain({ version: withHooks({}) });

  constructor() {
    this.dev.now = 1_700_000_000n * SECOND;
    this.done(this.createValidator(1), this.delegate(2, 5n));
  }

  /** Adds this listener of staking after those of distribution and slashing. */
  listens(staking: StakingHooks): void {
    this.dev.build({ version: withHooks({ staking }) });
  }

  message<Desc extends DescMessage>(from: number, schema: Desc, message: MessageInitShape<Desc>): Uint8Array {
    const sequence = getAccount(contextOf(this.dev), addressOf(from))?.base.sequence;
    return signed(from, sequence ?? 0n, schema, message, { gas: GAS });
  }

  createValidator(from: number): Uint8Array {
    return this.message(from, pb.MsgCreateValidatorSchema, {
      description: { moniker: 'another' },
      commission: { rate: '0', maxRate: (CHR / 2n).toString(), maxChangeRate: (CHR / 2n).toString() },
      minSelfDelegation: '1',
      validatorAddress: operator(from),
      pubkey: {
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: encode(PubKeySchema, { key: KEYS[from] ?? new Uint8Array() }),
      },
      value: coin(10n * CHR),
    });
  }

  raiseCommission(from: number): Uint8Array {
    const same = '[do-not-modify]';
    return this.message(from, pb.MsgEditValidatorSchema, {
      description: { moniker: same, identity: same, website: same, securityContact: same, details: same },
      validatorAddress: operator(from),
      commissionRate: (CHR / 10n).toString(),
    });
  }

  delegate(from: number, coins: bigint, to = 0): Uint8Array {
    const delegatorAddress = account(from).address;
    return this.message(from, pb.MsgDelegateSchema, {
      delegatorAddress,
      validatorAddress: operator(to),
      amount: coin(coins * CHR),
    });
  }

  undelegate(from: number, coins: bigint, of = 0): Uint8Array {
    const delegatorAddress = account(from).address;
    return this.message(from, pb.MsgUndelegateSchema, {
      delegatorAddress,
      validatorAddress: operator(of),
      amount: coin(coins * CHR),
    });
  }

  redelegate(from: number, coins: bigint): Uint8Array {
    return this.message(from, pb.MsgBeginRedelegateSchema, {
      delegatorAddress: account(from).address,
      validatorSrcAddress: operator(0),
      validatorDstAddress: operator(1),
      amount: coin(coins * CHR),
    });
  }

  done(...txs: readonly Uint8Array[]): void {
    expect(codes(this.dev.block(...txs))).toEqual(txs.map(() => 0));
  }

  after(seconds: bigint): void {
    this.dev.now = (this.dev.now ?? 0n) + seconds * SECOND;
  }
}

const shown = (writes: readonly StateWrite[]): readonly string[] =>
  writes.map(({ store, key, value }) => `${store} ${toHex(key)} ${value === undefined ? 'deleted' : toHex(value)}`);

describe('a listener of staking that refuses a message', () => {
  const cases: readonly (readonly [keyof StakingHooks, number, (play: Play) => Uint8Array])[] = [
    ['afterValidatorCreated', 3, (play) => play.createValidator(3)],
    ['beforeValidatorModified', 1, (play) => play.raiseCommission(1)],
    ['beforeDelegationCreated', 3, (play) => play.delegate(3, 1n)],
    ['beforeDelegationSharesModified', 2, (play) => play.delegate(2, 1n)],
    ['beforeDelegationSharesModified', 2, (play) => play.undelegate(2, 1n)],
    ['afterDelegationModified', 2, (play) => play.delegate(2, 1n)],
    ['afterDelegationModified', 2, (play) => play.undelegate(2, 1n)],
    ['afterDelegationModified', 2, (play) => play.redelegate(2, 1n)],
    ['beforeDelegationRemoved', 2, (play) => play.undelegate(2, 5n)],
  ];
  it.each(cases)('in %s fails the message, and only the fee is charged (%#)', (hook, from, make) => {
    const play = new Play();
    const { dev } = play;
    play.after(25n * 3_600n);
    const sent = make(play);
    const passes = dev.app.finalizeBlock(dev.state, dev.next([sent]));
    expect(codes(passes)).toEqual([0]);
    play.listens({ [hook]: refuseHalfway });
    const empty = dev.app.finalizeBlock(dev.state, dev.next([]));
    const before = getBalance(contextOf(dev), addressOf(from), 'achr');
    const block = dev.block(sent);
    expect(refusal(block)).toBe('undefined 1: failed to execute message; message index: 0: the listener refuses');
    expect(only(block).events.map(({ type }) => type)).not.toContain('half');
    if (empty.kind !== 'executed' || block.kind !== 'executed') throw new Error('halted');
    const isFee = ({ store }: StateWrite): boolean => ['acc', 'bank', 'feemarket'].includes(store);
    expect(shown(block.writes.filter((write) => !isFee(write)))).toEqual(
      shown(empty.writes.filter((write) => !isFee(write))),
    );
    expect(getBalance(contextOf(dev), addressOf(from), 'achr')).toBe(before - FEE);
    expect(brokenInvariants(dev)).toEqual([]);
  });
});

describe('a listener of staking whose error is ignored', () => {
  const same = (hooks: StakingHooks, run: (play: Play) => void): void => {
    const [quiet, refusing] = [new Play(), new Play()];
    refusing.listens(hooks);
    const states = [quiet, refusing].map((play) => {
      run(play);
      expect(isHalfDone(play.dev.state)).toBe(false);
      expect(brokenInvariants(play.dev)).toEqual([]);
      return Array.from(play.dev.state.range('staking', {}), ({ key, value }) => `${toHex(key)} ${toHex(value)}`);
    });
    expect(states[1]).toEqual(states[0]);
  };

  it('in afterUnbondingInitiated does not stop an unbonding or a redelegation', () => {
    let calls = 0;
    const afterUnbondingInitiated: StakingHooks['afterUnbondingInitiated'] = (context) => {
      calls += 1;
      refuseHalfway(context);
    };
    same({ afterUnbondingInitiated }, (play) => {
      play.done(play.undelegate(2, 1n));
      play.done(play.redelegate(2, 1n));
    });
    expect(calls).toBe(2);
  });

  it('in afterUnbondingInitiated still fails the message when it runs out of gas', () => {
    const play = new Play();
    play.listens({ afterUnbondingInitiated: ({ gas }) => gas.consume(GAS, 'a listener') });
    const block = play.dev.block(play.undelegate(2, 1n));
    expect(refusal(block)).toMatch(
      /^sdk 11: .*out of gas in location: a listener; gasWanted: 600000, gasUsed: \d+: out of gas$/,
    );
    expect([...unbondingsFromValidator(contextOf(play.dev), addressOf(0))]).toEqual([]);
  });

  it('in afterValidatorRemoved does not stop the removal of the validator', () => {
    let calls = 0;
    const afterValidatorRemoved: StakingHooks['afterValidatorRemoved'] = (context) => {
      calls += 1;
      refuseHalfway(context);
    };
    same({ afterValidatorRemoved }, (play) => {
      play.done(play.undelegate(1, 10n, 1));
      play.after(61n);
      play.done();
      expect(getValidator(contextOf(play.dev), addressOf(1))).toBeUndefined();
    });
    expect(calls).toBe(1);
  });

  it.each(['beforeValidatorModified', 'beforeValidatorSlashed'] as const)(
    'in %s does not stop the slashing',
    (hook) => {
      const { dev } = new Play();
      const consensus = ed25519Address(crypto, KEYS[1] ?? new Uint8Array());
      const punish = (staking?: StakingHooks): readonly string[] => {
        const context = contextOf(dev);
        const version = withHooks(staking === undefined ? {} : { staking });
        const burned = slash({ ...context, version }, { consensus, height: dev.height - 1n, power: 10n }, CHR / 10n);
        expect(burned).toBe(CHR);
        return shown(writesOf(context.store));
      };
      const expected = punish();
      expect(punish({ [hook]: refuseHalfway })).toEqual(expected);
      expect(expected.some((write) => write.startsWith('staking'))).toBe(true);
    },
  );
});

function writesOf(store: StateStore): readonly StateWrite[] {
  if (!('writes' in store) || typeof store.writes !== 'function') throw new Error('no cache');
  return store.writes();
}

describe('a listener that refuses at the end of a block', () => {
  it.each(['afterValidatorBonded', 'afterValidatorBeginUnbonding', 'afterUnbondingInitiated'] as const)(
    'in %s aborts the block',
    (hook) => {
      const play = new Play();
      const { dev } = play;
      const sent = hook === 'afterValidatorBonded' ? play.createValidator(3) : play.undelegate(1, 10n, 1);
      const heard: string[] = [];
      play.listens({
        [hook]: (context: Parameters<typeof refuseHalfway>[0]) => {
          heard.push(context.mode);
          if (context.mode === 'block') refuseHalfway(context);
        },
      });
      const [height, state] = [dev.height, dev.state];
      expect(() => dev.block(sent)).toThrow('the listener refuses');
      expect(heard.at(-1)).toBe('block');
      expect([dev.height, dev.state]).toEqual([height, state]);
      play.listens({});
      play.done(sent);
    },
  );
});
