import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { CoinSchema } from '../../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import {
  AuthInfoSchema,
  FeeSchema,
  type Tx,
  TxBodySchema,
  TxSchema,
} from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { type CoinAmount, feeOf, parseGasPrice } from '../coins.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { DEFAULT_GAS_PRICES } from '../option-sets.js';
import { coinsOfNode } from '../units.js';

/** A message of a transaction under the SDK's type URL. */
export function messageAny<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, value)) });
}

export function coinsOf(coins: readonly CoinAmount[]) {
  return coins.map(({ denom, amount }) => create(CoinSchema, { denom, amount: amount.toString() }));
}

/**
 * The unsigned transaction that the flags describe around its messages, with a gas limit. `fees` are the coins of
 * `--fees`; without them the fee is the gas at `--gas-prices`.
 */
export function draftOf(
  messages: readonly Any[],
  flags: Flags,
  fees: readonly CoinAmount[] | undefined,
  gasLimit: bigint,
): Tx {
  return create(TxSchema, {
    body: create(TxBodySchema, {
      messages: [...messages],
      memo: flags.text('note') ?? '',
      timeoutHeight: flags.whole('timeout-height') ?? 0n,
    }),
    authInfo: create(AuthInfoSchema, {
      fee: create(FeeSchema, {
        amount: coinsOf(fees ?? feeCoins(flags, gasLimit)),
        gasLimit,
        payer: flags.text('fee-payer') ?? '',
        granter: flags.text('fee-granter') ?? '',
      }),
    }),
  });
}

/** The coins of `--fees`; undefined without that flag. Giving `--gas-prices` too is a usage error. */
export async function feesOf(
  context: Pick<CommandContext, 'rpc'>,
  flags: Flags,
): Promise<readonly CoinAmount[] | undefined> {
  const fees = flags.text('fees');
  if (fees === undefined) return undefined;
  if (flags.text('gas-prices') !== undefined)
    throw new CommandError(EXIT.usage, 'cannot provide both fees and gas prices');
  return coinsOfNode(context, fees, '--fees');
}

function feeCoins(flags: Flags, gasLimit: bigint): readonly CoinAmount[] {
  const fee = feeOf(parseGasPrice(flags.text('gas-prices') ?? DEFAULT_GAS_PRICES), gasLimit);
  return fee.amount === 0n ? [] : [fee];
}
