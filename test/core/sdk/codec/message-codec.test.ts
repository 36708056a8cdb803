/** The encoding of every message type of every module, with any content. */
import { equals, fromBinary, toBinary } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { arbitraryMessage, isSigned, messagesOf } from '../../../support/arbitrary-message.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { toHex } from '../../app/support.js';

const all = messagesOf(KNOWN_TYPES);

it('the command line knows the message types of every application version', () => {
  const names = new Set(all.map(({ typeName }) => typeName));
  for (const version of [evmd, chronicle])
    expect(messagesOf(messageTypesOf(version)).filter(({ typeName }) => !names.has(typeName))).toEqual([]);
  expect(all.filter(isSigned).length).toBeGreaterThan(50);
});

describe('decode(encode(x)) = x', () => {
  it.each(all.map((desc) => ({ name: desc.typeName, desc })))('holds for $name (type %#)', ({ desc }) => {
    fc.assert(
      fc.property(arbitraryMessage(desc, [MsgSendSchema, PubKeySchema]), (message) => {
        const bytes = toBinary(desc, message);
        const decoded = fromBinary(desc, bytes);
        expect(equals(desc, decoded, message)).toBe(true);
        expect(toHex(toBinary(desc, decoded))).toBe(toHex(bytes));
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});
