/**
 * `tx staking ...`: validators and delegations (cosmos-sdk v0.53 `x/staking/client/cli/tx.go`, `x/staking/autocli.go`).
 */
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Coin } from '../../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../../core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { decodeBech32, encodeAddress } from '../../../core/sdk/address.js';
import { parseDec } from '../../../core/sdk/dec.js';
import type { CommandBody } from '../command-table.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { nodePrefix } from '../names.js';
import { coinsOf, messageAny } from '../tx/parts.js';
import { sendMessages, signerOf } from '../tx/send.js';
import { coinsOfNode } from '../units.js';
import { wholeNumber } from '../whole-number.js';
import { validatorOfFile } from '../tx/validator-file.js';

/** Sends the message that `make` gives for the address of the signer. */
async function send(context: CommandContext, flags: Flags, make: (signer: string) => Any): Promise<void> {
  const signer = await signerOf(context, flags.needed('from'), await nodePrefix(context), flags);
  await sendMessages(context, signer, [make(signer.address)], flags);
}

/** The one coin of an argument. */
async function coinOf(context: CommandContext, text: string): Promise<Coin> {
  const [coin, ...more] = coinsOf(await coinsOfNode(context, text, 'amount'));
  if (coin === undefined || more.length > 0) throw new CommandError(EXIT.usage, `amount: ${text} is not one coin`);
  return coin;
}

/** Text of the operator's address for the address of its account. */
function operatorOf(account: string): string {
  const decoded = decodeBech32(account);
  if (decoded === undefined) throw new CommandError(EXIT.usage, `${account} is not an address`);
  return encodeAddress(`${decoded.prefix}valoper`, decoded.bytes);
}

export const delegate: CommandBody = async (context, [validatorAddress = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await send(context, flags, (delegatorAddress) =>
    messageAny(pb.MsgDelegateSchema, { delegatorAddress, validatorAddress, amount }),
  );
};

export const unbond: CommandBody = async (context, [validatorAddress = '', text = ''], flags) => {
  const amount = await coinOf(context, text);
  await send(context, flags, (delegatorAddress) =>
    messageAny(pb.MsgUndelegateSchema, { delegatorAddress, validatorAddress, amount }),
  );
};

export const redelegate: CommandBody = async (
  context,
  [validatorSrcAddress, validatorDstAddress, text = ''],
  flags,
) => {
  const amount = await coinOf(context, text);
  await send(context, flags, (delegatorAddress) =>
    messageAny(pb.MsgBeginRedelegateSchema, {
      delegatorAddress,
      validatorSrcAddress: validatorSrcAddress ?? '',
      validatorDstAddress: validatorDstAddress ?? '',
      amount,
    }),
  );
};

export const cancelUnbond: CommandBody = async (context, [validatorAddress = '', text = '', height = ''], flags) => {
  const amount = await coinOf(context, text);
  const creationHeight = wholeNumber(height, 'creation-height');
  await send(context, flags, (delegatorAddress) =>
    messageAny(pb.MsgCancelUnbondingDelegationSchema, {
      delegatorAddress,
      validatorAddress,
      amount,
      creationHeight,
    }),
  );
};

export const createValidator: CommandBody = async (context, [file = ''], flags) => {
  const { amount, ...validator } = await validatorOfFile(context, file);
  const value = await coinOf(context, amount);
  await send(context, flags, (signer) =>
    messageAny(pb.MsgCreateValidatorSchema, { ...validator, validatorAddress: operatorOf(signer), value }),
  );
};

export const editValidator: CommandBody = async (context, _, flags) => {
  const rate = flags.text('commission-rate');
  const commissionRate = rate === undefined ? '' : parseDec(rate)?.toString();
  if (commissionRate === undefined) throw new CommandError(EXIT.usage, `--commission-rate: ${rate} is not a decimal`);
  await send(context, flags, (signer) =>
    messageAny(pb.MsgEditValidatorSchema, {
      validatorAddress: operatorOf(signer),
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
