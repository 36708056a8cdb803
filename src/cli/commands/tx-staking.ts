/**
 * `tx staking ...`: validators and delegations (cosmos-sdk v0.53 `x/staking/client/cli/tx.go`, `x/staking/autocli.go`).
 */
import type { Coin } from '../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { parseDec } from '../../core/sdk/coins/dec.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { signed } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { operatorOf } from '../values/names.js';
import { sendOwn } from '../tx/send-as.js';
import { coinsOf } from '../tx/draft.js';
import { someCoinsOfNode } from '../values/units.js';
import { wholeNumber } from '../values/whole-number.js';
import { validatorOfFile } from '../tx/validator-file.js';

/** Parses an argument as one coin. */
async function coinOf(context: CommandContext, text: string): Promise<Coin> {
  const [coin, ...more] = coinsOf(await someCoinsOfNode(context, text, 'amount'));
  if (coin === undefined || more.length > 0) throw new CommandError(EXIT.usage, `amount: ${text} is not one coin`);
  return coin;
}

const delegate: CommandBody = async (context, [validator = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await sendOwn(context, flags, pb.MsgDelegateSchema, async (delegatorAddress, prefix) => ({
    delegatorAddress,
    validatorAddress: await operatorOf(context, validator, prefix),
    amount,
  }));
};

const unbond: CommandBody = async (context, [validator = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await sendOwn(context, flags, pb.MsgUndelegateSchema, async (delegatorAddress, prefix) => ({
    delegatorAddress,
    validatorAddress: await operatorOf(context, validator, prefix),
    amount,
  }));
};

const redelegate: CommandBody = async (context, [source = '', destination = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await sendOwn(context, flags, pb.MsgBeginRedelegateSchema, async (delegatorAddress, prefix) => ({
    delegatorAddress,
    validatorSrcAddress: await operatorOf(context, source, prefix),
    validatorDstAddress: await operatorOf(context, destination, prefix),
    amount,
  }));
};

const cancelUnbond: CommandBody = async (context, [validator = '', text = '', height = ''], flags) => {
  const amount = await coinOf(context, text);
  const creationHeight = wholeNumber(height, 'creation-height');
  await sendOwn(context, flags, pb.MsgCancelUnbondingDelegationSchema, async (delegatorAddress, prefix) => ({
    delegatorAddress,
    validatorAddress: await operatorOf(context, validator, prefix),
    amount,
    creationHeight,
  }));
};

const createValidator: CommandBody = async (context, [file = ''], flags) => {
  const { amount, ...validator } = await validatorOfFile(context, file);
  const value = await coinOf(context, amount);
  await sendOwn(context, flags, pb.MsgCreateValidatorSchema, async (signer, prefix) => ({
    ...validator,
    validatorAddress: await operatorOf(context, signer, prefix),
    value,
  }));
};

const editValidator: CommandBody = async (context, _, flags) => {
  const rate = flags.text('commission-rate');
  const commissionRate = rate === undefined ? '' : parseDec(rate)?.toString();
  if (commissionRate === undefined) throw new CommandError(EXIT.usage, `--commission-rate: ${rate} is not a decimal`);
  await sendOwn(context, flags, pb.MsgEditValidatorSchema, async (signer, prefix) => ({
    validatorAddress: await operatorOf(context, signer, prefix),
    description: {
      moniker: flags.text('new-moniker') ?? '',
      identity: flags.text('identity') ?? '',
      website: flags.text('website') ?? '',
      securityContact: flags.text('security-contact') ?? '',
      details: flags.text('details') ?? '',
    },
    commissionRate,
    minSelfDelegation: flags.whole('min-self-delegation')?.toString() ?? '',
  }));
};

export const commands: readonly CommandRow[] = [
  signed('staking cancel-unbond <validator> <amount> <creation-height>', 'delegate again what unbonds', cancelUnbond),
  signed('staking create-validator <file>', 'create a validator that a file of JSON describes', createValidator),
  signed('staking delegate <validator> <amount>', 'delegate coins to a validator', delegate),
  signed('staking edit-validator', 'change the validator of an account', editValidator, {
    options: [
      { flag: '--new-moniker <text>', doc: "the validator's name", default: '[do-not-modify]' },
      { flag: '--identity <text>', doc: 'signature of an identity', default: '[do-not-modify]' },
      { flag: '--website <text>', doc: 'website', default: '[do-not-modify]' },
      { flag: '--security-contact <text>', doc: 'email for security', default: '[do-not-modify]' },
      { flag: '--details <text>', doc: 'details', default: '[do-not-modify]' },
      { flag: '--commission-rate <rate>', doc: 'new commission, for example 0.1' },
      { flag: '--min-self-delegation <amount>', doc: 'least delegation of the operator, in the base denom' },
    ],
  }),
  signed('staking redelegate <source> <destination> <amount>', 'move a delegation to another validator', redelegate),
  signed('staking unbond <validator> <amount>', 'take coins back from a validator', unbond),
];
