import type { Any } from '@bufbuild/protobuf/wkt';
import { GenericAuthorizationSchema } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import { SendAuthorizationSchema } from '../../proto/cosmos/bank/v1beta1/authz_pb.js';
import { StakeAuthorizationSchema } from '../../proto/cosmos/staking/v1beta1/authz_pb.js';
import { TransferAuthorizationSchema } from '../../proto/ibc/applications/transfer/v1/authz_pb.js';
import { decodeMessage, packAny, typeNameOf } from '../../sdk/codec/any.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Context } from '../../sdk/module/context.js';
import type { Authorization } from './authorization.js';
import { authzRules } from './rules.js';
import { sendAuthorization } from './send-authorization.js';
import { stakeAuthorization } from './stake-authorization.js';
import { transferAuthorization } from './transfer-authorization.js';

/**
 * Decodes an authorization; SDK error 2 for an unknown type. A genesis may contain one; a transaction with one does
 * not decode.
 */
export function unpackAuthorization(any: Any | undefined): Authorization {
  if (any === undefined) throw new SdkError(sdkErrors.invalidType, 'authorization is nil');
  switch (typeNameOf(any)) {
    case GenericAuthorizationSchema.typeName:
      return genericAuthorization(any.value);
    case SendAuthorizationSchema.typeName:
      return sendAuthorization(decodeMessage(SendAuthorizationSchema, any.value));
    case StakeAuthorizationSchema.typeName:
      return stakeAuthorization(decodeMessage(StakeAuthorizationSchema, any.value));
    case TransferAuthorizationSchema.typeName:
      return transferAuthorization(decodeMessage(TransferAuthorizationSchema, any.value));
    default:
      throw unregistered(any);
  }
}

/** Message type URL that an authorization is for. A stake authorization of an unknown type has none. */
export function grantedType(context: Context, authorization: Authorization): string {
  try {
    return authorization.msgTypeUrl;
  } catch (error) {
    throw error instanceof SdkError ? authzRules.of(context).unknownType(error) : error;
  }
}

/** Rejects an authorization of a type that the chain's modules do not have. */
export function requireKnown({ router }: Pick<Context, 'router'>, any: Any | undefined): void {
  if (any !== undefined && router.types.getMessage(typeNameOf(any)) === undefined) throw unregistered(any);
}

const unregistered = (any: Any): SdkError =>
  new SdkError(
    sdkErrors.txDecode,
    `no concrete type registered for type URL /${typeNameOf(any)} against interface *authz.Authorization`,
  );

/** Authorization for all messages of a type (cosmos-sdk v0.53 `x/authz/generic_authorization.go`). */
function genericAuthorization(value: Uint8Array): Authorization {
  const authorization = decodeMessage(GenericAuthorizationSchema, value);
  return {
    any: packAny(GenericAuthorizationSchema, authorization),
    msgTypeUrl: authorization.msg,
    validate: () => {
      if (authorization.msg === '') throw plainError('msg type cannot be empty');
    },
    accept: () => ({ kind: 'unchanged' }),
  };
}
