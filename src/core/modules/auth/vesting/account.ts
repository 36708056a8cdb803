/**
 * Vesting accounts in their encodings of store `acc` (cosmos-sdk v0.53 `x/auth/vesting/types/vesting_account.go`).
 */
import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { BaseAccountSchema, type BaseAccount } from '../../../proto/cosmos/auth/v1beta1/auth_pb.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { fromTimestamp, toTimestamp } from '../../../comet/time.js';
import type { TimeNs } from '../../../primitives.js';
import { ClawbackVestingAccountSchema } from '../../../proto/evmos/vesting/v1/vesting_pb.js';
import * as pb from '../../../proto/cosmos/vesting/v1beta1/vesting_pb.js';

/** Vesting schedule of an account; times in Unix seconds. */
export type Schedule =
  /** Linear from `start` to the end. */
  | { readonly kind: 'continuous'; readonly start: bigint }
  /** Everything at the end. */
  | { readonly kind: 'delayed' }
  /** A part at the end of each period; the first period begins at `start`. */
  | { readonly kind: 'periodic'; readonly start: bigint; readonly periods: readonly pb.Period[] }
  /** Never. */
  | { readonly kind: 'permanent' }
  /**
   * Coins vest by one list of periods and unlock by another; the later date counts. `funder` may claw back unvested
   * coins (evmos v3.0.0 `x/vesting/types/clawback_vesting_account.go`).
   */
  | {
      readonly kind: 'clawback';
      readonly funder: string;
      readonly startTime: TimeNs;
      readonly lockup: readonly pb.Period[];
      readonly vesting: readonly pb.Period[];
    };

/** An account whose coins become spendable over time. */
export interface VestingAccount {
  readonly kind: 'vesting';
  readonly base: BaseAccount;
  readonly schedule: Schedule;
  readonly originalVesting: readonly Coin[];
  /** Delegated coins that were vested, and unvested, when they were delegated. */
  readonly delegatedFree: readonly Coin[];
  readonly delegatedVesting: readonly Coin[];
  /** End time in Unix seconds; 0 for permanently locked accounts. */
  readonly end: bigint;
}

/** Packs the account into an `Any` of its type. */
export function packVesting(account: VestingAccount): Any {
  const { base, schedule, originalVesting, delegatedFree, delegatedVesting, end } = account;
  const baseVestingAccount = {
    baseAccount: base,
    originalVesting: [...originalVesting],
    delegatedFree: [...delegatedFree],
    delegatedVesting: [...delegatedVesting],
    endTime: end,
  };
  switch (schedule.kind) {
    case 'continuous':
      return pack(pb.ContinuousVestingAccountSchema, { baseVestingAccount, startTime: schedule.start });
    case 'delayed':
      return pack(pb.DelayedVestingAccountSchema, { baseVestingAccount });
    case 'periodic':
      return pack(pb.PeriodicVestingAccountSchema, {
        baseVestingAccount,
        startTime: schedule.start,
        vestingPeriods: [...schedule.periods],
      });
    case 'permanent':
      return pack(pb.PermanentLockedAccountSchema, { baseVestingAccount });
    case 'clawback':
      return pack(ClawbackVestingAccountSchema, {
        baseVestingAccount,
        funderAddress: schedule.funder,
        startTime: toTimestamp(schedule.startTime),
        lockupPeriods: [...schedule.lockup],
        vestingPeriods: [...schedule.vesting],
      });
  }
}

function pack<Desc extends DescMessage>(schema: Desc, account: MessageInitShape<Desc>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, account)) });
}

/** Reads an account of a vesting type (type URL `/` and name); undefined for other types. */
export function unpackVesting(typeUrl: string, value: Uint8Array): VestingAccount | undefined {
  switch (typeUrl) {
    case `/${pb.ContinuousVestingAccountSchema.typeName}`: {
      const { baseVestingAccount, startTime } = fromBinary(pb.ContinuousVestingAccountSchema, value);
      return vesting(baseVestingAccount, { kind: 'continuous', start: startTime });
    }
    case `/${pb.DelayedVestingAccountSchema.typeName}`:
      return vesting(fromBinary(pb.DelayedVestingAccountSchema, value).baseVestingAccount, { kind: 'delayed' });
    case `/${pb.PeriodicVestingAccountSchema.typeName}`: {
      const { baseVestingAccount, startTime, vestingPeriods } = fromBinary(pb.PeriodicVestingAccountSchema, value);
      return vesting(baseVestingAccount, { kind: 'periodic', start: startTime, periods: vestingPeriods });
    }
    case `/${pb.PermanentLockedAccountSchema.typeName}`:
      return vesting(fromBinary(pb.PermanentLockedAccountSchema, value).baseVestingAccount, { kind: 'permanent' });
    case `/${ClawbackVestingAccountSchema.typeName}`: {
      const account = fromBinary(ClawbackVestingAccountSchema, value);
      return vesting(account.baseVestingAccount, {
        kind: 'clawback',
        funder: account.funderAddress,
        startTime: fromTimestamp(account.startTime),
        lockup: account.lockupPeriods,
        vesting: account.vestingPeriods,
      });
    }
    default:
      return undefined;
  }
}

function vesting(account: pb.BaseVestingAccount | undefined, schedule: Schedule): VestingAccount {
  return {
    kind: 'vesting',
    base: account?.baseAccount ?? create(BaseAccountSchema),
    schedule,
    originalVesting: account?.originalVesting ?? [],
    delegatedFree: account?.delegatedFree ?? [],
    delegatedVesting: account?.delegatedVesting ?? [],
    end: account?.endTime ?? 0n,
  };
}
