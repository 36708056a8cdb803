/**
 * Amino sign bytes of messages whose values are not in the form of Go. evmd v0.6.0 refuses a signature over an empty
 * list written `[]`, or over a number as the message has it; it accepts these.
 */
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { text } from '../../../../src/core/bytes/bytes.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MsgExecSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { CommunityPoolSpendProposalSchema } from '../../../../src/core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { MsgRegisterPreinstallsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgExecLegacyContentSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { MsgCreateValidatorSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgCreatePeriodicVestingAccountSchema } from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { MsgCreateClientSchema } from '../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { ClientStateSchema } from '../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { AuthInfoSchema, TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { aminoSignBytes } from '../../../../src/core/sdk/signing/sign-amino.js';

function signed<Desc extends DescMessage>(schema: Desc, value: MessageInitShape<Desc>, fee = '1'): string {
  const body = create(TxBodySchema, { messages: [packAny(schema, create(schema, value))] });
  const facts = { chainId: '9001', accountNumber: 1n, sequence: 1n };
  const info = create(AuthInfoSchema, { fee: { amount: [{ denom: 'atest', amount: fee }] } });
  return new TextDecoder().decode(aminoSignBytes(body, info, facts, KNOWN_TYPES));
}

test('an empty list is null in amino JSON, and an empty list of coins is []', () => {
  expect(signed(MsgCreatePeriodicVestingAccountSchema, {})).toContain('"vesting_periods":null');
  expect(signed(MsgRegisterPreinstallsSchema, {})).toContain('"preinstalls":null');
  expect(signed(MsgMultiSendSchema, {})).toContain('"inputs":null');
  expect(signed(MsgSendSchema, {})).toContain('"amount":[]');
});

const ABSENT = { description: {}, commission: {}, value: {} };

test('numbers are written in the form of Go', () => {
  const send = (amount: string) => ({ amount: [{ denom: 'atest', amount }] });
  const forms = [
    ['0x10', '16'],
    ['+7', '7'],
    ['007', '7'],
    ['0b11', '3'],
  ] as const;
  for (const [given, written] of forms) {
    const coin = `"amount":"${written}","denom":"atest"`;
    expect(signed(MsgSendSchema, send(given), '5')).toContain(coin);
    expect(signed(MsgExecSchema, { msgs: [packAny(MsgSendSchema, create(MsgSendSchema, send(given)))] })).toContain(
      coin,
    );
    expect(signed(MsgCreateValidatorSchema, { ...ABSENT, value: send(given).amount[0] })).toContain(coin);
    expect(signed(MsgSendSchema, {}, given)).toContain(coin);
  }
  const rates = { ...ABSENT, commission: { rate: '0x10', maxRate: '+5', maxChangeRate: '' } };
  const text = signed(MsgCreateValidatorSchema, rates);
  expect(text).toContain('"max_rate":"0.000000000000000005"');
  expect(text).toContain('"rate":"0.000000000000000016"');
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9010
test('an empty key is null', () => {
  const withKey = (key: Uint8Array) =>
    signed(MsgCreateValidatorSchema, { ...ABSENT, pubkey: packAny(PubKeySchema, create(PubKeySchema, { key })) });
  expect(withKey(new Uint8Array())).toContain('"pubkey":{"type":"tendermint/PubKeyEd25519","value":null}');
  expect(withKey(Uint8Array.of(1))).toContain('"pubkey":{"type":"tendermint/PubKeyEd25519","value":"AQ=="}');
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9601
test('the threshold of a multisig key is a text, and its keys are never left out', () => {
  const withKeys = (...keys: Uint8Array[]) => {
    const publicKeys = keys.map((key) => packAny(PubKeySchema, create(PubKeySchema, { key })));
    const key = create(LegacyAminoPubKeySchema, { threshold: keys.length, publicKeys });
    return signed(MsgCreateValidatorSchema, { ...ABSENT, pubkey: packAny(LegacyAminoPubKeySchema, key) });
  };
  expect(withKeys(Uint8Array.of(1))).toContain(
    '"pubkey":{"type":"tendermint/PubKeyMultisigThreshold","value":{' +
      '"pubkeys":[{"type":"tendermint/PubKeyEd25519","value":"AQ=="}],"threshold":"1"}}',
  );
  expect(withKeys()).toContain('{"pubkeys":[],"threshold":"0"}');
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9208
describe('a text outside of UTF-8', () => {
  const odd = text(Uint8Array.of(0xed, 0xa0, 0x80));
  const client = { clientState: packAny(ClientStateSchema, create(ClientStateSchema, { upgradePath: [odd] })) };
  const spends = create(CommunityPoolSpendProposalSchema, { title: odd });
  const content = packAny(CommunityPoolSpendProposalSchema, spends);

  test('has no amino JSON in a message that Go reads by reflection, at any depth', () => {
    const noForm = 'ibc.lightclients.tendermint.v1.ClientState.upgrade_path contains invalid UTF-8';
    expect(() => signed(MsgCreateClientSchema, client)).toThrow(noForm);
    const inside = packAny(MsgCreateClientSchema, create(MsgCreateClientSchema, client));
    expect(() => signed(MsgExecSchema, { msgs: [inside] })).toThrow(noForm);
    expect(() => signed(MsgSubmitProposalSchema, { content })).toThrow('title contains invalid UTF-8');
  });

  test('has amino JSON in other messages', () => {
    expect(signed(MsgExecLegacyContentSchema, { content })).toContain(String.raw`"title":"\ufffd`);
  });
});
