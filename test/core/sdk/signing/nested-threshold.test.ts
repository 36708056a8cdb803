/** Threshold keys inside of threshold keys, in every mode, and signatures that do not fit their keys. */
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { MetadataSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema as Ed25519Schema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  type ModeInfoSchema,
  TxBodySchema,
  TxRawSchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { ExecTxResult } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import { typedDataRules } from '../../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import { ETHEREUM_KEY_GAS } from '../../../../src/core/modules/auth/rules.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { typedDigests } from '../../../../src/core/sdk/signing/eip712/digests.js';
import { addressOf, parsePublicKey } from '../../../../src/core/sdk/signing/public-key.js';
import { aminoSignBytes } from '../../../../src/core/sdk/signing/sign-amino.js';
import { directSignBytes } from '../../../../src/core/sdk/signing/sign-doc.js';
import { textualSignBytes } from '../../../../src/core/sdk/signing/textual/sign-bytes.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, chain, codes, DevChain, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';
import { signDigest } from '../../../support/secp256k1.js';
import { encode } from '../../../support/encode.js';

type Mode = MessageInitShape<typeof ModeInfoSchema>;

/** A signature with its mode, made when the sign bytes are known. */
interface Part {
  readonly mode: Mode;
  readonly sign: (bytes: (mode: SignMode) => Uint8Array, typed: (mode: SignMode) => Uint8Array) => Uint8Array;
}

const eth = (index: number): Any => anyOf(PubKeySchema, { key: account(index).key });
const plain = (index: number): Any => anyOf(Secp256k1Schema, { key: account(index).key });
const threshold = (needed: number, ...publicKeys: Any[]): Any =>
  anyOf(LegacyAminoPubKeySchema, { threshold: needed, publicKeys });

const single = (mode: SignMode): Mode => ({ sum: { case: 'single', value: { mode } } });
const byEth = (index: number, mode: SignMode): Part => ({
  mode: single(mode),
  sign: (bytes) => signDigest(crypto.keccak256(bytes(mode)), account(index).secret).signature,
});
const byTyped = (index: number, mode: SignMode): Part => ({
  mode: single(mode),
  sign: (_, typed) => signDigest(typed(mode), account(index).secret).signature,
});
const byPlain = (index: number, mode: SignMode): Part => ({
  mode: single(mode),
  sign: (bytes) => signDigest(crypto.sha256(bytes(mode)), account(index).secret).signature,
});
/** `bits`: of the members, from the first on; `x` signed. */
const together = (bits: string, ...parts: Part[]): Part => bitsOf(bits, bits.length % 8, ...parts);
const bitsOf = (bits: string, extraBitsStored: number, ...parts: Part[]): Part => {
  const elems = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.split('').entries())
    if (bit === 'x') elems[at >> 3] = (elems[at >> 3] ?? 0) | (0x80 >> (at & 7));
  return {
    mode: {
      sum: { case: 'multi', value: { bitarray: { extraBitsStored, elems }, modeInfos: parts.map(({ mode }) => mode) } },
    },
    sign: (bytes, typed) => encode(MultiSignatureSchema, { signatures: parts.map(({ sign }) => sign(bytes, typed)) }),
  };
};

/** Number of the account that the first transfer creates: after the dev accounts and those of modules. */
const NUMBER = 19n;
/** Metadata of the dev genesis. */
const METADATA = create(MetadataSchema, {
  base: 'achr',
  display: 'chr',
  denomUnits: [{ denom: 'achr' }, { denom: 'chr', exponent: 18 }],
});
const GAS = 500_000n;
const FEE = [{ denom: 'achr', amount: String(GAS * 2_000_000_000n) }];

/** The result of a transaction of a funded account of the key. */
function resultOf(key: Any, part: Part): ExecTxResult {
  const parsed = parsePublicKey(chronicle, key);
  const bytes = parsed && addressOf(crypto, parsed);
  if (bytes === undefined) throw new Error('no address');
  const address = encodeAddress('chron', bytes);
  const dev = new DevChain();
  const funds = { fromAddress: account(0).address, toAddress: address, amount: FEE };
  expect(codes(dev.block(signed(0, 0n, MsgSendSchema, funds)))).toEqual([0]);
  const send = { fromAddress: address, toAddress: account(0).address, amount: [] };
  const body = create(TxBodySchema, { messages: [anyOf(MsgSendSchema, send)] });
  const bodyBytes = toBinary(TxBodySchema, body);
  const authInfoBytes = encode(AuthInfoSchema, {
    signerInfos: [{ publicKey: key, modeInfo: part.mode }],
    fee: { amount: FEE, gasLimit: GAS },
  });
  const raw = (signature: Uint8Array): Uint8Array =>
    encode(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [signature] });
  const decoded = decodeTx(raw(new Uint8Array()));
  const facts = {
    chainId: chain.chainId,
    accountNumber: NUMBER,
    sequence: 0n,
    address,
    publicKey: key,
    auxPayer: undefined,
    bech32Prefix: chain.bech32Prefix,
    evmChainId: chain.evmChainId,
    typedData: typedDataRules.ordinary,
    types: messageTypesOf(chronicle),
    coinMetadata: () => METADATA,
  };
  const signBytes = (mode: SignMode): Uint8Array => {
    if (mode === SignMode.DIRECT) return directSignBytes(bodyBytes, authInfoBytes, chain.chainId, NUMBER);
    if (mode === SignMode.TEXTUAL) return textualSignBytes(decoded, facts);
    return aminoSignBytes(decoded.body, decoded.authInfo, facts, facts.types);
  };
  const handler = { typeUrl: '', responseTypeUrl: '', signers: () => [address], handle: () => new Uint8Array() };
  const tx = {
    ...decoded,
    handlers: [{ handler, value: new Uint8Array(), signers: [address] }],
    signers: [bytes],
    feePayer: bytes,
    feeGranter: undefined,
    signersFault: undefined,
    granterFault: undefined,
  };
  const typed = (mode: SignMode): Uint8Array => [...typedDigests(crypto, tx, mode, facts)][0] ?? new Uint8Array(32);
  const block = dev.block(raw(part.sign(signBytes, typed)));
  const result = block.kind === 'executed' ? block.results.txResults[0] : undefined;
  if (result === undefined) throw new Error('a block is executed');
  return result;
}

const { DIRECT, TEXTUAL, LEGACY_AMINO_JSON: AMINO } = SignMode;
const deepest = threshold(1, plain(7), eth(8));
const inner = threshold(2, eth(1), plain(2), deepest);
const outer = threshold(2, eth(4), inner, anyOf(Ed25519Schema, { key: new Uint8Array(32).fill(3) }));

describe('a threshold key of threshold keys', () => {
  it.each([
    ['direct', together('xx_', byEth(4, DIRECT), together('xx_', byEth(1, DIRECT), byPlain(2, DIRECT)))],
    ['amino JSON', together('xx_', byEth(4, AMINO), together('xx_', byEth(1, AMINO), byPlain(2, AMINO)))],
    ['textual', together('xx_', byEth(4, TEXTUAL), together('xx_', byEth(1, TEXTUAL), byPlain(2, TEXTUAL)))],
    ['typed data', together('xx_', byTyped(4, AMINO), together('xx_', byTyped(1, DIRECT), byPlain(2, AMINO)))],
    [
      'several modes, three levels',
      together('xx_', byEth(4, DIRECT), together('_xx', byPlain(2, AMINO), together('_x', byEth(8, TEXTUAL)))),
    ],
    // the SDK ignores signatures beyond those of the set bits
    [
      'direct mode, with a signature beyond the set bits',
      together('xx_', byEth(4, DIRECT), innerOf(AMINO), byEth(0, DIRECT)),
    ],
  ])('signs in %s', (_, part) => expect(resultOf(outer, part)).toMatchObject({ code: 10, log: SENT }));

  it('costs the gas of each member that signed', () => {
    const gasOf = (part: Part): bigint => resultOf(outer, part).gasUsed;
    const two = gasOf(
      together('xx_', byEth(4, AMINO), together('x_x', byEth(1, AMINO), together('x_', byPlain(7, AMINO)))),
    );
    const three = gasOf(
      together(
        'xx_',
        byEth(4, AMINO),
        together('x_x', byEth(1, AMINO), together('xx', byPlain(7, AMINO), byEth(8, AMINO))),
      ),
    );
    // 69 bytes of the signature and its mode, 10 gas each
    expect(three - two - ETHEREUM_KEY_GAS).toBeGreaterThan(600n);
    expect(three - two - ETHEREUM_KEY_GAS).toBeLessThan(900n);
  });

  it('emits each signature, then each multisignature', () => {
    const { events } = resultOf(outer, together('xx_', byEth(4, AMINO), innerOf(AMINO)));
    const told = events.flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'signature'));
    expect(told.map(({ value }) => Buffer.from(value, 'base64').length)).toEqual([64, 64, 64, 132, 333]);
  });
});

function innerOf(mode: SignMode): Part {
  return together('xx_', byEth(1, mode), byPlain(2, mode));
}

/** The signatures were valid: the message is refused for its empty amount. */
const SENT = expect.stringContaining('invalid coins') as string;

const ACCOUNT = `please verify account number (${NUMBER}) and chain-id (${chain.chainId})`;
const wrong = (reason: string): string => `signature verification failed; ${ACCOUNT}: (${reason}): unauthorized`;

it.each([
  ['levels', 10, (depth: number) => Array.from({ length: depth - 1 }).reduce<Any>((key) => threshold(1, key), eth(1))],
  ['members', 100, (count: number) => threshold(1, ...Array.from({ length: count - 1 }, () => eth(1)))],
] as const)('a key with more %s than %i is refused', (_, most, made) => {
  expect(parsePublicKey(chronicle, made(most))).toMatchObject({ kind: 'multisig', threshold: 1 });
  expect(parsePublicKey(chronicle, made(most + 1))).toBeUndefined();
});

describe('a signature that does not fit its threshold key', () => {
  const key = threshold(2, eth(1), plain(2), deepest);
  it.each([
    [
      'of another member',
      together('xx_', byEth(1, DIRECT), byPlain(3, DIRECT)),
      4,
      wrong('unable to verify signature at index 1'),
    ],
    [
      'in another mode',
      together('xx_', byEth(1, DIRECT), { ...byPlain(2, AMINO), mode: single(DIRECT) }),
      4,
      wrong('unable to verify signature at index 1'),
    ],
    [
      'of an unknown mode',
      together('xx_', byEth(1, DIRECT), { ...byPlain(2, DIRECT), mode: single(191) }),
      4,
      wrong('unable to verify signature at index 1'),
    ],
    ['too few', together('x__', byEth(1, DIRECT)), 4, wrong('signature size is incorrect 1')],
    [
      'bits of fewer members',
      together('x__', byEth(1, DIRECT), byPlain(2, DIRECT)),
      4,
      wrong('not enough signatures set, have 1, expected 2'),
    ],
    [
      'bits of another number of keys',
      together('xx__', byEth(1, DIRECT), byPlain(2, DIRECT)),
      4,
      wrong('bit array size is incorrect, expecting: 3'),
    ],
    [
      'more signatures than keys',
      together('xx_', ...[1, 2, 3, 4].map((at) => byEth(at, DIRECT))),
      4,
      wrong('signature size is incorrect 4'),
    ],
    [
      'a multisignature for a simple member',
      together('xx_', byEth(1, DIRECT), together('x', byPlain(2, DIRECT))),
      4,
      wrong('unable to parse pubkey of index 1'),
    ],
    [
      'a single signature for a threshold member',
      together('x_x', byEth(1, DIRECT), byPlain(7, DIRECT)),
      1,
      'expected *signing.MultiSignatureData, got, *signing.SingleSignatureData',
    ],
    [
      'a single signature for the whole key',
      byEth(1, DIRECT),
      1,
      'expected *signing.MultiSignatureData, got, *signing.SingleSignatureData',
    ],
    [
      'another member, all in amino JSON',
      together('xx_', byEth(1, AMINO), byPlain(3, AMINO)),
      4,
      `signature verification failed; please verify account number (${NUMBER}), sequence (0) and chain-id (${chain.chainId}): unauthorized`,
    ],
    [
      'bits without signatures',
      together('xxx', byEth(1, DIRECT), byPlain(2, DIRECT)),
      111222,
      'recovered: runtime error: index out of range [2] with length 2: panic',
    ],
    [
      'bits beyond the keys',
      bitsOf('xx_____x', 0, byEth(1, DIRECT), byPlain(2, DIRECT), byEth(1, DIRECT)),
      111222,
      'recovered: runtime error: index out of range [7] with length 3: panic',
    ],
    [
      'bits beyond their bytes',
      bitsOf('xx______', 16, byEth(1, DIRECT), byPlain(2, DIRECT)),
      111222,
      'recovered: runtime error: index out of range [1] with length 1: panic',
    ],
    [
      'no bits',
      { ...together('', byEth(1, DIRECT), byPlain(2, DIRECT)) },
      4,
      wrong('bit array size is incorrect, expecting: 3'),
    ],
    [
      'a mode without a kind',
      { ...byEth(1, DIRECT), mode: {} },
      111222,
      'recovered: unexpected ModeInfo data type <nil>: panic',
    ],
  ] satisfies readonly (readonly [string, Part, number, string])[])('is refused: %s', (_, part, code, log) => {
    const result = resultOf(key, part);
    expect([result.code, result.log]).toEqual([code, log]);
  });

  it('is refused for an ed25519 member', () => {
    const part = together('x_x', byEth(4, DIRECT), byEth(1, DIRECT));
    expect(resultOf(outer, part)).toMatchObject({
      code: 8,
      log: 'ED25519 public keys are unsupported: invalid pubkey',
    });
  });
});
