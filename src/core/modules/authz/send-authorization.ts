/**
 * Authorization to send up to a limit, optionally to listed receivers (cosmos-sdk v0.53
 * `x/bank/types/send_authorization.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { SendAuthorizationSchema, type SendAuthorization } from '../../proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgSendSchema } from '../../proto/cosmos/bank/v1beta1/tx_pb.js';
import { decodeMessage, packAny, typeNameOf } from '../../sdk/codec/any.js';
import { safeSubtractCoins } from '../../sdk/coins/coin-sets.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Accepted, Authorization } from './authorization.js';
import { errors as bank } from '../bank/errors.js';

/** Gas per comparison with a listed receiver. */
const GAS_PER_RECEIVER = 10n;

/** Allows `MsgSend` and subtracts each amount from the limit; the grant is deleted when nothing is left. */
export function sendAuthorization(authorization: SendAuthorization): Authorization {
  return {
    any: packAny(SendAuthorizationSchema, authorization),
    msgTypeUrl: `/${MsgSendSchema.typeName}`,
    validate: () => validate(authorization),
    accept: (context, message) => accept(authorization, context, message),
  };
}

function validate({ spendLimit, allowList }: SendAuthorization): void {
  if (spendLimit.length === 0) throw new SdkError(sdkErrors.invalidCoins, 'spend limit cannot be nil');
  const fault = spendLimit.find(({ amount }) => amount === '' || BigInt(amount) <= 0n);
  if (fault !== undefined) throw new SdkError(sdkErrors.invalidCoins, 'spend limit must be positive');
  if (new Set(allowList).size !== allowList.length) throw new SdkError(bank.duplicateEntry);
}

function accept({ spendLimit, allowList }: SendAuthorization, context: Context, message: Any): Accepted {
  if (typeNameOf(message) !== MsgSendSchema.typeName) throw new SdkError(sdkErrors.invalidType, 'type mismatch');
  const { amount, toAddress } = decodeMessage(MsgSendSchema, message.value);
  const left = safeSubtractCoins(spendLimit, amount);
  if (left === undefined) throw new SdkError(sdkErrors.insufficientFunds, 'requested amount is more than spend limit');
  const isAllowed = allowList.some((receiver) => {
    context.gas.consume(GAS_PER_RECEIVER, 'send authorization');
    return receiver === toAddress;
  });
  if (allowList.length > 0 && !isAllowed)
    throw new SdkError(sdkErrors.unauthorized, `cannot send to ${toAddress} address`);
  if (left.length === 0) return { kind: 'used up' };
  return {
    kind: 'changed',
    to: packAny(SendAuthorizationSchema, create(SendAuthorizationSchema, { spendLimit: [...left], allowList })),
  };
}
