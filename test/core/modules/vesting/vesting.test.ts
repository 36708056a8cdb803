import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { moduleAddress, encodeAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { delegateCoins, undelegateCoins } from '../../../../src/core/modules/bank/delegate.js';
import { getAccount } from '../../../../src/core/modules/auth/accounts.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { Contexts } from '../../../../src/core/app/contexts.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import * as bank from '../../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { account, chain, codes, DevChain, only, refusal, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const SECOND = 1_000_000_000n;
const CHR = 10n ** 18n;
/** An account that no genesis holds. */
const NEW = 9;
const coins = (amount: bigint) => [coin('achr', amount)];
const at = (seconds: bigint): bigint => (1_000n + seconds) * SECOND;

function spendable(dev: DevChain): bigint {
  const path = '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom';
  const request = { address: account(NEW).address, denom: 'achr' };
  const { balance } = dev.query(
    path,
    bank.QuerySpendableBalanceByDenomRequestSchema,
    request,
    bank.QuerySpendableBalanceByDenomResponseSchema,
  );
  return BigInt(balance?.amount ?? '-1');
}

const parties = { fromAddress: account(0).address, toAddress: account(NEW).address };

function founded<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): DevChain {
  const dev = new DevChain();
  dev.now = at(0n);
  expect(codes(dev.block(signed(0, 0n, schema, message)))).toEqual([0]);
  return dev;
}

const periodic = {
  ...parties,
  startTime: 1_010n,
  vestingPeriods: [
    { length: 10n, amount: coins(3n * CHR) },
    { length: 5n, amount: coins(CHR) },
  ],
};

describe('a vesting account', () => {
  it.each([
    ['continuous', pb.MsgCreateVestingAccountSchema, { ...parties, amount: coins(4n * CHR), endTime: 1_040n }],
    [
      'delayed',
      pb.MsgCreateVestingAccountSchema,
      { ...parties, amount: coins(4n * CHR), endTime: 1_040n, delayed: true },
    ],
    ['permanent', pb.MsgCreatePermanentLockedAccountSchema, { ...parties, amount: coins(4n * CHR) }],
    ['periodic', pb.MsgCreatePeriodicVestingAccountSchema, periodic],
  ])('of kind %s makes its coins spendable by its schedule', (kind, schema, message) => {
    const dev = founded(schema, message);
    const seen = [0n, 10n, 19n, 20n, 24n, 25n, 40n].map((seconds) => {
      dev.now = at(seconds);
      return Number((spendable(dev) * 10n) / CHR) / 10;
    });
    expect(seen).toEqual(
      {
        continuous: [0, 1, 1.9, 2, 2.4, 2.5, 4],
        delayed: [0, 0, 0, 0, 0, 0, 4],
        permanent: [0, 0, 0, 0, 0, 0, 0],
        periodic: [0, 0, 0, 3, 3, 4, 4],
      }[kind],
    );
  });

  it('spends no more than its spendable coins, which the EVM shows as its balance', () => {
    const dev = founded(pb.MsgCreateVestingAccountSchema, { ...parties, amount: coins(4n * CHR), endTime: 1_040n });
    const send = (sequence: bigint, amount: bigint) =>
      signed(
        NEW,
        sequence,
        MsgSendSchema,
        {
          fromAddress: account(NEW).address,
          toAddress: account(1).address,
          amount: coins(amount),
        },
        { accountNumber: 19n },
      );
    dev.now = at(10n);
    expect(refusal(dev.block(send(0n, 2n * CHR)))).toBe(
      'sdk 5: failed to execute message; message index: 0: spendable balance 999400000000000000achr is smaller than 2000000000000000000achr: insufficient funds',
    );
    expect(codes(dev.block(send(1n, CHR / 2n)))).toEqual([0]);
    const address = parseAddress('chron', account(NEW).address) ?? new Uint8Array();
    const seen = () => dev.app.ethereum?.account(dev.state, dev.at(), address)?.balance;
    expect(seen()).toBe(spendable(dev));
    const before = spendable(dev);
    dev.now = at(20n);
    expect(seen()).toBe(before + CHR);
  });
});

describe('creating a vesting account', () => {
  const vesting = { ...parties, amount: coins(1n), endTime: 2_000n };
  const gov = encodeAddress('chron', moduleAddress(crypto, 'gov'));
  it.each([
    [
      'an invalid recipient',
      pb.MsgCreateVestingAccountSchema,
      { ...vesting, toAddress: 'x' },
      "sdk 7: %invalid 'to' address: unknown address format: x: unknown address: invalid address",
    ],
    ['no coins', pb.MsgCreateVestingAccountSchema, { ...vesting, amount: [] }, 'sdk 10: %: invalid coins'],
    [
      'end time 0',
      pb.MsgCreateVestingAccountSchema,
      { ...vesting, endTime: 0n },
      'sdk 18: %invalid end time: invalid request',
    ],
    ['amount 0', pb.MsgCreateVestingAccountSchema, { ...vesting, amount: coins(0n) }, 'sdk 10: %0achr: invalid coins'],
    [
      'a negative amount',
      pb.MsgCreateVestingAccountSchema,
      { ...vesting, amount: [{ denom: 'achr', amount: '-1' }] },
      'sdk 10: %-1achr: invalid coins',
    ],
    [
      'a module account as recipient',
      pb.MsgCreateVestingAccountSchema,
      { ...vesting, toAddress: gov },
      `sdk 4: %${gov} is not allowed to receive funds: unauthorized`,
    ],
    [
      'an existing account as recipient',
      pb.MsgCreateVestingAccountSchema,
      { ...vesting, toAddress: account(1).address },
      `sdk 18: %account ${account(1).address} already exists: invalid request`,
    ],
    [
      'an existing account to lock permanently',
      pb.MsgCreatePermanentLockedAccountSchema,
      { ...vesting, toAddress: account(1).address },
      `sdk 18: %account ${account(1).address} already exists: invalid request`,
    ],
    [
      'more locked coins than the sender has',
      pb.MsgCreatePermanentLockedAccountSchema,
      { ...vesting, amount: coins(2n ** 200n) },
      'sdk 5: %spendable balance 9999999400000000000000achr is smaller than 1606938044258990275541962092341162602522202993782792835301376achr: insufficient funds',
    ],
    [
      'start time 0',
      pb.MsgCreatePeriodicVestingAccountSchema,
      { ...periodic, startTime: 0n },
      'sdk 18: %invalid start time of 0, length must be greater than 0: invalid request',
    ],
    [
      'a period of length 0',
      pb.MsgCreatePeriodicVestingAccountSchema,
      { ...periodic, vestingPeriods: [{ length: 0n, amount: coins(1n) }] },
      'sdk 18: %invalid period length of 0 in period 0, length must be greater than 0: invalid request',
    ],
    [
      'no periods',
      pb.MsgCreatePeriodicVestingAccountSchema,
      { ...periodic, vestingPeriods: [] },
      'sdk 18: %vesting start-time cannot be before end-time: invalid request',
    ],
    [
      'periods that overflow the end time',
      pb.MsgCreatePeriodicVestingAccountSchema,
      { ...periodic, vestingPeriods: [{ length: 2n ** 63n - 1n, amount: coins(1n) }] },
      'sdk 18: %vesting start-time cannot be before end-time: invalid request',
    ],
  ])('is refused with the error of the SDK: %s', (_, schema: DescMessage, message, expected) => {
    const dev = new DevChain();
    expect(refusal(dev.block(signed(0, 0n, schema, message)))).toBe(
      expected.replace('%', 'failed to execute message; message index: 0: '),
    );
  });
});

it('invalid times are refused after the account has its number, which costs gas', () => {
  const gasOf = (change: object): bigint => {
    const message = { ...periodic, ...change };
    return only(new DevChain().block(signed(0, 0n, pb.MsgCreatePeriodicVestingAccountSchema, message))).gasUsed;
  };
  // a write has a flat price of 2000
  expect(gasOf({ vestingPeriods: [] }) - gasOf({ toAddress: account(1).address })).toBeGreaterThan(2000n);
});

it('delegations count as vesting coins first, and undelegations as free coins first', () => {
  const dev = founded(pb.MsgCreateVestingAccountSchema, { ...parties, amount: coins(4n * CHR), endTime: 1_040n });
  dev.now = at(10n);
  const version = { ...chronicle, moduleAccounts: { ...chronicle.moduleAccounts, pool: ['staking'] } };
  const contexts = new Contexts({ version, chain, crypto, router: new MessageRouter(version) });
  const context = contexts.of(dev.at(), new CacheStore(dev.state), 'block');
  const address = parseAddress('chron', account(NEW).address) ?? new Uint8Array();
  const delegated = () => {
    const stored = getAccount(context, address);
    if (stored?.kind !== 'vesting') throw new Error('no vesting account');
    return [stored.delegatedVesting, stored.delegatedFree].map((list) => Number(list[0]?.amount ?? 0) / Number(CHR));
  };
  delegateCoins(context, address, 'pool', coins(2n * CHR));
  expect(delegated()).toEqual([2, 0]);
  delegateCoins(context, address, 'pool', coins(2n * CHR));
  expect(delegated()).toEqual([3, 1]);
  undelegateCoins(context, 'pool', address, coins(2n * CHR));
  expect(delegated()).toEqual([2, 0]);
  expect(() => delegateCoins(context, address, 'pool', coins(3n * CHR))).toThrow(
    'failed to delegate; 2000000000000000000achr is smaller than 3000000000000000000achr: insufficient funds',
  );
});

it('a genesis exports and imports vesting accounts unchanged', () => {
  const dev = founded(pb.MsgCreatePeriodicVestingAccountSchema, periodic);
  const exported = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
  const again = new DevChain({}, 4, true, JSON.parse(JSON.stringify(exported)));
  again.now = at(20n);
  expect(spendable(again)).toBe(3n * CHR);
});
