/**
 * Clawback vesting accounts, whose funder may take back unvested coins (evmos v3.0.0
 * `x/vesting/keeper/msg_server.go`).
 */
import { fromTimestamp, goTime } from '../../comet/time.js';
import { equal } from '../../bytes/bytes.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import { NS_PER_SECOND, toTimeNs, type TimeNs } from '../../primitives.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { Period } from '../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import * as pb from '../../proto/evmos/vesting/v1/tx_pb.js';
import { parseAddress, requireAddress } from '../../sdk/codec/address.js';
import { coin, formatCoins, isAllGte, sumCoins } from '../../sdk/coins/coins.js';
import { requirePositiveCoins } from '../../sdk/coins/require-coins.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { getAccount, newBaseAccount, setAccount } from '../auth/accounts.js';
import type { Schedule, VestingAccount } from '../auth/vesting/account.js';
import { stepAmount, unixSeconds, unvestedAmount, vestingAmount } from '../auth/vesting/schedule.js';
import { requireReceiver, requireSendEnabled } from '../bank/send-rules.js';
import { sendCoins } from '../bank/transfer.js';
import { cappedPeriods, endOf, mergedPeriods, passedPeriods, totalOf } from './periods.js';
import { max } from '../../bigint.js';

export interface ClawbackAccount extends VestingAccount {
  readonly schedule: Extract<Schedule, { readonly kind: 'clawback' }>;
}

const MOST_SECONDS = 253_402_300_799n;

/** Clawback account of an address; undefined when it is none. */
export function clawbackAccountOf(context: Context, address: Uint8Array): ClawbackAccount | undefined {
  const account = getAccount(context, address);
  if (account?.kind !== 'vesting' || account.schedule.kind !== 'clawback') return undefined;
  return { ...account, schedule: account.schedule };
}

/** Coins of an account's denoms, each with the given amount. */
export function coinsBy(account: VestingAccount, amount: (denom: string) => bigint): readonly Coin[] {
  return sumCoins(account.originalVesting.map(({ denom }) => coin(denom, amount(denom))));
}

function requirePeriods(periods: readonly Period[]): void {
  if (periods.length > CHAIN_LIMITS.clawbackPeriods)
    throw invalidRequest(`more than ${CHAIN_LIMITS.clawbackPeriods} periods`);
  periods.forEach(({ length, amount }, index) => {
    if (length < 1n)
      throw invalidRequest(`invalid period length of ${length} in period ${index}, length must be greater than 0`);
    requirePositiveCoins(amount);
  });
}

interface Grant {
  readonly startTime: TimeNs;
  readonly lockup: readonly Period[];
  readonly vesting: readonly Period[];
  readonly coins: readonly Coin[];
}

/** Grant of a message; an absent schedule has all coins at the start. */
function grantOf({ startTime, lockupPeriods, vestingPeriods }: pb.MsgCreateClawbackVestingAccount): Grant {
  requirePeriods(lockupPeriods);
  requirePeriods(vestingPeriods);
  const [locked, vested] = [totalOf(lockupPeriods), totalOf(vestingPeriods)];
  if (locked.length === 0 && vested.length === 0) throw invalidRequest('vesting and lockup schedules are empty');
  const atOnce = (amount: Coin[]): Period[] => [{ $typeName: 'cosmos.vesting.v1beta1.Period', length: 0n, amount }];
  const lockup = locked.length === 0 ? atOnce(vested) : lockupPeriods;
  const vesting = vested.length === 0 ? atOnce(locked) : vestingPeriods;
  const coins = totalOf(vesting);
  if (!isAllGte(coins, totalOf(lockup)) || !isAllGte(totalOf(lockup), coins))
    throw invalidRequest('vesting and lockup schedules must have same total coins');
  return { startTime: fromTimestamp(startTime), lockup, vesting, coins };
}

/** Start and end of a schedule; throws when the end is after year 9999. */
function timed(schedule: ClawbackAccount['schedule']): Pick<ClawbackAccount, 'schedule' | 'end'> {
  const start = unixSeconds(schedule.startTime);
  const end = max(endOf(start, schedule.lockup), endOf(start, schedule.vesting));
  if (end > MOST_SECONDS) throw invalidRequest('schedule ends after the year 9999');
  for (const { length } of [schedule.lockup, schedule.vesting])
    if (length > CHAIN_LIMITS.clawbackPeriods)
      throw invalidRequest(`more than ${CHAIN_LIMITS.clawbackPeriods} periods`);
  return { schedule, end };
}

/** Account with another grant; delegated coins count as unvested first. */
function withGrant(account: ClawbackAccount, grant: Grant, time: TimeNs): ClawbackAccount {
  const { startTime, funder, lockup, vesting } = account.schedule;
  const [start, begin] = [unixSeconds(startTime), unixSeconds(grant.startTime)];
  const merged: ClawbackAccount = {
    ...account,
    originalVesting: sumCoins([...account.originalVesting, ...grant.coins]),
    ...timed({
      kind: 'clawback',
      funder,
      startTime: toTimeNs((start < begin ? start : begin) * NS_PER_SECOND),
      lockup: mergedPeriods([start, lockup], [begin, grant.lockup]),
      vesting: mergedPeriods([start, vesting], [begin, grant.vesting]),
    }),
  };
  const delegated = sumCoins([...account.delegatedVesting, ...account.delegatedFree]);
  const delegatedVesting = sumCoins(
    delegated.map(({ denom, amount }) => {
      const maximum = vestingAmount(merged, denom, time);
      return coin(denom, BigInt(amount) < maximum ? BigInt(amount) : maximum);
    }),
  );
  const free = delegatedVesting.map(({ denom, amount }) => coin(denom, -BigInt(amount)));
  return { ...merged, delegatedVesting, delegatedFree: sumCoins([...delegated, ...free]) };
}

const create = message(pb.Msg, 'createClawbackVestingAccount', (context, request) => {
  const prefix = context.chain.bech32Prefix;
  const { fromAddress, toAddress, merge } = request;
  const from = requireAddress(prefix, fromAddress, 'invalid from address');
  const to = requireAddress(prefix, toAddress, 'invalid to address');
  const grant = grantOf(request);
  requireSendEnabled(context, grant.coins);
  requireReceiver(context, to, toAddress);
  const existing = getAccount(context, to);
  const account = clawbackAccountOf(context, to);
  if (existing !== undefined && account === undefined) {
    if (!merge) throw invalidRequest(`account ${toAddress} already exists`);
    throw new SdkError(sdkErrors.notSupported, `account ${toAddress} must be a clawback vesting account`);
  }
  if (account === undefined) {
    const { startTime, lockup, vesting, coins } = grant;
    const times = timed({ kind: 'clawback', funder: fromAddress, startTime, lockup, vesting });
    const base = newBaseAccount(context, to);
    setAccount(context, to, {
      kind: 'vesting',
      base,
      originalVesting: coins,
      delegatedFree: [],
      delegatedVesting: [],
      ...times,
    });
  } else {
    if (!merge) throw invalidRequest(`account ${toAddress} already exists; consider using --merge`);
    if (!isFunder(context, account, from))
      throw invalidRequest(`account ${toAddress} can only accept grants from account ${account.schedule.funder}`);
    setAccount(context, to, withGrant(account, grant, context.time));
  }
  sendCoins(context, from, to, grant.coins);
  emit(context, 'create_clawback_vesting_account', () => [
    ['sender', fromAddress],
    ['coins', formatCoins(grant.coins)],
    ['start_time', goTime(grant.startTime)],
    ['merge', String(merge)],
    ['account', toAddress],
  ]);
});

function isFunder({ chain }: Context, { schedule }: ClawbackAccount, address: Uint8Array): boolean {
  const funder = parseAddress(chain.bech32Prefix, schedule.funder);
  return funder !== undefined && equal(funder, address);
}

/** Account after a clawback, without its unvested periods, and the coins taken back. */
export function clawedBack(
  account: ClawbackAccount,
  time: TimeNs,
): { readonly account: ClawbackAccount; readonly taken: readonly Coin[] } {
  const { schedule } = account;
  const start = unixSeconds(schedule.startTime);
  const now = unixSeconds(time);
  const vested = coinsBy(account, (denom) => stepAmount(account, schedule.vesting, denom, time));
  const taken = coinsBy(account, (denom) => unvestedAmount(account, denom, time));
  const vesting = now <= start ? [] : passedPeriods(start, schedule.vesting, now);
  const lockup = cappedPeriods(start, schedule.lockup, vested);
  const end = max(endOf(start, vesting), endOf(start, lockup));
  return { account: { ...account, originalVesting: vested, end, schedule: { ...schedule, lockup, vesting } }, taken };
}

const clawback = message(pb.Msg, 'clawback', (context, { funderAddress, accountAddress, destAddress }) => {
  const prefix = context.chain.bech32Prefix;
  const funder = requireAddress(prefix, funderAddress, 'invalid funder address');
  const address = requireAddress(prefix, accountAddress, 'invalid addr address');
  const shown = destAddress === '' ? funderAddress : destAddress;
  const destination = requireAddress(prefix, shown, 'invalid dest address');
  requireReceiver(context, destination, shown);
  if (getAccount(context, address) === undefined)
    throw new SdkError(sdkErrors.notFound, `account ${accountAddress} does not exist`);
  const account = clawbackAccountOf(context, address);
  if (account === undefined) throw invalidRequest(`account not subject to clawback: ${accountAddress}`);
  if (!isFunder(context, account, funder))
    throw invalidRequest(`clawback can only be requested by original funder ${account.schedule.funder}`);
  if (context.time < account.schedule.startTime)
    throw invalidRequest(`clawback can only be executed after vesting begins: ${account.schedule.funder}`);
  const { account: after, taken } = clawedBack(account, context.time);
  if (taken.length > 0) {
    setAccount(context, address, after);
    sendCoins(context, address, destination, taken);
  }
  // evmos gives the event the other message's name; clients look for either.
  for (const type of ['clawback', 'create_clawback_vesting_account'])
    emit(context, type, () => [
      ['funder', funderAddress],
      ['account', accountAddress],
      ['destination', shown],
    ]);
});

export const clawbackMessages = [create, clawback];
