/**
 * Typed data (EIP-712) of messages in forms that clients seldom send: the digests that cosmos/evm v0.6.0 makes of these
 * sign documents of direct mode (`ethereum/eip712`), of the current flavour and then of the older one.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { concat } from '../../../../src/core/bytes/bytes.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { MsgExecSchema, MsgGrantSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgPruneAllowancesSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { MsgCreateValidatorSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  SignDocSchema,
  TxBodySchema,
  TxRawSchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { typedDataRules, type TypedDataRules } from '../../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import { typedDigests } from '../../../../src/core/sdk/signing/eip712/digests.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import type { SigningFacts } from '../../../../src/core/sdk/signing/signing-facts.js';
import { readTx, type Tx } from '../../../../src/core/sdk/module/tx.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { achr, any, operator, person } from '../../app/properties/people.js';
import { crypto, fromHex, toHex } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

const router = new MessageRouter(evmd);
const types = messageTypesOf(evmd);

interface Habits {
  readonly rules?: Partial<TypedDataRules>;
  readonly mode?: SignMode;
}

function digestsOf(
  tx: Tx,
  accountNumber: bigint,
  { rules = { isShown: () => true }, mode = SignMode.DIRECT }: Habits = {},
): readonly string[] {
  const facts: SigningFacts = {
    chainId: '9001',
    accountNumber,
    sequence: tx.authInfo.signerInfos[0]?.sequence ?? 0n,
    address: encodeAddress('cosmos', tx.signers[0] ?? new Uint8Array()),
    bech32Prefix: 'cosmos',
    evmChainId: 262_144n,
    typedData: { ...typedDataRules.ordinary, ...rules },
    types,
    publicKey: create(AnySchema),
    auxPayer: undefined,
    coinMetadata: () => undefined,
  };
  return [...typedDigests(crypto, tx, mode, facts)].map(toHex);
}

function txOf(bodyBytes: Uint8Array, authInfoBytes: Uint8Array, prefix = 'cosmos'): Tx {
  const raw = create(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [new Uint8Array(65)] });
  return readTx(toBinary(TxRawSchema, raw), router, prefix);
}

const FORMS: readonly (readonly [string, document: string, ...digests: readonly string[]])[] = [
  [
    'legacy content without a name in amino',
    '0aba010ab5010a232f636f736d6f732e676f762e76312e4d7367457865634c6567616379436f6e74656e74128d010a5c0a372f636f736d6f732e646973747269627574696f6e2e763162657461312e436f6d6d756e697479506f6f6c5370656e6450726f706f73616c12210a0741207469746c6512064120746578741a00220c0a0561746573741203373832122d636f736d6f7331686561306e77746a796d6a6d75743268727375666467757373737270666b766a7268657070731200127c0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a2103e02be3c6ccfb9ad99c5af7b91070bce8bbf1a1c8a6269359101a180681a1f1e912040a0208011803121e0a180a056174657374120f323632393236303030303030303030108783081a04393030312007',
    '17065c6ce841e979fc55cdba049ac7d302ec62dc4178b23f3b67990850f48275',
  ],
  [
    'decimals without a hint in the protocol',
    '0aa6010aa1010a282f636f736d6f732e65766d2e6665656d61726b65742e76312e4d7367557064617465506172616d7312750a2d636f736d6f7331333572636b656d6d683536726b6d30647236376d376d32333538677a336c64356e33366e77341244080110071805280e32123636363636363636363636363636363636363a1236363636363636363636363636363636363642123636363636363636363636363636363636361200127d0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a2103b848f5ec99da01b832a02459ac10b5301ba2156293bc02c94a367eb98a3b99db12040a0208011803121f0a190a05617465737412103134343332363030303030303030303010de852c1a04393030312007',
    '5b32c214e78568da07e8c761d4fe44b46f8fca4641ebb57599bd332f62d761b0',
    '7a4fda3201687ff1d12ed1c2b7570efaf7b889d2fe9b11c672cceeacc87100fc',
  ],
  [
    'parameters without any value, whose type has no members',
    '0a6c0a5d0a242f636f736d6f732e65766d2e65726332302e76312e4d7367557064617465506172616d7312350a2d636f736d6f7331306a6d7036736768346363367a743365386777303577617676656a6772357077736a736b7676120408002800120b5ac3bc72696368203c623e127d0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a210392eec0fce8c1a5a359ddf2d5c7a466738bc3fc38b7046d81b814d39811d5afdd12040a0208011800121f0a190a056174657374121032383839323636303030303030303030109996581a04393030312007',
    'b4a91d42b7d14d3ddce4cd8018e9470937b91cdcf01f5568f6d9aeeaff144fcc',
  ],
  [
    'a message without a name in a proposal',
    '0aff010afa010a202f636f736d6f732e676f762e76312e4d73675375626d697450726f706f73616c12d5010a790a282f636f736d6f732e65766d2e766d2e76312e4d73675265676973746572507265696e7374616c6c73124d0a2d636f736d6f73313064303779323635676d6d757674347a30773961773838306a6e73723730306a367a6e396b6e121c0a0f5b646f2d6e6f742d6d6f646966795d12036162631a046e756c6c12110a056174657374120835303030303030301a2d636f736d6f733164386c396b38666c7477636d343679793935376b66756c6433617a30387561793574356d7a6822002a0741207469746c653209412073756d6d61727938001200127d0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a21035ce5429dc5c5f62cdc84490862bf9837654b35b6bc74b970fe9e3dc25fab623512040a0208011801121f0a190a05617465737412103231323935313430303030303030303010b5fe401a04393030312007',
    'f7487d2f62226c420b52129b47be70c6748151fa9d496403b54b10a08dda8096',
  ],
  [
    'a message of ibc that is executed for another',
    '0aef010aea010a1d2f636f736d6f732e617574687a2e763162657461312e4d73674578656312c8010a2d636f736d6f733137787030686636347835657a75356778686175616432763878637274646d6534376e6c377a361296010a272f6962632e636f72652e6368616e6e656c2e76312e4d73674368616e6e656c4f70656e496e6974126b0a087472616e7366657212300801100' +
      '11a120a087472616e7366657212066120746578742214636f6e6e656374696f6e2d6c6f63616c686f73742a001a2d636f736d6f7331633763383635656e616b7836756e386a686d30706d39617079336670776a35786c6b397978371200127d0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a21031f9adbf9471fc3fc6f1eb9af8ef818ba6a13354d128ae729a88b0ffe58a6794012040a0208011801121f0a190a0561746573741210313636373130383030303030303030301092f0321a04393030312007',
    '07132a4f28a13ac4189c36c786a9cb802c614a3e592766ca2c2f0a7ed12abca6',
  ],
  [
    'a validator whose key is of Ethereum',
    '0ad6020ad1020a2a2f636f736d6f732e7374616b696e672e763162657461312e4d736743726561746556616c696461746f7212a2020a480a0f5b646f2d6e6f742d6d6f646966795d120f5b646f2d6e6f742d6d6f646966795d1a0b5ac3bc72696368203c623e22066120746578742a0f5b646f2d6e6f742d6d6f646966795d123b0a1231303030303030303030303030303030303012123530303030303030303030303030303030301a1132303030303030303030303030303030301a033934352a34636f736d6f' +
      '7376616c6f70657231686561306e77746a796d6a6d75743268727375666467757373737270666b766a78726435647232500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a2103fa11e8da8d3bafe2bb7003e106b55792fd2ee7ebafc11299fe786f50c2a86f413a0c0a05617465737412033131371200127d0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a2103e02be3c6ccfb9ad99c5af7b91070bce8bbf1a1c8a6269359101a180681a1f1e912040a0208011808121f0a190a05617465737412103537323630313336393737343339323810a7f23b1a0439303031200b',
    'ef30a112e3e7c999f8abe58aa309c83de266da53d380f4269b28b8c359b0a7a4',
  ],
  [
    'an allocation without a limit, whose coins are never null',
    '0ad6010ad3010a1e2f636f736d6f732e617574687a2e763162657461312e4d73674772616e7412b0010a2d636f736d6f7331717971737a' +
      '716770717971737a716770717971737a716770717971737a7167706a6e70376475122d636f736d6f7331716770717971737a7167707179' +
      '71737a716770717971737a716770717971737a7268386d78321a500a4e0a332f6962632e6170706c69636174696f6e732e7472616e7366' +
      '65722e76312e5472616e73666572417574686f72697a6174696f6e12170a150a087472616e7366657212096368616e6e656c2d30121a0a' +
      '0812040a0208011801120e0a0a0a05617465737412013510071a04393030312003',
    '11fbec8e94b573cec7cab25c0dca0705b24a6f6d3766cd7d093ad924e03d8b9c',
  ],
  [
    'no grant without allocations, which are null',
    '0abd010aba010a1e2f636f736d6f732e617574687a2e763162657461312e4d73674772616e741297010a2d636f736d6f7331717971737a' +
      '716770717971737a716770717971737a716770717971737a7167706a6e70376475122d636f736d6f7331716770717971737a7167707179' +
      '71737a716770717971737a716770717971737a7268386d78321a370a350a332f6962632e6170706c69636174696f6e732e7472616e7366' +
      '65722e76312e5472616e73666572417574686f72697a6174696f6e121a0a0812040a0208011801120e0a0a0a0561746573741201351007' +
      '1a04393030312003',
  ],
  [
    'a coin that is left out, whose amount is 0',
    '0a93010a8e010a252f636f736d6f732e7374616b696e672e763162657461312e4d7367556e64656c656761746512650a2d636f736d6f73316c6b37753577713275656430396167616534306e7234667632666733366478673338736366391234636f736d6f7376616c6f70657231306a6d7036736768346363367a743365386777303577617676656a677235707734787972716c1200122b0a0812040a0208011801121f0a190a05617465737412103133333539303830303030303030303010b2e2281a04393030312007',
    '0a735a176de48b5b7d5ba36510ce5a09ebb9eb8448e66526b4eb750f1712c7a4',
    '50f917bda631dfb6adc69040993169db4ece2954cac3d36b663e48fa0422ac91',
  ],
];

describe('EIP-712 digests', () => {
  test.each(FORMS)('are those of cosmos/evm for %s', (_, document, ...digests) => {
    const { bodyBytes, authInfoBytes, accountNumber } = fromBinary(SignDocSchema, fromHex(document));
    expect(digestsOf(txOf(bodyBytes, authInfoBytes), accountNumber)).toEqual(digests);
  });

  test('for a time that the document lacks are those without it in evmd, and none elsewhere', () => {
    const [, document = '', ...digests] = FORMS[1] ?? [];
    const { bodyBytes, authInfoBytes, accountNumber } = fromBinary(SignDocSchema, fromHex(document));
    const time = encode(TxBodySchema, { timeoutTimestamp: { seconds: 5n } });
    const timed = concat(bodyBytes, time);
    expect(digestsOf(txOf(timed, authInfoBytes), accountNumber)).toEqual(digests);
    expect(digestsOf(txOf(timed, authInfoBytes), accountNumber, { rules: {} })).toEqual([]);
  });
});

/** A new validator without a key. */
const keyless = any(MsgCreateValidatorSchema, { validatorAddress: operator(0), value: achr(1n) });
const executes = any(MsgExecSchema, { grantee: person(0), msgs: [keyless] });
/** A plan without its deprecated upgraded client state. */
const upgrades = any(MsgSoftwareUpgradeSchema, { authority: person(0), plan: { name: 'v2', height: 9n } });
const grants = any(MsgGrantSchema, { granter: person(0), grantee: person(1) });

describe('a message with an absent part', () => {
  const digests = (message: Any, mode: SignMode, rules: Partial<TypedDataRules>) => () => {
    const body = encode(TxBodySchema, { messages: [message] });
    const single = { sum: { case: 'single' as const, value: { mode } } };
    const info = create(AuthInfoSchema, { signerInfos: [{ modeInfo: single }], fee: {} });
    return digestsOf(txOf(body, toBinary(AuthInfoSchema, info), 'chron'), 0n, { mode, rules });
  };

  // as in evmd: the parts of an executed message are known in direct mode only
  test.each([
    ['a new validator, direct', keyless, SignMode.DIRECT],
    ['a new validator, amino', keyless, SignMode.LEGACY_AMINO_JSON],
    ['an execution, direct', executes, SignMode.DIRECT],
    ['a grant, which Go holds in place', grants, SignMode.DIRECT],
  ])('panics in evmd only: %s', (_, message, mode) => {
    expect(digests(message, mode, typedDataRules.of({ version: evmd }))).toThrow('nil pointer dereference');
    expect(digests(message, mode, { isShown: () => true })).not.toThrow();
  });

  test.each([
    ['an execution, amino', executes, SignMode.LEGACY_AMINO_JSON],
    ['a deprecated part', upgrades, SignMode.DIRECT],
  ])('does not panic: %s', (_, message, mode) => {
    expect(digests(message, mode, typedDataRules.of({ version: evmd }))).not.toThrow();
  });
});

// found against evmd v0.6.0 by `test/peer/messages`, seeds 9401 and 9402: its amino codec does not know these types
test('a message without an amino name has no typed data in amino mode', () => {
  const digests = (message: Any) => {
    const body = encode(TxBodySchema, { messages: [message] });
    return digestsOf(txOf(body, encode(AuthInfoSchema, { fee: {} })), 0n, {
      mode: SignMode.LEGACY_AMINO_JSON,
    });
  };
  const [address, prune] = [encodeAddress('cosmos', new Uint8Array(20)), MsgPruneAllowancesSchema];
  expect(digests(any(prune, { pruner: address }))).toEqual([]);
  expect(digests(any(MsgExecSchema, { grantee: address, msgs: [any(prune, { pruner: address })] }))).not.toEqual([]);
});
