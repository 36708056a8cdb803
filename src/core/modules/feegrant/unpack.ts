import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  AllowedMsgAllowanceSchema,
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
} from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { decodeMessage, packAny, typeNameOf } from '../../sdk/codec/any.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Allowance } from './allowance.js';
import { basicAllowance } from './basic.js';
import { errors } from './errors.js';
import { periodicAllowance } from './periodic.js';

/** Gas per message type that is read or compared. */
const GAS_PER_TYPE = 10n;

/**
 * Decodes an allowance; SDK error 2 for an unknown type. A genesis may contain one; a transaction with one does not
 * decode.
 */
export function unpackAllowance(any: Any | undefined): Allowance {
  if (any === undefined) throw new SdkError(errors.noAllowance, 'failed to get allowance');
  switch (typeNameOf(any)) {
    case BasicAllowanceSchema.typeName:
      return basicAllowance(decodeMessage(BasicAllowanceSchema, any.value));
    case PeriodicAllowanceSchema.typeName:
      return periodicAllowance(decodeMessage(PeriodicAllowanceSchema, any.value));
    case AllowedMsgAllowanceSchema.typeName:
      return allowedMessages(any.value);
    default:
      throw new SdkError(
        sdkErrors.txDecode,
        `no concrete type registered for type URL /${typeNameOf(any)} against interface *feegrant.FeeAllowanceI`,
      );
  }
}

/** Allowance restricted to some message types (cosmossdk.io/x/feegrant v0.2.0 `filtered_fee.go`). */
function allowedMessages(value: Uint8Array): Allowance {
  const { allowance, allowedMessages: types } = decodeMessage(AllowedMsgAllowanceSchema, value);
  const inner = allowance && unpackAllowance(allowance);
  const packed = (content: Any | undefined): Any =>
    packAny(
      AllowedMsgAllowanceSchema,
      create(AllowedMsgAllowanceSchema, { ...(content && { allowance: content }), allowedMessages: types }),
    );
  const noAllowance = (text: string): SdkError => new SdkError(errors.noAllowance, text);
  return {
    any: packed(inner?.any),
    end: inner?.end,
    validate: (context) => {
      if (inner === undefined) throw noAllowance('allowance should not be empty');
      if (types.length === 0) throw new SdkError(errors.noMessages, "allowed messages shouldn't be empty");
      inner.validate(context);
    },
    use: (context, fee, typeUrls) => {
      requireTypes(context, types, typeUrls);
      if (inner === undefined) throw noAllowance('failed to get allowance');
      const used = inner.use(context, fee, typeUrls);
      return used.kind === 'left' ? { kind: 'left', allowance: packed(used.allowance) } : used;
    },
  };
}

function requireTypes({ gas }: Context, allowed: readonly string[], typeUrls: readonly string[]): void {
  const known = new Set<string>();
  for (const type of allowed) {
    gas.consume(GAS_PER_TYPE, 'check msg');
    known.add(type);
  }
  for (const type of typeUrls) {
    gas.consume(GAS_PER_TYPE, 'check msg');
    if (!known.has(type)) throw new SdkError(errors.messageNotAllowed, 'message does not exist in allowed messages');
  }
}
