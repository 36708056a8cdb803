/**
 * `tx staking ...`: validators and delegations (cosmos-sdk v0.53 `x/staking/client/cli/tx.go`, `x/staking/autocli.go`).
 */
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Coin } from '../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { parseDec } from '../../core/sdk/coins/dec.js';
import type { CommandBody, CommandRow } from '../command-table.js';
import { signed } from '../command-rows.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { nodePrefix, operatorOf } from '../names.js';
import { coinsOf, messageAny } from '../tx/parts.js';
import { sendMessages, signerOf } from '../tx/send.js';
import { someCoinsOfNode } from '../units.js';
import { wholeNumber } from '../whole-number.js';
import { validatorOfFile } from '../tx/validator-file.js';

/** Sends the message that `make` gives for the address of the signer and the prefix of the chain. */
async function send(
  context: CommandContext,
  flags: Flags,
  make: (signer: string, operator: (text: string) => Promise<string>) => Promise<Any>,
): Promise<void> {
  const prefix = await nodePrefix(context);
  const signer = await signerOf(context, flags.needed('from'), prefix, flags);
  const message = await make(signer.address, (text) => operatorOf(context, text, prefix));
  await sendMessages(context, signer, [message], flags);
}

/** The one coin of an argument. */
async function coinOf(context: CommandContext, text: string): Promise<Coin> {
  const [coin, ...more] = coinsOf(await someCoinsOfNode(context, text, 'amount'));
  if (coin === undefined || more.length > 0) throw new CommandError(EXIT.usage, `amount: ${text} is not one coin`);
  return coin;
}

const delegate: CommandBody = async (context, [validator = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await send(context, flags, async (delegatorAddress, operator) =>
    messageAny(pb.MsgDelegateSchema, { delegatorAddress, validatorAddress: await operator(validator), amount }),
  );
};

const unbond: CommandBody = async (context, [validator = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await send(context, flags, async (delegatorAddress, operator) =>
    messageAny(pb.MsgUndelegateSchema, { delegatorAddress, validatorAddress: await operator(validator), amount }),
  );
};

const redelegate: CommandBody = async (context, [source = '', destination = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await send(context, flags, async (delegatorAddress, operator) =>
    messageAny(pb.MsgBeginRedelegateSchema, {
      delegatorAddress,
      validatorSrcAddress: await operator(source),
      validatorDstAddress: await operator(destination),
      amount,
    }),
  );
};

const cancelUnbond: CommandBody = async (context, [validator = '', text = '', height = ''], flags) => {
  const amount = await coinOf(context, text);
  const creationHeight = wholeNumber(height, 'creation-height');
  await send(context, flags, async (delegatorAddress, operator) =>
    messageAny(pb.MsgCancelUnbondingDelegationSchema, {
      delegatorAddress,
      validatorAddress: await operator(validator),
      amount,
      creationHeight,
    }),
  );
};

const createValidator: CommandBody = async (context, [file = ''], flags) => {
  const { amount, ...validator } = await validatorOfFile(context, file);
  const value = await coinOf(context, amount);
  await send(context, flags, async (signer, operator) =>
    messageAny(pb.MsgCreateValidatorSchema, { ...validator, validatorAddress: await operator(signer), value }),
  );
};

const editValidator: CommandBody = async (context, _, flags) => {
  const rate = flags.text('commission-rate');
  const commissionRate = rate === undefined ? '' : parseDec(rate)?.toString();
  if (commissionRate === undefined) throw new CommandError(EXIT.usage, `--commission-rate: ${rate} is not a decimal`);
  await send(context, flags, async (signer, operator) =>
    messageAny(pb.MsgEditValidatorSchema, {
      validatorAddress: await operator(signer),
      description: {
        moniker: flags.text('new-moniker') ?? '',
        identity: flags.text('identity') ?? '',
        website: flags.text('website') ?? '',
        securityContact: flags.text('security-contact') ?? '',
        details: flags.text('details') ?? '',
      },
      commissionRate,
      minSelfDelegation: flags.whole('min-self-delegation')?.toString() ?? '',
    }),
  );
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
