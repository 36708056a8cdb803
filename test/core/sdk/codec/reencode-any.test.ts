/** Messages that proposals store: evmd v0.6.0 re-encodes them. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { concat } from '../../../../src/core/bytes/bytes.js';
import { MsgExecSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgSetSendEnabledSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { decodeMessage, packAny } from '../../../../src/core/sdk/codec/any.js';
import { reencodeAny } from '../../../../src/core/sdk/codec/reencode-any.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { person } from '../../app/properties/people.js';
import { encode } from '../../../support/encode.js';

const TYPES = messageTypesOf(evmd);
const unknown = new BinaryWriter().tag(1977, WireType.LengthDelimited).bytes(Uint8Array.of(1, 2)).finish();
const explicitZero = new BinaryWriter().tag(3, WireType.Varint).uint32(0).finish();

it('reencodeAny drops unknown fields and explicit zeros, also in inner messages', () => {
  const vote = packAny(MsgVoteSchema, create(MsgVoteSchema, { proposalId: 7n, voter: person(0) }));
  const odd = create(AnySchema, { typeUrl: vote.typeUrl, value: concat(vote.value, unknown, explicitZero) });
  expect(reencodeAny(TYPES, odd)).toEqual(vote);
  const holding = (held: typeof vote) =>
    packAny(MsgSubmitProposalSchema, create(MsgSubmitProposalSchema, { messages: [held], proposer: person(0) }));
  expect(reencodeAny(TYPES, holding(odd))).toEqual(holding(vote));
  const twice = holding(holding(odd));
  expect(reencodeAny(TYPES, twice)).toEqual(holding(holding(vote)));
});

it('reencodeAny keeps fields that Go always writes, and messages of unknown types', () => {
  const given = packAny(MsgSetSendEnabledSchema, create(MsgSetSendEnabledSchema, { authority: person(0) }));
  expect(reencodeAny(TYPES, given)).toEqual(given);
  const unlisted = create(AnySchema, { typeUrl: '/not.Listed', value: unknown });
  expect(reencodeAny(TYPES, unlisted)).toEqual(unlisted);
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9664
it('reencodeAny writes an empty Ethereum transaction, also in inner messages', () => {
  const bare = create(AnySchema, { typeUrl: `/${MsgEthereumTxSchema.typeName}`, value: Uint8Array.of(0x2a, 0) });
  const written = create(AnySchema, { ...bare, value: Uint8Array.of(0x32, 0) });
  expect(reencodeAny(TYPES, bare)).toEqual(written);
  const holding = (held: typeof bare) =>
    packAny(MsgExecSchema, create(MsgExecSchema, { grantee: person(0), msgs: [held] }));
  expect(reencodeAny(TYPES, holding(bare))).toEqual(holding(written));
});

it('decodeMessage keeps no unknown fields', () => {
  const bytes = concat(encode(MsgVoteSchema, { voter: person(0) }), unknown);
  expect(toBinary(MsgVoteSchema, fromBinary(MsgVoteSchema, bytes))).toEqual(bytes);
  expect(toBinary(MsgVoteSchema, decodeMessage(MsgVoteSchema, bytes))).toEqual(bytes.subarray(0, -unknown.length));
});
