/** Typed data (EIP-712) in an extension option, as wallets of Ethermint and Evmos sign it. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { typedDataDigest } from '../../../../src/core/ethereum/typed-data.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ExtensionOptionDynamicFeeTxSchema } from '../../../../src/core/proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { PubKeySchema as CosmosKeySchema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  type ModeInfoSchema,
  TxBodySchema,
  TxRawSchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ExtensionOptionsWeb3TxSchema } from '../../../../src/core/proto/ethermint/types/v1/web3_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { addressOf, type ThresholdPublicKey } from '../../../../src/core/sdk/signing/public-key.js';
import { signDigest } from '../../../support/secp256k1.js';
import { encode } from '../../../support/encode.js';
import { WEB3_TRANSACTIONS, web3TypedData } from '../../../support/web3-typed-data.js';
import { account, codes, DevChain, refusal, signed } from '../../app/dev-chain.js';
import { achr, any, operator } from '../../app/properties/people.js';
import { crypto } from '../../app/support.js';
import { list, texts, typedTransaction } from '../../../support/typed-transaction.js';

describe('the transactions of evmosjs', () => {
  it('have valid signatures, each at its sequence', () => {
    const dev = new DevChain();
    const results = WEB3_TRANSACTIONS.map(({ name, bytes }) => [name, refusal(dev.block(bytes))]);
    expect(Object.fromEntries(results)).toEqual({
      send: ' 0: ',
      delegate: ' 0: ',
      undelegate: ' 0: ',
      withdraw: ' 0: ',
      'withdraw twice': ' 0: ',
      // their messages fail, after the signature is found valid
      redelegate: 'staking 29: failed to execute message; message index: 0: cannot redelegate to the same validator',
      vote: 'gov 3: failed to execute message; message index: 0: 1: inactive proposal',
      'withdraw commission':
        'distribution 7: failed to execute message; message index: 0: no validator commission to withdraw',
    });
  });

  it('are refused by evmd', () => {
    const dev = new DevChain();
    dev.build({ version: evmd });
    expect(refusal(dev.block(web3TypedData('send')))).toBe('sdk 2: tx parse error');
  });

  it('cannot be replayed', () => {
    const dev = new DevChain();
    expect(codes(dev.block(web3TypedData('send'), web3TypedData('send')))).toEqual([0, 32]);
  });
});

const WEB3_URL = '/ethermint.types.v1.ExtensionOptionsWeb3Tx';
const COIN = texts('denom', 'amount');

/** The number of the account that follows those of the genesis. */
const FIRST_NEW_ACCOUNT = 19;

const SEND_MEMBERS = [...texts('from_address', 'to_address'), list('amount', 'TypeAmount')];

/** Typed data of an account, as a wallet shows it, for MsgSends. */
function typedData(feePayer: string, msgs: readonly object[], accountNumber = 0): object {
  return typedTransaction({
    types: {
      MsgValue: SEND_MEMBERS,
      TypeAmount: COIN,
    },
    chainId: 271_828,
    message: {
      account_number: String(accountNumber),
      chain_id: 'chronicle_271828-1',
      fee: { feePayer, amount: [{ denom: 'achr', amount: '600000000000000' }], gas: '300000' },
      memo: '',
      msgs,
      sequence: '0',
    },
  });
}

const [own, other] = [account(0), account(1)];
const send = { fromAddress: own.address, toAddress: other.address, amount: [achr(7n)] };
const sends = (from: string) => [
  { type: 'cosmos-sdk/MsgSend', value: { from_address: from, to_address: other.address, amount: [achr(7n)] } },
];

/** A signature of 65 bytes by account `by`. */
function signature(document: object, by = 0): Uint8Array {
  const digest = typedDataDigest(crypto, document);
  if (!digest.ok) throw new Error(digest.message);
  const { signature: compact, yParity } = signDigest(digest.digest, account(by).secret);
  return Uint8Array.from([...compact, 27 + yParity]);
}

/** A signature of the MsgSend of account 0, for this payer of its fee. */
const sendSignature = (feePayer = own.address, by = 0): Uint8Array =>
  signature(typedData(feePayer, sends(own.address)), by);

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The malleated signature: of the same key over the same digest, with s in the other half. */
function upperHalf(bytes: Uint8Array): Uint8Array {
  const s = BigInt(`0x${hexOf(bytes.slice(32, 64))}`);
  const other = (ORDER - s).toString(16).padStart(64, '0');
  return Uint8Array.from([...bytes.slice(0, 32), ...Buffer.from(other, 'hex'), 55 - (bytes[64] ?? 0)]);
}

interface Parts {
  readonly messages?: readonly Any[];
  readonly option?: MessageInitShape<typeof ExtensionOptionsWeb3TxSchema>;
  readonly body?: MessageInitShape<typeof TxBodySchema>;
  readonly mode?: MessageInitShape<typeof ModeInfoSchema>;
  readonly key?: Any;
  readonly signature?: Uint8Array;
  readonly signers?: number;
}

const singleMode = (mode: SignMode) => ({ sum: { case: 'single' as const, value: { mode } } });

/** A transaction of account 0 that is signed in its option, changed by `parts`. */
function web3({ messages = [any(MsgSendSchema, send)], option = {}, signers = 1, ...parts }: Parts = {}): Uint8Array {
  const feePayerSig = sendSignature();
  const complete = { typedDataChainId: 271828n, feePayer: own.address, feePayerSig, ...option };
  const infos = Array.from({ length: signers }, (_, index) => ({
    publicKey: parts.key ?? any(PubKeySchema, { key: account(index).key }),
    modeInfo: parts.mode ?? singleMode(SignMode.LEGACY_AMINO_JSON),
  }));
  return encode(TxRawSchema, {
    bodyBytes: encode(TxBodySchema, {
      messages: [...messages],
      extensionOptions: [any(ExtensionOptionsWeb3TxSchema, complete)],
      ...parts.body,
    }),
    authInfoBytes: encode(AuthInfoSchema, {
      signerInfos: infos,
      fee: { amount: [{ denom: 'achr', amount: '600000000000000' }], gasLimit: 300_000n },
    }),
    signatures: infos.map(() => parts.signature ?? new Uint8Array()),
  });
}

const refused = (bytes: Uint8Array, dev = new DevChain()): string => refusal(dev.block(bytes));
const reason = (fault: string, number = 0): string =>
  `signature verification failed; please verify account number (${number}) and chain-id (chronicle_271828-1): ${fault}: unauthorized`;
const keyText = (index: number): string => `EthPubKeySecp256k1{${hexOf(account(index).key)}}`;

describe('a signature in ExtensionOptionsWeb3Tx', () => {
  it('is valid over typed data, with v counted from 27 or from 0', () => {
    const signed = sendSignature();
    const fromZero = signed.with(64, (signed[64] ?? 0) - 27);
    expect(codes(new DevChain().block(web3()))).toEqual([0]);
    expect(codes(new DevChain().block(web3({ option: { feePayerSig: fromZero } })))).toEqual([0]);
  });

  it('may sign several messages of one type', () => {
    const two = [...sends(own.address), ...sends(own.address)];
    const feePayerSig = signature(typedData(own.address, two));
    const messages = [any(MsgSendSchema, send), any(MsgSendSchema, send)];
    expect(codes(new DevChain().block(web3({ messages, option: { feePayerSig } })))).toEqual([0]);
  });

  it('is not verified in a simulation', () => {
    const dev = new DevChain();
    const simulated = dev.app.simulate(dev.state, dev.at(), web3({ option: { feePayerSig: new Uint8Array() } }));
    expect(simulated).toMatchObject({ ok: true, result: { code: 0 } });
  });
});

describe('a transaction with ExtensionOptionsWeb3Tx', () => {
  const dynamic = any(ExtensionOptionDynamicFeeTxSchema, {});
  const option = any(ExtensionOptionsWeb3TxSchema, { typedDataChainId: 271828n, feePayer: own.address });

  it.each<[string, Parts, string]>([
    ['another chain id', { option: { typedDataChainId: 9001n } }, reason('invalid chain-id: invalid chain-id')],
    [
      'no fee payer',
      { option: { feePayer: '' } },
      reason('no feePayer on ExtensionOptionsWeb3Tx: unknown extension options'),
    ],
    [
      'a fee payer that is no address',
      { option: { feePayer: 'evmos1a' } },
      reason(
        'failed to parse feePayer from ExtensionOptionsWeb3Tx: decoding bech32 failed: invalid bech32 string length 7',
      ),
    ],
    [
      'a fee payer that is not the signer',
      {
        option: {
          feePayer: other.address,
          feePayerSig: sendSignature(other.address),
        },
      },
      reason(
        `failed to verify delegated fee payer ${own.address} signature: tx intended signer does not match the given signer`,
      ),
    ],
    [
      'a signature of another key',
      { option: { feePayerSig: sendSignature(own.address, 1) } },
      reason(`feePayer pubkey ${keyText(0)} is different from transaction pubkey ${keyText(1)}: invalid pubkey`),
    ],
    [
      'a signature of another length',
      { option: { feePayerSig: new Uint8Array(64) } },
      reason(
        "signature length doesn't match typical [R||S||V] signature 65 bytes: tx intended signer does not match the given signer",
      ),
    ],
    [
      'an invalid v',
      { option: { feePayerSig: new Uint8Array(65).fill(29) } },
      reason('failed to recover delegated fee payer from sig: invalid signature recovery id'),
    ],
    [
      'a signature from which no key is recovered',
      { option: { feePayerSig: new Uint8Array(65) } },
      reason('failed to recover delegated fee payer from sig: recovery failed'),
    ],
    [
      'a malleated signature, with s in the upper half',
      { option: { feePayerSig: upperHalf(sendSignature()) } },
      reason(
        'unable to verify signer signature of EIP712 typed data: tx intended signer does not match the given signer',
      ),
    ],
    [
      'another sign mode',
      { mode: singleMode(SignMode.DIRECT) },
      reason('unexpected SignatureData *signing.SingleSignatureData: wrong SignMode: feature not supported'),
    ],
    [
      'a signature of the transaction as well',
      { signature: new Uint8Array(65) },
      reason(
        'invalid signature value; EIP712 must have the cosmos transaction signature empty: maximum number of signatures exceeded',
      ),
    ],
    [
      'a second extension option',
      { body: { extensionOptions: [option, dynamic] } },
      reason('tx doesnt contain expected amount of extension options: unknown extension options'),
    ],
    [
      'messages of two types, even with the same members',
      {
        messages: [MsgDelegateSchema, MsgUndelegateSchema].map((schema) =>
          any(schema, { delegatorAddress: own.address, validatorAddress: operator(0), amount: achr(1n) }),
        ),
      },
      reason(
        'failed to create EIP-712 typed data from tx: unable to build EIP-712 payload: different types of messages detected',
      ),
    ],
    [
      'a message with members that the first one lacks',
      { messages: [any(MsgSendSchema, { ...send, amount: [] }), any(MsgSendSchema, send)] },
      reason('there is extra data provided in the message (2 < 3)'),
    ],
    ...[{ timeoutHeight: 9n }, { nonCriticalExtensionOptions: [dynamic] }].map((body): [string, Parts, string] => [
      `a field that typed data does not show: ${Object.keys(body).join()}`,
      { body },
      reason('failed to create EIP-712 typed data from tx: the transaction holds what typed data does not show'),
    ]),
  ])('is refused with %s', (_, parts, fault) => {
    const dev = new DevChain();
    expect(refused(web3(parts), dev)).toBe(`sdk 4: ${fault}`);
    // nothing is changed: the same account signs again at the same sequence
    expect(codes(dev.block(web3()))).toEqual([0]);
  });

  it('is refused with two signers', () => {
    const messages = [own, other].map(({ address }) => any(MsgSendSchema, { ...send, fromAddress: address }));
    expect(refused(web3({ messages, signers: 2 }))).toBe(
      'sdk 14: invalid number of signers (2);  EIP712 signatures allows just one signature: maximum number of signatures exceeded',
    );
  });

  it('is refused when the option follows another one', () => {
    expect(refused(web3({ body: { extensionOptions: [dynamic, option] } }))).toBe(
      `sdk 31: rejecting tx with unsupported extension option: ${WEB3_URL}: unknown extension options`,
    );
  });

  it('is refused with an empty signature and without the option', () => {
    expect(refused(web3({ body: { extensionOptions: [] } }))).toBe(
      'sdk 4: signature verification failed; please verify account number (0), sequence (0) and chain-id (chronicle_271828-1): unauthorized',
    );
  });

  const cosmosKey = any(CosmosKeySchema, { key: own.key });
  const cosmosAddress = addressOf(crypto, { kind: 'secp256k1', key: own.key });
  const threshold: ThresholdPublicKey = {
    kind: 'multisig',
    threshold: 1,
    keys: [{ kind: 'eth_secp256k1', key: own.key }],
  };
  const thresholdKey = any(LegacyAminoPubKeySchema, {
    threshold: 1,
    publicKeys: [any(PubKeySchema, { key: own.key })],
  });
  const multi: MessageInitShape<typeof ModeInfoSchema> = {
    sum: {
      case: 'multi',
      value: {
        bitarray: { extraBitsStored: 1, elems: Uint8Array.of(128) },
        modeInfos: [singleMode(SignMode.LEGACY_AMINO_JSON)],
      },
    },
  };

  it.each<[string, Uint8Array | undefined, Parts, string]>([
    [
      'a secp256k1 key of the Cosmos type',
      cosmosAddress,
      { key: cosmosKey },
      `feePayer pubkey PubKeySecp256k1{${hexOf(own.key)}} is different from transaction pubkey ${keyText(0)}: invalid pubkey`,
    ],
    [
      'a multisig key',
      addressOf(crypto, threshold),
      { key: thresholdKey, mode: multi, signature: encode(MultiSignatureSchema, { signatures: [new Uint8Array()] }) },
      'unexpected SignatureData *signing.MultiSignatureData: maximum number of signatures exceeded',
    ],
  ])('is refused with %s', (_, bytes, parts, fault) => {
    const from = encodeAddress('chron', bytes ?? new Uint8Array());
    const dev = new DevChain();
    const fund = { fromAddress: other.address, toAddress: from, amount: [achr(10n ** 18n)] };
    expect(codes(dev.block(signed(1, 0n, MsgSendSchema, fund)))).toEqual([0]);
    const messages = [any(MsgSendSchema, { ...send, fromAddress: from })];
    const feePayerSig = signature(typedData(from, sends(from), FIRST_NEW_ACCOUNT));
    const refusedTx = web3({ messages, option: { feePayer: from, feePayerSig }, ...parts });
    expect(refused(refusedTx, dev)).toBe(`sdk 4: ${reason(fault, FIRST_NEW_ACCOUNT)}`);
  });
});
