/**
 * SIGN_MODE_TEXTUAL: the sign bytes of the recorded node, and values of the SDK's published test data
 * (cosmossdk.io/x/tx v0.14.0, `signing/textual/internal/testdata`: bytes, coin, coins, decimals, duration, encode,
 * integers, timestamp, e2e).
 */
import { create, createRegistry, toBinary } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { MAX_UINT256 } from '../../../../src/core/bigint.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/auth/v1beta1/auth_pb.js';
import { MsgExecSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { type Metadata, MetadataSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { CoinSchema } from '../../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { PubKeySchema as Ed25519Schema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { MsgVoteSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { RecoveredPanic } from '../../../../src/core/sdk/module/sdk-error.js';
import { coinsText } from '../../../../src/core/sdk/signing/textual/coins.js';
import { decimalText, integerText, NoTextualForm } from '../../../../src/core/sdk/signing/textual/numbers.js';
import { encodeScreens, screen } from '../../../../src/core/sdk/signing/textual/screen.js';
import { textualSignBytes } from '../../../../src/core/sdk/signing/textual/sign-bytes.js';
import { durationText, timestampText } from '../../../../src/core/sdk/signing/textual/times.js';
import { bytesText } from '../../../../src/core/sdk/signing/textual/values.js';
import { anyOf } from '../../../support/sign-tx.js';
import { hasGolden } from '../../../support/golden.js';
import { crypto, toHex } from '../../app/support.js';
import { txVectors } from '../../../support/tx-vectors.js';

const metadataOf = (display: string, base: string, units: Readonly<Record<string, number>>): Metadata =>
  create(MetadataSchema, {
    display,
    base,
    denomUnits: Object.entries(units).map(([denom, exponent]) => ({ denom, exponent })),
  });

type Modes = {
  readonly textual?: { readonly raw: string; readonly sign_bytes_hex: readonly string[] };
};

describe.skipIf(!hasGolden)('sign bytes of the recorded node', () => {
  const router = new MessageRouter(evmd);
  const { types } = router;
  const test = metadataOf('test', 'atest', { atest: 0, test: 18 });
  const vectors = txVectors<Modes>().filter(
    ({ unsigned, modes }) =>
      modes.textual !== undefined &&
      unsigned.body.messages.every((message) => types.getMessage(message['@type'].slice(1)) !== undefined),
  );
  it('are many', () => expect(vectors.length).toBeGreaterThan(35));

  it.each(vectors)('of $name are the recorded ones', ({ chain_id: chainId, account_number, sequence, modes }) => {
    const tx = decodeTx(base64.decode(modes.textual?.raw ?? ''), router);
    const [info] = tx.authInfo.signerInfos;
    if (info?.publicKey === undefined) throw new Error('no key');
    // the address stands in the screens; it is the one fact that the vector does not name
    const recorded = modes.textual?.sign_bytes_hex[0] ?? '';
    const address = /cosmos1[0-9a-z]{38}/.exec(Buffer.from(recorded, 'hex').toString('latin1'))?.[0] ?? '';
    const bytes = textualSignBytes(tx, {
      chainId,
      accountNumber: BigInt(account_number),
      sequence: BigInt(sequence),
      address,
      publicKey: info.publicKey,
      types,
      coinMetadata: (denom) => (denom === 'atest' ? test : undefined),
    });
    expect(toHex(bytes)).toBe(recorded);
  });
});

it('a transaction with every kind of field has the sign bytes of the published vector', () => {
  const [alice, bob] = [
    'cosmos1ulav3hsenupswqfkw2y3sup5kgtqwnvqa8eyhs',
    'cosmos1ejrf4cur2wy6kfurg9f2jppp2h3afe5h6pkh5t',
  ];
  const key = anyOf(PubKeySchema, { key: base64.decode('Auvdf+T963bciiBe9l15DNMOijdaXCUo6zqSOvH7TXlN') });
  const multisig = anyOf(LegacyAminoPubKeySchema, {
    threshold: 2,
    publicKeys: [
      anyOf(PubKeySchema, { key: base64.decode('AldOvgv8dU9ZZzuhGydQD5FYreLhfhoBgrDKi8ZSTbCT') }),
      anyOf(Ed25519Schema, { key: base64.decode('AxUMR/GKoycWplR+2otzaQZ9zhHRQWJFt3h1bPg1lnh3') }),
    ],
  });
  const single = (mode: SignMode) => ({ sum: { case: 'single' as const, value: { mode } } });
  const body = create(TxBodySchema, {
    messages: [
      anyOf(MsgExecSchema, {
        grantee: alice,
        msgs: [
          anyOf(MsgSendSchema, {
            fromAddress: alice,
            toAddress: bob,
            amount: [{ denom: 'uatom', amount: '10000000' }],
          }),
        ],
      }),
      anyOf(MsgVoteSchema, {
        proposalId: 1n,
        voter: alice,
        option: 1,
        metadata:
          'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur. Excepteur sint occaecat cupidatat non proident, sunt in culpa qui officia deserunt mollit anim id est laborum. Also it ends in  a single ampersand @',
      }),
    ],
    memo: '> \u269b\ufe0f\\u269B\u269b\ufe0f     ',
    timeoutHeight: 20n,
    extensionOptions: [anyOf(CoinSchema, { amount: '5000000', denom: 'uatom' })],
    nonCriticalExtensionOptions: [anyOf(ParamsSchema, { maxMemoCharacters: 10n })],
  });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [
      { publicKey: key, modeInfo: single(SignMode.TEXTUAL), sequence: 2n },
      {
        publicKey: multisig,
        modeInfo: {
          sum: {
            case: 'multi',
            value: {
              bitarray: { extraBitsStored: 5, elems: Uint8Array.of(0x48) },
              modeInfos: [single(SignMode.LEGACY_AMINO_JSON), single(SignMode.LEGACY_AMINO_JSON)],
            },
          },
        },
        sequence: 5n,
      },
    ],
    fee: { amount: [{ denom: 'uatom', amount: '2000' }], gasLimit: 100_000n, payer: bob, granter: alice },
  });
  const bytes = textualSignBytes(
    { body, authInfo, bodyBytes: toBinary(TxBodySchema, body), authInfoBytes: toBinary(AuthInfoSchema, authInfo) },
    {
      chainId: 'my-chain',
      accountNumber: 1n,
      sequence: 2n,
      address: alice,
      publicKey: key,
      types: createRegistry(new MessageRouter(evmd).types, CoinSchema),
      coinMetadata: () => metadataOf('ATOM', 'uatom', { ATOM: 6, uatom: 0 }),
    },
  );
  expect(toHex(crypto.sha256(bytes))).toBe('ab067a2c1f03c76b436fac9b358436a8390beb785943a5822510b6153d883d37');
});

it.each([
  ['0', '0'],
  ['123', '123'],
  ['1234', "1'234"],
  ['12345', "12'345"],
  ['1234567', "1'234'567"],
  ['18446744073709551616', "18'446'744'073'709'551'616"],
  ['00001', '1'],
  ['-9999', "-9'999"],
])('the integer %s is shown as %s', (value, text) => expect(integerText(value)).toBe(text));

it.each([
  ['0.0', '0'],
  ['1234.0', "1'234"],
  ['0.000000000000000010', '0.00000000000000001'],
  ['-10000.0', "-10'000"],
  ['1000000000000000000000000', "1'000'000"],
  ['100000000000000000', '0.1'],
  ['1', '0.000000000000000001'],
  ['-1000000000000000000000', "-1'000"],
  ['-10', '-0.00000000000000001'],
])('the decimal %s is shown as %s', (value, text) => expect(decimalText(value)).toBe(text));

it.each(['', 'a', '1.2.3', '1.a', '0x1', '1 '])('%j is neither an integer nor a decimal', (value) => {
  expect(() => integerText(value)).toThrow(NoTextualForm);
  expect(() => decimalText(value)).toThrow(NoTextualForm);
});

it.each([
  [0n, 0, '0 seconds'],
  [1n, 0, '1 second'],
  [-1n, 0, '-1 second'],
  [0n, -500_000_000, '-0.5 seconds'],
  [-1n, -500_000_000, '-1.5 seconds'],
  [60n, 0, '1 minute'],
  [3_600n, 0, '1 hour'],
  [604_800n, 0, '7 days'],
  [1_483_530n, 0, '17 days, 4 hours, 5 minutes, 30 seconds'],
  [1_468_800n, 100_000_000, '17 days, 0 hours, 0 minutes, 0.1 seconds'],
  [1_468_860n, 100_000_000, '17 days, 0 hours, 1 minute, 0.1 seconds'],
])('the duration of %s s and %s ns is shown as %s', (seconds, nanos, text) =>
  expect(durationText({ seconds, nanos })).toBe(text),
);

it.each([
  [1n, -1],
  [-1n, 1],
  [1n, 2_000_000_000],
  [315_576_000_001n, 0],
])('%s s and %s ns are no duration', (seconds, nanos) =>
  expect(() => durationText({ seconds, nanos })).toThrow(NoTextualForm),
);

it.each([
  [1_136_214_245n, 123_000_000, '2006-01-02T15:04:05.123Z'],
  [0n, 10, '1970-01-01T00:00:00.00000001Z'],
  [1_657_797_740n, 983_000_000, '2022-07-14T11:22:20.983Z'],
  [-1n, 0, '1969-12-31T23:59:59Z'],
])('the time of %s s and %s ns is shown as %s', (seconds, nanos, text) =>
  expect(timestampText({ seconds, nanos })).toBe(text),
);

it.each([
  [0, ''],
  [1, '00'],
  [3, '0001 02'],
  [4, '0001 0203'],
  [35, '0001 0203 0405 0607 0809 0A0B 0C0D 0E0F 1011 1213 1415 1617 1819 1A1B 1C1D 1E1F 2021 22'],
  [36, 'SHA-256=5D7E 2D9B 1DCB C85E 7C89 0036 A2CF 2F9F E7B6 6554 F2DF 08CE C6AA 9C0A 25C9 9C21'],
])('%s bytes are shown in hexadecimal, or as their hash', (length, text) =>
  expect(bytesText(Uint8Array.from({ length }, (_, at) => at))).toBe(text),
);

describe('coins', () => {
  const cosm = metadataOf('COSM', 'ucosm', { COSM: 6, ucosm: 0 });
  it.each([
    [[], undefined, 'zero'],
    [['0 ucosm'], cosm, '0 COSM'],
    [['10 ucosm'], cosm, '0.00001 COSM'],
    [['10000000 ucosm'], cosm, '10 COSM'],
    [['10 COSM'], metadataOf('ucosm', 'COSM', { COSM: 6, ucosm: 0 }), "10'000'000 ucosm"],
    [['1000 ucosm'], metadataOf('', '', { COSM: 6, ucosm: 0 }), "1'000 ucosm"],
    [['1000 ucosm'], metadataOf('COSM', 'ucosm', { COSM: 2 }), "1'000 ucosm"],
    [['1000 ucosm'], metadataOf('COSM', 'ucosm', { COSM: 2, ucosm: 0 }), '10 COSM'],
    [['1000 ucosm'], metadataOf('COSM', 'ucosm', { COSM: 21, ucosm: 0 }), '0.000000000000000001 COSM'],
    [['1000 ucosm'], undefined, "1'000 ucosm"],
    // 78 digits are below 2^256: evmd rendered 10^77atest, and read the metadata of the fee after it
    [[`${10n ** 77n} ucosm`], cosm, `100${"'000".repeat(23)} COSM`],
    [[`${MAX_UINT256} ucosm`], metadataOf('COSM', 'ucosm', { COSM: 77, ucosm: 0 }), '1.157920892373161954 COSM'],
    [[`+1${'0'.repeat(6)} ucosm`], cosm, '1 COSM'],
    [[`${'0'.repeat(200)}1 ucosm`], metadataOf('COSM', 'ucosm', { COSM: 0, ucosm: 0 }), '1 COSM'],
    [['4 uxc1', '3 uxc', '2 uxb', '1 uxa'], undefined, '1 uxa, 2 uxb, 3 uxc, 4 uxc1'],
  ])('are shown with their metadata: %j', (coins, metadata, text) => {
    const list = coins.map((coin) => {
      const [amount = '', denom = ''] = coin.split(' ');
      return { amount, denom };
    });
    expect(coinsText(list, () => metadata)).toBe(text);
  });

  it.each([
    ['', 'ucosm'],
    ['1', 'a,b'],
    ['-', 'ucosm'],
    ['9'.repeat(101), 'ucosm'],
    [`${MAX_UINT256 + 1n}`, 'ucosm'],
    ['1.0000000000000000001', 'ucosm'],
  ])('refuse %s %s', (amount, denom) =>
    expect(() => coinsText([{ amount, denom }], () => cosm)).toThrow(NoTextualForm),
  );
});

it('metadata of all coins of a list are read before one of them is refused', () => {
  const asked: string[] = [];
  const coins = ['a,b', 'ucosm'].map((denom) => ({ denom, amount: '1' }));
  expect(() => coinsText(coins, (denom) => void asked.push(denom))).toThrow(NoTextualForm);
  expect(asked).toEqual(['a,b', 'ucosm']);
});

it.each([
  [{ COSM: 78, ucosm: 0 }, 1n],
  [{ COSM: 0, ucosm: 1 }, MAX_UINT256],
])('a unit that no decimal can hold panics as in Go: %j of %s', (units, amount) => {
  const coins = [{ denom: 'ucosm', amount: amount.toString() }];
  expect(() => coinsText(coins, () => metadataOf('COSM', 'ucosm', units))).toThrow(new RecoveredPanic('Int overflow'));
});

it('screens are deterministic CBOR', () => {
  const bytes = encodeScreens([
    { ...screen(''), title: '1', indent: 4, expert: true },
    { ...screen('a'), expert: true },
    { ...screen('b'), title: '2', indent: 5 },
    screen('c'.repeat(24)),
    screen('d'.repeat(256)),
  ]);
  expect(toHex(bytes).replace(/(63){24}|(64){256}/g, '..')).toBe(
    'a10185a3016131030404f5a202616104f5a301613202616203 05a1027818..a102790100..'.replace(' ', ''),
  );
});
