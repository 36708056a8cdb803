/**
 * Authorization to delegate, undelegate or redelegate up to a limit, with listed validators (cosmos-sdk v0.53
 * `x/staking/types/authz.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  AuthorizationType,
  StakeAuthorizationSchema,
  type StakeAuthorization,
} from '../../proto/cosmos/staking/v1beta1/authz_pb.js';
import {
  MsgBeginRedelegateSchema,
  MsgCancelUnbondingDelegationSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { decodeMessage, packAny, typeNameOf } from '../../sdk/codec/any.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { invalidRequest, plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Accepted, Authorization } from './authorization.js';
import { errors } from './errors.js';

/** Gas per comparison with a listed validator. */
const GAS_PER_VALIDATOR = 10n;

/** Allows one staking message type for listed validators, up to an optional limit. */
export function stakeAuthorization(authorization: StakeAuthorization): Authorization {
  return {
    any: packAny(StakeAuthorizationSchema, authorization),
    get msgTypeUrl() {
      return `/${messageOf(authorization.authorizationType)}`;
    },
    validate: () => validate(authorization),
    accept: (context, message) => accept(authorization, context, message),
  };
}

function messageOf(type: AuthorizationType): string {
  switch (type) {
    case AuthorizationType.DELEGATE:
      return MsgDelegateSchema.typeName;
    case AuthorizationType.UNDELEGATE:
      return MsgUndelegateSchema.typeName;
    case AuthorizationType.REDELEGATE:
      return MsgBeginRedelegateSchema.typeName;
    case AuthorizationType.CANCEL_UNBONDING_DELEGATION:
      return MsgCancelUnbondingDelegationSchema.typeName;
    case AuthorizationType.UNSPECIFIED:
      break;
  }
  // Also for a number that the enum does not contain.
  throw new SdkError(errors.unknownType, 'cannot normalize authz type with types.AuthorizationType');
}

function validate({ maxTokens, authorizationType }: StakeAuthorization): void {
  if (maxTokens !== undefined && !/^\d+$/.test(maxTokens.amount))
    throw new SdkError(errors.negativeMaxTokens, `negative coin amount: ${formatCoins([maxTokens])}`);
  if (authorizationType === AuthorizationType.UNSPECIFIED) throw new SdkError(errors.unknownType);
}

/** Validator and tokens of a staking message. */
function moveOf(message: Any): { readonly validator: string; readonly amount: Coin | undefined } {
  switch (typeNameOf(message)) {
    case MsgDelegateSchema.typeName: {
      const { validatorAddress, amount } = decodeMessage(MsgDelegateSchema, message.value);
      return { validator: validatorAddress, amount };
    }
    case MsgUndelegateSchema.typeName: {
      const { validatorAddress, amount } = decodeMessage(MsgUndelegateSchema, message.value);
      return { validator: validatorAddress, amount };
    }
    case MsgBeginRedelegateSchema.typeName: {
      const { validatorDstAddress, amount } = decodeMessage(MsgBeginRedelegateSchema, message.value);
      return { validator: validatorDstAddress, amount };
    }
    case MsgCancelUnbondingDelegationSchema.typeName: {
      const { validatorAddress, amount } = decodeMessage(MsgCancelUnbondingDelegationSchema, message.value);
      return { validator: validatorAddress, amount };
    }
    default:
      throw invalidRequest('unknown msg type');
  }
}

function accept(authorization: StakeAuthorization, context: Context, message: Any): Accepted {
  const { validator, amount } = moveOf(message);
  const { validators, maxTokens } = authorization;
  const found = (validators.value?.address ?? []).some((address) => {
    context.gas.consume(GAS_PER_VALIDATOR, 'stake authorization');
    return address === validator;
  });
  const isRefused = validators.case === 'denyList' ? found : (validators.value?.address.length ?? 0) > 0 && !found;
  if (isRefused) throw new SdkError(sdkErrors.unauthorized, `cannot delegate/undelegate to ${validator} validator`);
  if (maxTokens === undefined) return { kind: 'changed', to: packAny(StakeAuthorizationSchema, authorization) };
  const left = tokensLeft(maxTokens, amount);
  if (left === 0n) return { kind: 'used up' };
  return {
    kind: 'changed',
    to: packAny(
      StakeAuthorizationSchema,
      create(StakeAuthorizationSchema, { ...authorization, maxTokens: coin(maxTokens.denom, left) }),
    ),
  };
}

function tokensLeft(limit: Coin, taken: Coin | undefined): bigint {
  if (taken?.denom !== limit.denom) throw plainError(`invalid coin denoms: ${limit.denom}, ${taken?.denom ?? ''}`);
  if (!/^-?\d+$/.test(taken.amount)) throw new SdkError(sdkErrors.invalidCoins, taken.amount);
  const left = BigInt(limit.amount) - BigInt(taken.amount);
  if (left < 0n) throw plainError(`negative coin amount: ${left}${limit.denom}`);
  return left;
}
