/** Signatures that a Go node accepted, in amino JSON and of a threshold key, and changed copies of them. */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { describe, expect, it, vi } from 'vitest';
import { TransferAuthorizationSchema } from '../../../../src/core/proto/ibc/applications/transfer/v1/authz_pb.js';
import { typedDataRules } from '../../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import { aminoAny, NoAminoForm } from '../../../../src/core/sdk/codec/amino-json.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { signatureDataOf } from '../../../../src/core/modules/auth/ante/multisig.js';
import { signatureFaultOf } from '../../../../src/core/modules/auth/ante/sign-modes.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { addressOf, parsePublicKey, type PublicKey } from '../../../../src/core/sdk/signing/public-key.js';
import { decodeTx, type DecodedTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { aminoSignBytes } from '../../../../src/core/sdk/signing/sign-amino.js';
import { directAuxSignBytes } from '../../../../src/core/sdk/signing/sign-doc.js';
import type { Tx } from '../../../../src/core/sdk/module/tx.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { ModeInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { goldenLines, hasGolden } from '../../../support/golden.js';
import { anyOf } from '../../../support/sign-tx.js';
import { crypto } from '../../app/support.js';
import { publicKeyOf, signDigest } from '../../../support/secp256k1.js';
import { txVectors } from '../../../support/tx-vectors.js';

/** Types of the modules of the recorded node that exist here. */
const TYPES = messageTypesOf(evmd);
const FACTS = {
  address: '',
  publicKey: create(AnySchema),
  auxPayer: undefined,
  bech32Prefix: 'cosmos',
  evmChainId: 1n,
  typedData: typedDataRules.ordinary,
  types: TYPES,
  coinMetadata: () => undefined,
};

type Modes = { readonly amino?: { readonly raw: string } };

interface Command {
  readonly args?: readonly string[];
  readonly stdout?: string;
}

function read(raw: string): { readonly tx: Tx; readonly key: PublicKey } {
  const decoded: DecodedTx = decodeTx(base64.decode(raw));
  const any = decoded.authInfo.signerInfos[0]?.publicKey;
  const key = any === undefined ? undefined : parsePublicKey(evmd, any);
  if (key === undefined) throw new Error('no key');
  return {
    tx: {
      ...decoded,
      handlers: [],
      signers: [],
      feePayer: undefined,
      feeGranter: undefined,
      signersFault: undefined,
      granterFault: undefined,
    },
    key,
  };
}

function accepted(
  { tx, key }: ReturnType<typeof read>,
  at: { readonly chainId: string; readonly accountNumber: bigint; readonly sequence: bigint },
  signature = tx.signatures[0],
): boolean {
  const facts = { ...FACTS, ...at };
  try {
    const data = signatureDataOf(
      tx.authInfo.signerInfos[0]?.modeInfo ?? create(ModeInfoSchema),
      signature ?? new Uint8Array(),
    );
    return signatureFaultOf(crypto, tx, key, data, facts) === undefined;
  } catch (error) {
    if (error instanceof SdkError) return false;
    throw error;
  }
}

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

describe.skipIf(!hasGolden)('amino JSON signatures', () => {
  const vectors = txVectors<Modes>().filter(
    ({ unsigned, modes }) =>
      modes.amino !== undefined &&
      unsigned.body.messages.every((message) => TYPES.getMessage(message['@type'].slice(1)) !== undefined),
  );

  it.each(vectors)(
    '$name is valid as recorded, and not for another sequence, chain or signature',
    ({ chain_id: chainId, account_number: number, sequence, modes }) => {
      const signed = read(modes.amino?.raw ?? '');
      const at = { chainId, accountNumber: BigInt(number), sequence: BigInt(sequence) };
      expect(accepted(signed, at)).toBe(true);
      expect(accepted(signed, { ...at, sequence: at.sequence + 1n })).toBe(false);
      expect(accepted(signed, { ...at, chainId: `${chainId}1` })).toBe(false);
      expect(accepted(signed, at, flipped(signed.tx.signatures[0] ?? new Uint8Array(), 7))).toBe(false);
    },
  );
});

describe.skipIf(!hasGolden)('a threshold key', () => {
  const commands = hasGolden ? goldenLines<Command>('tx-vectors/multisig.jsonl') : [];
  const encoded = commands.find(({ args }) => args?.[1] === 'encode')?.stdout?.trim() ?? '';
  const at = { chainId: '9001', accountNumber: 19n, sequence: 0n };

  it('has the address that the Go node derives', () => {
    const address = addressOf(crypto, read(encoded).key);
    expect(encodeAddress('cosmos', address ?? new Uint8Array())).toBe('cosmos12ap9e20uwfws0fkat0qhgv8ekvy3mfv536g30y');
  });

  it('accepts the recorded signatures of two of three members', () => expect(accepted(read(encoded), at)).toBe(true));

  it('refuses a missing or changed signature of a member', () => {
    const { tx, key } = read(encoded);
    const whole = tx.signatures[0] ?? new Uint8Array();
    expect(accepted({ tx, key }, at, whole.slice(0, 67))).toBe(false);
    for (const byte of [10, 80]) expect(accepted({ tx, key }, at, flipped(whole, byte))).toBe(false);
    if (key.kind !== 'multisig') throw new Error('a threshold');
    expect(accepted({ tx, key: { ...key, threshold: 3 } }, at)).toBe(false);
    expect(accepted({ tx, key: { ...key, keys: key.keys.toReversed() } }, at)).toBe(false);
  });

  it.each([
    ['fewer', 2],
    ['more', 4],
    ['a whole byte', 0],
  ])('refuses bits for another number of members: %s', (_, stored) => {
    const { tx, key } = read(encoded);
    const mode = tx.authInfo.signerInfos[0]?.modeInfo?.sum;
    if (mode?.case !== 'multi' || mode.value.bitarray === undefined) throw new Error('a threshold');
    expect(mode.value.bitarray.extraBitsStored).toBe(3);
    mode.value.bitarray.extraBitsStored = stored;
    expect(accepted({ tx, key }, at)).toBe(false);
  });
});

it('bytes that do not encode their message have no amino JSON', () => {
  expect(() =>
    aminoAny('/cosmos.bank.v1beta1.MsgSend', Uint8Array.of(0x0a, 5), { names: 'amino', registry: TYPES }),
  ).toThrow(NoAminoForm);
});

it('a type without an amino name is named by its URL, as evmd accepts it', () => {
  const value = toBinary(
    TransferAuthorizationSchema,
    create(TransferAuthorizationSchema, { allocations: [{ sourcePort: 'transfer', allowList: ['x'] }] }),
  );
  const url = '/ibc.applications.transfer.v1.TransferAuthorization';
  const options = { names: 'amino', registry: KNOWN_TYPES } as const;
  expect(aminoAny(url, value, options)).toEqual({
    type: url,
    value: { allocations: [{ source_port: 'transfer', allow_list: ['x'] }] },
  });
  // it has no form where types are registered by their names
  expect(() => aminoAny(url, value, { ...options, renamed: {} })).toThrow(NoAminoForm);
});

it('the members of a threshold key sign one document, which is made once for all of them', () => {
  const secrets = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  const keys = secrets.map((secret) => ({ kind: 'secp256k1', key: publicKeyOf(secret) }) as const);
  const at = { chainId: 'a', accountNumber: 1n, sequence: 2n };
  const body = create(TxBodySchema, { messages: [anyOf(MsgSendSchema, { amount: [{ denom: 'achr', amount: '1' }] })] });
  const decoded = decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, body) })));
  const document = aminoSignBytes(body, decoded.authInfo, at, TYPES);
  const signature = toBinary(
    MultiSignatureSchema,
    create(MultiSignatureSchema, {
      signatures: secrets.map((secret) => signDigest(crypto.sha256(document), secret).signature),
    }),
  );
  const modeInfo = create(ModeInfoSchema, {
    sum: {
      case: 'multi',
      value: {
        bitarray: { extraBitsStored: 3, elems: Uint8Array.of(0b1110_0000) },
        modeInfos: keys.map(() => ({ sum: { case: 'single' as const, value: { mode: SignMode.LEGACY_AMINO_JSON } } })),
      },
    },
  });
  const resolved = vi.spyOn(TYPES, 'getMessage');
  expect(
    signatureFaultOf(
      crypto,
      {
        ...decoded,
        handlers: [],
        signers: [],
      },
      { kind: 'multisig', threshold: 2, keys },
      signatureDataOf(modeInfo, signature),
      { ...FACTS, ...at },
    ),
  ).toBeUndefined();
  expect(resolved).toHaveBeenCalledTimes(1);
  resolved.mockRestore();
});

it('SIGN_MODE_DIRECT_AUX is refused for the account that pays the fee', () => {
  const secret = new Uint8Array(32).fill(5);
  const key = { kind: 'secp256k1', key: publicKeyOf(secret) } as const;
  const facts = { ...FACTS, chainId: 'a', accountNumber: 1n, sequence: 2n, address: 'chron1a', auxPayer: 'chron1b' };
  const body = create(TxBodySchema, { messages: [anyOf(MsgSendSchema, {})] });
  const decoded = decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, body) })));
  const tx = {
    ...decoded,
    handlers: [],
    signers: [],
    feePayer: undefined,
    feeGranter: undefined,
    signersFault: undefined,
    granterFault: undefined,
  };
  const bytes = directAuxSignBytes(decoded.bodyBytes, facts);
  const mode = create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT_AUX } } });
  const data = signatureDataOf(mode, signDigest(crypto.sha256(bytes), secret).signature);
  const fault = 'unable to verify single signer signature';
  expect(signatureFaultOf(crypto, tx, key, data, facts)).toBeUndefined();
  expect(signatureFaultOf(crypto, tx, key, data, { ...facts, auxPayer: 'chron1a' })).toBe(fault);
  expect(signatureFaultOf(crypto, tx, key, data, { ...facts, auxPayer: undefined })).toBe(fault);
  expect(signatureFaultOf(crypto, tx, key, data, { ...facts, sequence: 3n })).toBe(fault);
});
