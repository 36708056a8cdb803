/** Transfers as wallets sign them: amino JSON of cosmjs, and EIP-712 typed data of both kinds. */
import { serializeSignDoc, makeSignDoc, type AminoMsg, type StdFee } from '@cosmjs/amino';
import { AminoTypes, createIbcAminoConverters } from '@cosmjs/stargate';
import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { beforeAll, describe, expect, test } from 'vitest';
import { typedDataDigest } from '../../../../../src/core/ethereum/typed-data.js';
import { PubKeySchema } from '../../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ExtensionOptionsWeb3TxSchema } from '../../../../../src/core/proto/ethermint/types/v1/web3_pb.js';
import {
  type MsgTransfer,
  MsgTransferSchema,
} from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { MsgRecoverClientSchema } from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { aminoAny, aminoJson } from '../../../../../src/core/sdk/codec/amino-json.js';
import { KNOWN_TYPES } from '../../../../../src/core/sdk/codec/known-types.js';
import { getAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { publicKeyOf, signDigest } from '../../../../support/secp256k1.js';
import { encode } from '../../../../support/encode.js';
import { later } from '../../../app/later-chain.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain } from './chain.js';
import { connect, createClients, type End, openChannel, packetsOf } from './relay.js';
import { list, texts, typedTransaction } from '../../../../support/typed-transaction.js';

const OPTIONS = { names: 'amino', registry: KNOWN_TYPES } as const;
const AMINO = new AminoTypes(createIbcAminoConverters());
const EVM_CHAIN_ID = 4_321n;
const GAS = 5_000_000n;

/** Key of the first account of each chain in memory. */
const SECRET = crypto.sha256(Uint8Array.of(1));
let from: End;
let fee: StdFee;

beforeAll(() => {
  const [a, b] = createClients(
    new IbcChain('alpha-1', { version: later, prefix: 'chron', denom: 'achr' }),
    new IbcChain('beta-4', { prefix: 'other', denom: 'abeta' }),
  );
  connect(a, b);
  openChannel(a, b);
  from = a;
  fee = { amount: [{ denom: 'achr', amount: (GAS * 2_000_000_000n).toString() }], gas: GAS.toString() };
});

const transfer = (change: Partial<Omit<MsgTransfer, '$typeName' | '$unknown'>> = {}): MsgTransfer =>
  create(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: 'channel-0',
    token: { denom: 'achr', amount: '7' },
    sender: from.chain.account(0),
    receiver: 'other1receiver',
    timeoutHeight: { revisionNumber: 4n, revisionHeight: 1_000n },
    timeoutTimestamp: from.chain.now + 3_600_000_000_000n,
    memo: 'for <you> & me',
    ...change,
  });

/** The message as cosmjs shows it to a wallet. */
const ofCosmjs = (value: MsgTransfer): AminoMsg =>
  JSON.parse(
    JSON.stringify(AMINO.toAmino({ typeUrl: `/${MsgTransferSchema.typeName}`, value }), (name, part: unknown) =>
      name === '$typeName' ? undefined : part,
    ),
  );

test('the amino JSON of MsgTransfer equals that of cosmjs, with and without optional fields', () => {
  const none = { revisionNumber: 0n, revisionHeight: 0n };
  for (const change of [
    {},
    { memo: '' },
    { timeoutTimestamp: 0n },
    { timeoutHeight: create(MsgTransferSchema, { timeoutHeight: none }).timeoutHeight },
    { timeoutHeight: undefined },
  ]) {
    const message = transfer(change);
    expect(aminoAny(`/${MsgTransferSchema.typeName}`, encode(MsgTransferSchema, message), OPTIONS)).toEqual(
      ofCosmjs(message),
    );
  }
  const odd = create(MsgTransferSchema, { token: {}, encoding: 'proto' });
  expect(aminoAny(`/${MsgTransferSchema.typeName}`, encode(MsgTransferSchema, odd), OPTIONS)).toMatchObject({
    type: 'cosmos-sdk/MsgTransfer',
    value: { token: { amount: '0' }, timeout_height: {}, encoding: 'proto' },
  });
});

test('MsgRecoverClient has an amino name', () => {
  const recover = anyOf(MsgRecoverClientSchema, { subjectClientId: '07-tendermint-0', signer: 's' });
  expect(aminoAny(recover.typeUrl, recover.value, OPTIONS)).toEqual({
    type: 'cosmos-sdk/MsgRecoverClient',
    value: { subject_client_id: '07-tendermint-0', signer: 's' },
  });
});

interface Signature {
  readonly mode: SignMode;
  readonly signature: (digest: Uint8Array) => Uint8Array;
  readonly digest: (message: MsgTransfer) => Uint8Array;
  readonly isInOption?: boolean;
}

const sequence = (): bigint => getAccount(from.chain.context(), from.chain.accountBytes(0))?.base.sequence ?? 0n;

/** The result of `message` with a signature over the message `shown`. */
function sent(message: MsgTransfer, shown: MsgTransfer, { mode, signature, digest, isInOption }: Signature) {
  const given = signature(digest(shown));
  const option = { typedDataChainId: EVM_CHAIN_ID, feePayer: from.chain.account(0), feePayerSig: given };
  const key = { typeUrl: `/${PubKeySchema.typeName}`, value: encode(PubKeySchema, { key: publicKeyOf(SECRET) }) };
  const tx = encode(TxRawSchema, {
    bodyBytes: encode(TxBodySchema, {
      messages: [anyOf(MsgTransferSchema, message)],
      extensionOptions: isInOption === true ? [anyOf(ExtensionOptionsWeb3TxSchema, option)] : [],
    }),
    authInfoBytes: encode(AuthInfoSchema, {
      signerInfos: [{ publicKey: key, modeInfo: { sum: { case: 'single', value: { mode } } }, sequence: sequence() }],
      fee: { amount: [...fee.amount], gasLimit: GAS },
    }),
    signatures: [isInOption === true ? new Uint8Array() : given],
  });
  const [result] = from.chain.block([tx]);
  if (result === undefined) throw new Error('no result');
  return result;
}

/** The sign bytes that cosmjs gives a wallet. */
const aminoBytes = (message: MsgTransfer): Uint8Array =>
  serializeSignDoc(makeSignDoc([ofCosmjs(message)], fee, 'alpha-1', '', 0, sequence().toString()));

/** The document that evmosjs shows a wallet: its types list the members of the message in their order. */
function typedTransfer(message: MsgTransfer): object {
  return typedTransaction({
    types: {
      MsgValue: [
        ...texts('source_port', 'source_channel'),
        { name: 'token', type: 'TypeToken' },
        ...texts('sender', 'receiver'),
        { name: 'timeout_height', type: 'TypeTimeoutHeight' },
        { name: 'timeout_timestamp', type: 'uint64' },
        ...texts('memo'),
      ],
      TypeToken: texts('denom', 'amount'),
      TypeTimeoutHeight: [
        { name: 'revision_number', type: 'uint64' },
        { name: 'revision_height', type: 'uint64' },
      ],
    },
    chainId: 4_321,
    message: {
      account_number: '0',
      chain_id: 'alpha-1',
      fee: { feePayer: from.chain.account(0), amount: fee.amount, gas: fee.gas },
      memo: '',
      msgs: [{ type: 'cosmos-sdk/MsgTransfer', value: aminoJson(reflect(MsgTransferSchema, message), OPTIONS) }],
      sequence: sequence().toString(),
    },
  });
}

/** The document of cosmos/evm's current kind: its types are derived from the values, in reverse order of names. */
function typedByValues(message: MsgTransfer): object {
  const value = ofCosmjs(message);
  const withoutPayer = { amount: fee.amount, gas: fee.gas };
  return {
    types: {
      EIP712Domain: [
        ...texts('name', 'version'),
        { name: 'chainId', type: 'uint256' },
        ...texts('verifyingContract', 'salt'),
      ],
      Tx: [
        ...texts('account_number', 'chain_id'),
        { name: 'fee', type: 'Fee' },
        ...texts('memo', 'sequence'),
        { name: 'msg0', type: 'TypeMsgTransfer0' },
      ],
      Fee: [list('amount', 'Coin'), ...texts('gas')],
      Coin: texts('denom', 'amount'),
      TypeMsgTransfer0: [{ name: 'value', type: 'TypeValue0' }, ...texts('type')],
      TypeValue0: [
        { name: 'token', type: 'TypeValueToken0' },
        ...texts('timeout_timestamp'),
        { name: 'timeout_height', type: 'TypeValueTimeoutHeight0' },
        ...texts('source_port', 'source_channel', 'sender', 'receiver', 'memo'),
      ],
      TypeValueToken0: texts('denom', 'amount'),
      TypeValueTimeoutHeight0: texts('revision_number', 'revision_height'),
    },
    primaryType: 'Tx',
    domain: { name: 'Cosmos Web3', version: '1.0.0', chainId: 4_321, verifyingContract: 'cosmos', salt: '0' },
    message: {
      account_number: '0',
      chain_id: 'alpha-1',
      fee: withoutPayer,
      memo: '',
      msg0: value,
      sequence: sequence().toString(),
    },
  };
}

function digestOf(document: object): Uint8Array {
  const digest = typedDataDigest(crypto, document);
  if (!digest.ok) throw new Error(digest.message);
  return digest.digest;
}

const signed = (digest: Uint8Array): Uint8Array => signDigest(digest, SECRET).signature;
const { LEGACY_AMINO_JSON, DIRECT } = SignMode;

describe.each<readonly [string, Signature]>([
  [
    'amino JSON of cosmjs',
    { mode: LEGACY_AMINO_JSON, signature: signed, digest: (message) => crypto.keccak256(aminoBytes(message)) },
  ],
  ['typed data by values', { mode: DIRECT, signature: signed, digest: (message) => digestOf(typedByValues(message)) }],
  [
    'typed data by values in amino mode',
    { mode: LEGACY_AMINO_JSON, signature: signed, digest: (message) => digestOf(typedByValues(message)) },
  ],
  ['typed data of evmosjs', { mode: DIRECT, signature: signed, digest: (message) => digestOf(typedTransfer(message)) }],
  [
    'typed data of evmosjs in an option',
    {
      mode: LEGACY_AMINO_JSON,
      isInOption: true,
      digest: (message) => digestOf(typedTransfer(message)),
      signature: (digest) => {
        const { signature, yParity } = signDigest(digest, SECRET);
        return Uint8Array.of(...signature, 27 + yParity);
      },
    },
  ],
])('a transfer signed by %s', (_, signature) => {
  test('sends its packet, and its signature is refused for another transfer', () => {
    const message = transfer();
    const other = transfer({ receiver: 'other1thief' });
    expect(sent(other, message, signature)).toMatchObject({ code: 4, codespace: 'sdk' });
    const result = sent(message, message, signature);
    expect(result).toMatchObject({ code: 0 });
    expect(packetsOf(result)).toHaveLength(1);
  });
});
