import { create, toBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { messageFields } from '../../../src/core/inspection/message-fields.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { type ModeInfo, ModeInfoSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';

it('fields of messages are shown to the depth jsonMessageDepth', () => {
  const single: ModeInfo = create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT } } });
  /** Each level adds two messages: `ModeInfo.Multi` and a `ModeInfo` in it; the innermost has a `ModeInfo.Single`. */
  const nested = (levels: number): readonly (readonly [string, string])[] => {
    let info = single;
    for (let level = 0; level < levels; level += 1)
      info = create(ModeInfoSchema, { sum: { case: 'multi', value: { modeInfos: [info] } } });
    return messageFields(ModeInfoSchema, toBinary(ModeInfoSchema, info)).map(({ name, value }) => [name, value]);
  };
  const inner = 'multi.mode_infos[0].';
  const levels = FIXED_LIMITS.jsonMessageDepth / 2;
  expect(nested(levels - 1)).toEqual([[`${inner.repeat(levels - 1)}single.mode`, 'SIGN_MODE_DIRECT']]);
  expect(nested(levels)).toEqual([[`${inner.repeat(levels)}single`, 'nested too deeply']]);
});
