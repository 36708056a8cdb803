import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/core/precompiles/messages.js';
import {
  Msg,
  MsgDelegateSchema,
  MsgUndelegateResponseSchema,
  MsgUndelegateSchema,
} from '../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import { message } from '../../../src/core/sdk/module/module.js';
import type { MessageHandler } from '../../../src/core/sdk/module/context.js';
import { plainError } from '../../../src/core/sdk/module/sdk-error.js';

const contextWith = (handler: MessageHandler): Context =>
  ({ router: { find: () => handler }, chain: { bech32Prefix: 'chronicle' } }) as unknown as Context;
const sent = { delegatorAddress: 'delegator', validatorAddress: 'validator', amount: { denom: 'achr', amount: '5' } };
const answer = create(MsgUndelegateResponseSchema, { completionTime: { seconds: 7n } });

describe('a message that a precompile sends', () => {
  it('reaches the handler, whose response is returned', () => {
    const seen: unknown[] = [];
    const handler = message(Msg, 'undelegate', (_context, got) => {
      seen.push(got);
      return answer;
    });
    expect(deliver(contextWith(handler), Msg, 'undelegate', sent)).toBe(answer);
    expect(seen).toEqual([create(MsgUndelegateSchema, sent)]);
  });

  it('is validated before the handler runs', () => {
    const handler = message(Msg, 'undelegate', {
      validate({ validatorAddress }, { chain }) {
        throw plainError(`${validatorAddress} is no validator of ${chain.bech32Prefix}`);
      },
      handle: () => answer,
    });
    expect(() => deliver(contextWith(handler), Msg, 'undelegate', sent)).toThrow(
      'validator is no validator of chronicle',
    );
  });

  it.each([
    ['a handler that reads bytes', `/${MsgUndelegateSchema.typeName}`, undefined],
    [
      'the handler of another type, for which the type is an alias',
      `/${MsgDelegateSchema.typeName}`,
      message(Msg, 'delegate', () => {}).execute,
    ],
  ])('reaches %s as bytes', (_name, typeUrl, execute) => {
    const seen: unknown[] = [];
    const handler: MessageHandler = {
      typeUrl,
      responseTypeUrl: `/${MsgUndelegateResponseSchema.typeName}`,
      signers: () => [],
      handle(_context, value) {
        seen.push(fromBinary(MsgUndelegateSchema, value));
        return toBinary(MsgUndelegateResponseSchema, answer);
      },
      ...(execute !== undefined && { execute }),
    };
    expect(deliver(contextWith(handler), Msg, 'undelegate', sent)).toEqual(answer);
    expect(seen).toEqual([create(MsgUndelegateSchema, sent)]);
  });
});
