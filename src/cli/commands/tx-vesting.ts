import { asObject } from '../../core/text/json-object.js';
import * as pb from '../../core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../command-table.js';
import { send } from '../command-rows.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { accountAddress } from '../names.js';
import { sendMessage, signerOfFrom } from '../tx/from.js';
import { coinsOf } from '../tx/parts.js';
import { readText } from '../tx/read.js';
import { parseJson } from '../tx-json.js';
import { coinsOfNode } from '../units.js';
import { wholeNumber } from '../whole-number.js';

/** `tx vesting create-vesting-account TO AMOUNT END`: the end is a Unix time. */
const createVesting: CommandBody = async (context, [to = '', typed = '', end = ''], flags) => {
  const amount = coinsOf(await coinsOfNode(context, typed, 'amount'));
  const signer = await signerOfFrom(context, flags);
  await sendMessage(context, signer, flags, pb.MsgCreateVestingAccountSchema, {
    fromAddress: signer.address,
    toAddress: await accountAddress(context, to),
    amount,
    endTime: wholeNumber(end, 'end_time'),
    delayed: flags.is('delayed'),
  });
};

const createPermanent: CommandBody = async (context, [to = '', typed = ''], flags) => {
  const amount = coinsOf(await coinsOfNode(context, typed, 'amount'));
  const signer = await signerOfFrom(context, flags);
  const toAddress = await accountAddress(context, to);
  await sendMessage(context, signer, flags, pb.MsgCreatePermanentLockedAccountSchema, {
    fromAddress: signer.address,
    toAddress,
    amount,
  });
};

/** `tx vesting create-periodic-vesting-account TO FILE`: the file holds `start_time` and `periods`. */
const createPeriodic: CommandBody = async (context, [to = '', file = ''], flags) => {
  const document = asObject(parseJson(await readText(context, file), file));
  const periods = document?.['periods'];
  if (!Array.isArray(periods)) throw new CommandError(EXIT.usage, `${file}: periods is not a list`);
  const vestingPeriods: { length: bigint; amount: ReturnType<typeof coinsOf> }[] = [];
  for (const period of periods) {
    const fields = asObject(period);
    vestingPeriods.push({
      length: numberOf(fields?.['length_seconds'], `${file}: length_seconds`),
      amount: coinsOf(await coinsOfNode(context, textOf(fields?.['coins']), `${file}: coins`)),
    });
  }
  const signer = await signerOfFrom(context, flags);
  await sendMessage(context, signer, flags, pb.MsgCreatePeriodicVestingAccountSchema, {
    fromAddress: signer.address,
    toAddress: await accountAddress(context, to),
    startTime: numberOf(document?.['start_time'], `${file}: start_time`),
    vestingPeriods,
  });
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
];
