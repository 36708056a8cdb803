import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { CoinSchema } from '../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { type CoinAmount, feeOf, type GasPrice } from '../values/coins.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { coinsOfNode, gasPriceOfNode } from '../values/units.js';
import { defaultGasPrice } from './default-price.js';
import type { Timeout } from './timeout.js';

/** A message of a transaction under the SDK's type URL. */
export function messageAny<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, value)) });
}

/** Converts coins to message form: amounts as decimal strings. */
export function coinsOf(coins: readonly CoinAmount[]) {
  return coins.map(({ denom, amount }) => create(CoinSchema, { denom, amount: amount.toString() }));
}

/** The fee of a transaction: the coins of `--fees`, or its gas at the price of `--gas-prices`. */
export type ChosenFee =
  | { readonly kind: 'coins'; readonly coins: readonly CoinAmount[] }
  | { readonly kind: 'price'; readonly price: GasPrice };

/** Fee and timeout of a transaction; payer and granter are empty if the first signer pays. */
export interface Terms {
  readonly fee: ChosenFee;
  readonly timeout: Timeout;
  readonly payer: string;
  readonly granter: string;
}

/** Builds an unsigned transaction from messages, flags and a gas limit. */
export function draftOf(
  messages: readonly Any[],
  flags: Flags,
  { fee, timeout, payer, granter }: Terms,
  gasLimit: bigint,
): pb.Tx {
  return create(pb.TxSchema, {
    body: create(pb.TxBodySchema, {
      messages: [...messages],
      memo: flags.text('note') ?? '',
      timeoutHeight: flags.whole('timeout-height') ?? 0n,
      ...timeout,
    }),
    authInfo: create(pb.AuthInfoSchema, {
      fee: create(pb.FeeSchema, {
        amount: coinsOf(feeCoins(fee, gasLimit)),
        gasLimit,
        payer,
        granter,
      }),
    }),
  });
}

/** The fee of `--fees` or `--gas-prices`, else of the default gas price. Throws a usage error for both. */
export async function chosenFee(context: Pick<CommandContext, 'rpc'>, flags: Flags): Promise<ChosenFee> {
  const fees = flags.text('fees');
  const price = flags.text('gas-prices');
  if (fees === undefined)
    return {
      kind: 'price',
      price: await (price === undefined ? defaultGasPrice(context) : gasPriceOfNode(context, price)),
    };
  if (price !== undefined) throw new CommandError(EXIT.usage, 'cannot provide both fees and gas prices');
  return { kind: 'coins', coins: await coinsOfNode(context, fees, '--fees') };
}

function feeCoins(chosen: ChosenFee, gasLimit: bigint): readonly CoinAmount[] {
  if (chosen.kind === 'coins') return chosen.coins;
  const fee = feeOf(chosen.price, gasLimit);
  return fee.amount === 0n ? [] : [fee];
}
