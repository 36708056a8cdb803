import { asObject } from '../../core/text/json-object.js';
import * as pb from '../../core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import * as evmos from '../../core/proto/evmos/vesting/v1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import type { CommandContext } from '../context.js';
import { send } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { accountAddress } from '../values/names.js';
import { sendOwn } from '../tx/send-as.js';
import { coinsOf } from '../tx/draft.js';
import { readText } from '../tx/read.js';
import { parseJson } from '../values/tx-json.js';
import { coinsOfNode } from '../values/units.js';
import { wholeNumber } from '../values/whole-number.js';

/** `tx vesting create-vesting-account TO AMOUNT END`: creates a vesting account; END is a Unix time in seconds. */
const createVesting: CommandBody = async (context, [to = '', typed = '', end = ''], flags) => {
  const amount = coinsOf(await coinsOfNode(context, typed, 'amount'));
  await sendOwn(context, flags, pb.MsgCreateVestingAccountSchema, async (signer) => ({
    fromAddress: signer,
    toAddress: await accountAddress(context, to),
    amount,
    endTime: wholeNumber(end, 'end_time'),
    delayed: flags.is('delayed'),
  }));
};

const createPermanent: CommandBody = async (context, [to = '', typed = ''], flags) => {
  const amount = coinsOf(await coinsOfNode(context, typed, 'amount'));
  await sendOwn(context, flags, pb.MsgCreatePermanentLockedAccountSchema, async (signer) => ({
    fromAddress: signer,
    toAddress: await accountAddress(context, to),
    amount,
  }));
};

interface Schedule {
  /** Unix time. */
  readonly start: bigint;
  readonly periods: { length: bigint; amount: ReturnType<typeof coinsOf> }[];
}

/** Reads a schedule file with `start_time` and `periods`. */
async function readSchedule(context: CommandContext, file: string): Promise<Schedule> {
  const document = asObject(parseJson(await readText(context, file), file));
  const listed = document?.['periods'];
  if (!Array.isArray(listed)) throw new CommandError(EXIT.usage, `${file}: periods is not a list`);
  const periods: Schedule['periods'] = [];
  for (const period of listed) {
    const fields = asObject(period);
    periods.push({
      length: numberOf(fields?.['length_seconds'], `${file}: length_seconds`),
      amount: coinsOf(await coinsOfNode(context, textOf(fields?.['coins']), `${file}: coins`)),
    });
  }
  return { start: numberOf(document?.['start_time'], `${file}: start_time`), periods };
}

/** `tx vesting create-periodic-vesting-account TO FILE`: creates an account that vests in the periods of FILE. */
const createPeriodic: CommandBody = async (context, [to = '', file = ''], flags) => {
  const { start: startTime, periods: vestingPeriods } = await readSchedule(context, file);
  await sendOwn(context, flags, pb.MsgCreatePeriodicVestingAccountSchema, async (signer) => ({
    fromAddress: signer,
    toAddress: await accountAddress(context, to),
    startTime,
    vestingPeriods,
  }));
};

/**
 * `tx vesting create-clawback-vesting-account TO`: reads lockup and vesting schedules from files; the first period of
 * the one that starts later is extended (evmos v3.0.0 `x/vesting/client/cli/tx.go`).
 */
const createClawback: CommandBody = async (context, [to = ''], flags) => {
  const given = (name: string) => flags.text(name);
  const [lockup, vesting] = await Promise.all(
    ['lockup', 'vesting'].map(async (name) => {
      const file = given(name);
      return file === undefined ? undefined : readSchedule(context, file);
    }),
  );
  const starts = [lockup, vesting].flatMap((schedule) => schedule?.start ?? []);
  const [first] = starts;
  if (first === undefined) throw new CommandError(EXIT.usage, 'must specify at least one of --lockup or --vesting');
  const start = starts.reduce((least, one) => (one < least ? one : least), first);
  const aligned = (schedule: Schedule | undefined) =>
    (schedule?.periods ?? []).map(({ length, amount }, index) => ({
      length: index === 0 ? length + (schedule?.start ?? start) - start : length,
      amount,
    }));
  await sendOwn(context, flags, evmos.MsgCreateClawbackVestingAccountSchema, async (signer) => ({
    fromAddress: signer,
    toAddress: await accountAddress(context, to),
    startTime: { seconds: start },
    lockupPeriods: aligned(lockup),
    vestingPeriods: aligned(vesting),
    merge: flags.is('merge'),
  }));
};

/** `tx vesting clawback ACCOUNT`: returns unvested coins to the funder, or sends them to `--dest`. */
const clawback: CommandBody = async (context, [account = ''], flags) => {
  const destination = flags.text('dest');
  await sendOwn(context, flags, evmos.MsgClawbackSchema, async (signer) => ({
    funderAddress: signer,
    accountAddress: await accountAddress(context, account),
    destAddress: destination === undefined ? '' : await accountAddress(context, destination),
  }));
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const numberOf = (value: unknown, what: string): bigint =>
  wholeNumber(typeof value === 'number' ? value.toString() : textOf(value), what);

export const commands: readonly CommandRow[] = [
  send('vesting create-vesting-account <to> <amount> <end-time>', 'coins that vest until a Unix time', createVesting, {
    options: [{ flag: '--delayed', doc: 'all coins at the end' }],
  }),
  send('vesting create-permanent-locked-account <to> <amount>', 'coins that are locked for ever', createPermanent),
  send('vesting create-periodic-vesting-account <to> <file>', 'coins that vest in periods', createPeriodic),
  send(
    'vesting create-clawback-vesting-account <to>',
    'coins that vest and unlock in periods, and that the funder may take back until then',
    createClawback,
    {
      options: [
        { flag: '--lockup <file>', doc: 'JSON file with the start and the periods of the lockup' },
        { flag: '--vesting <file>', doc: 'JSON file with the start and the periods of the vesting' },
        { flag: '--merge', doc: 'add to an account of the same funder' },
      ],
    },
  ),
  send('vesting clawback <account>', 'take back what has not vested', clawback, {
    options: [{ flag: '--dest <account>', doc: 'account that gets the coins; the funder by default' }],
  }),
];
