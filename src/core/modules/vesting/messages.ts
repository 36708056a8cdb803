/** Messages that create vesting accounts (cosmos-sdk v0.53 `x/auth/vesting/msg_server.go`). */
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../proto/cosmos/vesting/v1beta1/tx_pb.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { sumCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { requirePositiveCoins } from '../../sdk/coins/require-coins.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';
import { getAccount, newBaseAccount, setAccount } from '../auth/accounts.js';
import type { Schedule } from '../auth/vesting/account.js';
import { requireReceiver, requireSendEnabled } from '../bank/send-rules.js';
import { sendCoins } from '../bank/transfer.js';
import { unixSeconds } from '../auth/vesting/schedule.js';

interface Parties {
  readonly fromAddress: string;
  readonly toAddress: string;
}

function addressesOf(context: Context, { fromAddress, toAddress }: Parties): { from: Uint8Array; to: Uint8Array } {
  const prefix = context.chain.bech32Prefix;
  return {
    from: requireAddress(prefix, fromAddress, "invalid 'from' address"),
    to: requireAddress(prefix, toAddress, "invalid 'to' address"),
  };
}

function requireNew(context: Context, to: Uint8Array, name: string): void {
  if (getAccount(context, to) !== undefined) throw invalidRequest(`account ${name} already exists`);
}

/** Creates the account and moves its coins to it. */
function found(
  context: Context,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
  account: { readonly schedule: Schedule; readonly end: bigint; readonly originalVesting: readonly Coin[] },
): void {
  const base = newBaseAccount(context, to);
  const { schedule, end } = account;
  // The SDK checks the times after it assigned the account number.
  if (schedule.kind === 'periodic' && schedule.start >= end)
    throw invalidRequest('vesting start-time cannot be before end-time');
  setAccount(context, to, { kind: 'vesting', base, delegatedFree: [], delegatedVesting: [], ...account });
  sendCoins(context, from, to, account.originalVesting);
}

const createVesting = message(pb.Msg, 'createVestingAccount', (context, request) => {
  const parties = addressesOf(context, request);
  requirePositiveCoins(request.amount);
  if (request.endTime <= 0n) throw invalidRequest('invalid end time');
  requireSendEnabled(context, request.amount);
  requireReceiver(context, parties.to, request.toAddress);
  requireNew(context, parties.to, request.toAddress);
  found(context, parties, {
    schedule: request.delayed ? { kind: 'delayed' } : { kind: 'continuous', start: unixSeconds(context.time) },
    end: request.endTime,
    originalVesting: request.amount,
  });
});

const createPermanent = message(pb.Msg, 'createPermanentLockedAccount', (context, request) => {
  const parties = addressesOf(context, request);
  requirePositiveCoins(request.amount);
  requireSendEnabled(context, request.amount);
  requireReceiver(context, parties.to, request.toAddress);
  requireNew(context, parties.to, request.toAddress);
  found(context, parties, { schedule: { kind: 'permanent' }, end: 0n, originalVesting: request.amount });
});

const createPeriodic = message(pb.Msg, 'createPeriodicVestingAccount', (context, request) => {
  const parties = addressesOf(context, request);
  const { startTime: start, vestingPeriods: periods } = request;
  if (start < 1n) throw invalidRequest(`invalid start time of ${start}, length must be greater than 0`);
  periods.forEach(({ length, amount }, index) => {
    if (length < 1n)
      throw invalidRequest(`invalid period length of ${length} in period ${index}, length must be greater than 0`);
    requirePositiveCoins(amount);
  });
  const originalVesting = sumCoins(periods.flatMap(({ amount }) => amount));
  requireReceiver(context, parties.to, request.toAddress);
  requireNew(context, parties.to, request.toAddress);
  requireSendEnabled(context, originalVesting);
  // Go's int64, which is less than the start after an overflow.
  const end = BigInt.asIntN(
    64,
    periods.reduce((sum, { length }) => sum + length, start),
  );
  found(context, parties, { schedule: { kind: 'periodic', start, periods }, end, originalVesting });
});

export const messages = [createVesting, createPermanent, createPeriodic];
