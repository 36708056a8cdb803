/** Several messages for one choice, of which evmd v0.6.0 reads the last (`test/peer/messages`, seed 9659). */
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import { StakeAuthorizationSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  ModeInfoSchema,
  SignerInfoSchema,
  TxRawSchema,
} from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { decodeMessage } from '../../../src/core/sdk/any.js';
import { decodeTx } from '../../../src/core/sdk/decode-tx.js';

const single = (mode: SignMode) => create(ModeInfoSchema, { sum: { case: 'single', value: { mode } } });
const multi = (...modes: readonly SignMode[]) =>
  create(ModeInfoSchema, { sum: { case: 'multi', value: { modeInfos: modes.map(single) } } });

function modesRead(...infos: readonly Uint8Array[]) {
  const authInfo = concat(...infos.map((info) => concat(Uint8Array.of(0x0a, info.length), info)));
  const raw = create(TxRawSchema, { authInfoBytes: authInfo });
  return decodeTx(toBinary(TxRawSchema, raw)).authInfo.signerInfos;
}
const infoOf = (...modes: readonly ReturnType<typeof multi>[]): Uint8Array =>
  concat(...modes.map((modeInfo) => toBinary(SignerInfoSchema, create(SignerInfoSchema, { modeInfo }))));

test('the last threshold of a signer counts, however the first was given', () => {
  const [direct, amino] = [SignMode.DIRECT, SignMode.LEGACY_AMINO_JSON];
  const [info] = modesRead(infoOf(multi(direct, direct), multi(amino)));
  expect(info?.modeInfo).toEqual(multi(amino));
  expect(modesRead(infoOf(multi(direct), single(amino)))[0]?.modeInfo).toEqual(single(amino));
  expect(modesRead(infoOf(single(amino)), infoOf(multi(direct)))).toEqual(
    create(AuthInfoSchema, { signerInfos: [{ modeInfo: single(amino) }, { modeInfo: multi(direct) }] }).signerInfos,
  );
});

test('the last list of a stake authorization counts', () => {
  const allowing = (...address: string[]): Uint8Array =>
    toBinary(
      StakeAuthorizationSchema,
      create(StakeAuthorizationSchema, { validators: { case: 'allowList', value: { address } } }),
    );
  const { validators, maxTokens } = decodeMessage(
    StakeAuthorizationSchema,
    concat(
      allowing('a'),
      allowing('b', 'c'),
      toBinary(StakeAuthorizationSchema, create(StakeAuthorizationSchema, { maxTokens: { denom: 'x', amount: '1' } })),
    ),
  );
  expect(validators.value?.address).toEqual(['b', 'c']);
  expect(maxTokens?.denom).toBe('x');
});
