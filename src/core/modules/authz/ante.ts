import type { Any } from '@bufbuild/protobuf/wkt';
import { MsgExecSchema, MsgGrantSchema } from '../../proto/cosmos/authz/v1beta1/tx_pb.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import type { AnteRule } from '../../sdk/module/ante.js';
import { decodeMessage, typeNameOf } from '../../sdk/codec/any.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { authzRules } from './rules.js';
import { grantedType, unpackAuthorization } from './unpack.js';

/** Text of an absent authorization in the ante handler; it differs from that of the grant itself. */
const ABSENT = `authorization is nil: ${sdkErrors.invalidType.text}`;

/**
 * Rejects messages of `disabled` types (URLs) in grants and in executions, and deeply nested executions (cosmos/evm
 * v0.6 `ante/cosmos/authz.go`).
 */
export function limitAuthorizations(disabled: readonly string[]): AnteRule {
  const refuse = (text: string): never => {
    throw new SdkError(sdkErrors.unauthorized, text);
  };
  const refuseDisabled = ({ version }: Context, typeUrl: string): void => {
    if (disabled.includes(version.typeUrlAliases[typeUrl] ?? typeUrl)) refuse(`found disabled msg type: ${typeUrl}`);
  };
  const check = (context: Context, messages: readonly Any[], level: number): void => {
    if (level >= CHAIN_LIMITS.nestedExecutions)
      refuse(`found more nested msgs than permitted; got: ${level}, expected: <${CHAIN_LIMITS.nestedExecutions}`);
    const { levelOfExecution } = authzRules.of(context);
    let executions = 0;
    for (const message of messages) {
      const name = typeNameOf(message);
      if (name === MsgExecSchema.typeName) {
        const inner = levelOfExecution(level, executions);
        executions += 1;
        check(context, decodeMessage(MsgExecSchema, message.value).msgs, inner);
      } else if (name === MsgGrantSchema.typeName) {
        const { grant } = decodeMessage(MsgGrantSchema, message.value);
        if (grant?.authorization === undefined) return refuse(ABSENT);
        refuseDisabled(context, grantedType(context, unpackAuthorization(grant.authorization)));
      } else if (level > 1) refuseDisabled(context, message.typeUrl);
    }
  };
  return (context, tx) => check(context, tx.body.messages, 1);
}
