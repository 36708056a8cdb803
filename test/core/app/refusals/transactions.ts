/** Transactions that are refused before their messages run. */
import { type MessageInitShape } from '@bufbuild/protobuf';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { writeWrapper } from '../../../../src/core/ethereum/wrapper-codec.js';
import { MsgGrantSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema as Ed25519Schema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { ExtensionOptionDynamicFeeTxSchema } from '../../../../src/core/proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { ExtensionOptionsEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import * as erc20 from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { StakeAuthorizationSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  type ModeInfoSchema,
  TxBodySchema,
  TxRawSchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { account } from '../dev-chain.js';
import { PropertyChain } from '../properties/chain.js';
import { achr, any, bytesOf, person } from '../properties/people.js';
import { encode } from '../../../support/encode.js';

const GAS = 300_000n;
const PRICE = 2_000_000_000n;
const key = any(PubKeySchema, { key: account(0).key });
/** A message that grants a StakeAuthorization of this type; 0 and 9 are no valid types. */
const grantsStake = (authorizationType: number) =>
  any(MsgGrantSchema, {
    granter: person(0),
    grantee: person(1),
    grant: { authorization: any(StakeAuthorizationSchema, { authorizationType }) },
  });
const sends = any(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)] });
const single = { sum: { case: 'single' as const, value: { mode: SignMode.DIRECT } } };
const fee = { amount: [achr(GAS * PRICE)], gasLimit: GAS };

interface Parts {
  readonly body?: MessageInitShape<typeof TxBodySchema>;
  readonly signer?: { readonly publicKey?: typeof key | undefined; readonly sequence?: bigint };
  readonly fee?:
    | {
        readonly amount?: { denom: string; amount: string }[];
        readonly gasLimit?: bigint;
        readonly granter?: string;
        readonly payer?: string;
      }
    | undefined;
  readonly signatures?: readonly Uint8Array[];
  readonly modeInfo?: MessageInitShape<typeof ModeInfoSchema>;
}

/** A transaction of account 0 that sends one coin; `parts` replace its parts. */
export function tx(parts: Parts): Uint8Array {
  return encode(TxRawSchema, {
    bodyBytes: encode(TxBodySchema, { messages: [sends], ...parts.body }),
    authInfoBytes: encode(AuthInfoSchema, {
      signerInfos: [{ publicKey: key, modeInfo: parts.modeInfo ?? single, sequence: 0n, ...parts.signer }],
      ...('fee' in parts && parts.fee === undefined ? {} : { fee: { ...fee, ...parts.fee } }),
    }),
    signatures: [...(parts.signatures ?? [new Uint8Array(64)])],
  });
}

export const SETTINGS = {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '0.010000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};

const manyKeys = any(LegacyAminoPubKeySchema, {
  threshold: 1,
  publicKeys: [1, 2, 3, 4, 5, 6, 7, 8].map((fill) => any(Secp256k1Schema, { key: new Uint8Array(33).fill(fill) })),
});
/** Codespace, code and text of the transaction's result in the second block of a chain. */
export function refusalOf(bytes: Uint8Array, version: AppVersion = chronicle): string {
  const chain = new PropertyChain(version, SETTINGS);
  chain.block(chain.facts(1n, 0, []), []);
  const { results } = chain.dryRun(chain.facts(1n, 0, []), [bytes]);
  const [result] = results.txResults;
  return `${result?.codespace} ${result?.code}: ${result?.log}`;
}

const HEX0 = `0x${Buffer.from(bytesOf(person(0))).toString('hex')}`;
const convertsErc20 = (of: MessageInitShape<typeof erc20.MsgConvertERC20Schema>) =>
  any(erc20.MsgConvertERC20Schema, {
    contractAddress: HEX0,
    amount: '5',
    receiver: person(0),
    sender: HEX0,
    ...of,
  });
const convertsCoin = (of: { readonly coin?: { denom: string; amount: string }; readonly receiver?: string }) =>
  any(erc20.MsgConvertCoinSchema, { coin: achr(5n), receiver: HEX0, sender: person(0), ...of });

export interface RefusedTransaction {
  readonly tx: Uint8Array;
  readonly preset?: AppVersion;
  readonly refused: string;
}

const PANIC = 'undefined 111222: recovered: runtime error: invalid memory address or nil pointer dereference: panic';

export const TRANSACTIONS: readonly RefusedTransaction[] = [
  { tx: tx({ fee: undefined }), preset: evmd, refused: PANIC },
  { tx: Uint8Array.of(9, 2, 3), preset: evmd, refused: 'sdk 2: tx parse error' },
  {
    tx: tx({ fee: { granter: 'x' } }),
    preset: evmd,
    refused: 'undefined 111222: recovered: unknown address format: x: unknown address: panic',
  },
  ...[0, 9].map((type) => ({
    tx: tx({ body: { messages: [grantsStake(type)] } }),
    preset: evmd,
    refused:
      'undefined 111222: recovered: cannot normalize authz type with types.AuthorizationType: unknown authorization ' +
      'type: panic',
  })),
  {
    tx: tx({ body: { messages: [grantsStake(9)] } }),
    refused: 'authz 4: cannot normalize authz type with types.AuthorizationType: unknown authorization type',
  },
  {
    tx: tx({ fee: { granter: 'x' } }),
    refused: 'sdk 7: invalid fee granter address: unknown address format: x: unknown address: invalid address',
  },
  {
    tx: tx({ fee: { payer: 'x' } }),
    refused:
      'sdk 7: Invalid fee payer address (decoding bech32 failed: invalid bech32 string length 1): invalid address',
  },
  {
    tx: tx({ body: { messages: [any(MsgSendSchema, { toAddress: person(1), amount: [achr(1n)] })] } }),
    refused: 'sdk 7: empty address string is not allowed: invalid address',
  },
  {
    tx: tx({ body: { messages: [any(Ed25519Schema, {})] } }),
    refused:
      'sdk 2: no concrete type registered for type URL /cosmos.crypto.ed25519.PubKey against interface *types.Msg: ' +
      'tx parse error: tx parse error',
  },
  { tx: Uint8Array.of(9, 2, 3), refused: 'sdk 2: expected 2 wire type, got 1: tx parse error: tx parse error' },
  {
    tx: Uint8Array.of(1, 2, 3),
    refused: 'sdk 2: invalid length; proto: invalid field number: tx parse error: tx parse error',
  },
  // Recorded from evmd v0.6.0, CheckTx.
  ...[
    ['c0', 'rlp: too few elements for types.LegacyTx'],
    ['ff01', 'rlp: value size exceeds available input length'],
    ['050102', 'transaction type not supported'],
    ['7f', 'typed transaction too short'],
  ].map(([raw = '', reason = '']) => ({
    tx: writeWrapper({ from: bytesOf(person(0)), raw: Buffer.from(raw, 'hex'), denom: 'achr', fee: 1n, gasLimit: 1n }),
    refused: `sdk 2: ${reason}: tx parse error: tx parse error`,
  })),
  { tx: tx({ body: { messages: [] } }), refused: 'sdk 18: must contain at least one message: invalid request' },
  // Messages of erc20 that fail validation without the state are refused before a fee is charged.
  {
    tx: tx({ body: { messages: [convertsErc20({ contractAddress: '0x12' })] } }),
    refused: "sdk 7: invalid contract hex address '0x12': invalid address",
  },
  {
    tx: tx({ body: { messages: [convertsErc20({ amount: '-5' })] } }),
    refused: 'sdk 10: cannot mint a non-positive amount: invalid coins',
  },
  {
    tx: tx({ body: { messages: [convertsErc20({ receiver: 'nobody' })] } }),
    refused: 'undefined 1: invalid receiver address: decoding bech32 failed: invalid bech32 string length 6',
  },
  {
    tx: tx({ body: { messages: [convertsCoin({ coin: { denom: '', amount: '1' } })] } }),
    refused: 'sdk 10: denom cannot be empty: invalid coins',
  },
  {
    tx: tx({ body: { messages: [convertsCoin({ coin: { denom: 'achr', amount: '0' } })] } }),
    refused: 'sdk 10: cannot mint a non-positive amount: invalid coins',
  },
  {
    tx: tx({ body: { messages: [convertsCoin({ receiver: '0x1' })] } }),
    refused: 'sdk 7: invalid receiver hex address 0x1: invalid address',
  },
  {
    tx: tx({ body: { messages: [any(erc20.MsgRegisterERC20Schema, { signer: person(0), erc20addresses: ['0x1'] })] } }),
    refused: 'sdk 7: invalid ERC20 contract address: 0x1: invalid address',
  },
  {
    tx: tx({ body: { messages: [{ ...sends, typeUrl: '/no.such.Message' }] } }),
    refused: 'sdk 2: unable to resolve type URL /no.such.Message: tx parse error: tx parse error',
  },
  {
    tx: tx({ body: { messages: [{ ...sends, value: Uint8Array.of(10, 9) }] } }),
    refused: 'sdk 2: unexpected EOF: tx parse error: tx parse error',
  },
  {
    tx: tx({
      body: {
        extensionOptions: [any(ExtensionOptionDynamicFeeTxSchema, {}), any(ExtensionOptionsEthereumTxSchema, {})],
      },
    }),
    refused:
      'sdk 31: rejecting tx with unsupported extension option: /cosmos.evm.vm.v1.ExtensionOptionsEthereumTx: unknown ' +
      'extension options',
  },
  {
    tx: tx({ body: { extensionOptions: [any(MsgSendSchema, {})] } }),
    refused:
      'sdk 2: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface ' +
      '*tx.TxExtensionOptionI: tx parse error: tx parse error',
  },
  {
    tx: tx({ body: { memo: 'm'.repeat(257) } }),
    refused: 'sdk 12: maximum number of characters is 256 but received 257 characters: memo too large',
  },
  { tx: tx({ body: { timeoutHeight: 1n } }), refused: 'sdk 30: block height: 2, timeout height: 1: tx timeout height' },
  {
    tx: tx({ body: { timeoutTimestamp: { seconds: 1n, nanos: 0 } } }),
    refused:
      'sdk 42: block time: 2023-11-14 22:13:22 +0000 UTC, timeout timestamp: 1970-01-01 00:00:01 ' +
      '+0000 UTC: tx timeout',
  },
  {
    tx: tx({ body: { unordered: true, timeoutTimestamp: { seconds: 2_000_000_000n } } }),
    preset: evmd,
    refused: 'sdk 37: unordered transactions are not enabled: feature not supported',
  },
  { tx: tx({ fee: undefined }), refused: 'sdk 18: missing fee: invalid request' },
  {
    tx: tx({ fee: { gasLimit: 2n ** 63n } }),
    refused: 'sdk 41: tx gas limit 9223372036854775808 exceeds block max gas 30000000: invalid gas limit',
  },
  {
    tx: tx({ fee: { gasLimit: 0n } }),
    refused: 'sdk 11: out of gas in location: ReadFlat; gasWanted: 0, gasUsed: 1000: out of gas',
  },
  {
    tx: tx({ fee: { gasLimit: 1000n } }),
    refused: 'sdk 11: out of gas in location: ReadPerByte; gasWanted: 1000, gasUsed: 1003: out of gas',
  },
  { tx: tx({ fee: { amount: [achr(-1n)] } }), refused: 'sdk 13: invalid fee provided: -1achr: insufficient fee' },
  {
    tx: tx({ fee: { amount: [] } }),
    refused:
      'sdk 13: gas prices too low, got: 0.000000000000000000achr required: ' +
      '765625000.000000000000000000achr. Please retry using a higher gas price or a higher fee: insufficient fee',
  },
  {
    tx: tx({ fee: { amount: [achr(10n ** 60n)] } }),
    refused:
      'sdk 5: spendable balance 10000000000000000000000achr is smaller than ' +
      '1000000000000000000000000000000000000000000000000000000000000achr: insufficient funds: insufficient funds',
  },
  {
    tx: tx({ fee: { granter: person(1) } }),
    refused: 'sdk 38: (account 1) does not allow to pay fees for (account 0): fee-grant not found: not found',
  },
  { tx: tx({ fee: { payer: person(1) } }), refused: 'sdk 4: wrong number of signers; expected 2, got 1: unauthorized' },
  { tx: tx({ signatures: [] }), refused: 'sdk 15: no signatures supplied' },
  {
    tx: tx({ signatures: [new Uint8Array(64), new Uint8Array(64)] }),
    refused: 'sdk 4: wrong number of signers; expected 1, got 2: unauthorized',
  },
  {
    tx: tx({ signer: { sequence: 7n } }),
    refused: 'sdk 32: account sequence mismatch, expected 0, got 7: incorrect account sequence',
  },
  {
    tx: tx({ signer: { publicKey: undefined } }),
    refused: 'sdk 8: unrecognized/unsupported public key type: <nil>: invalid pubkey',
  },
  {
    tx: tx({ signer: { publicKey: any(PubKeySchema, { key: account(1).key }) } }),
    refused: 'sdk 8: pubKey does not match signer address (account 0) with signer index: 0: invalid pubkey',
  },
  {
    tx: tx({ signer: { publicKey: any(Ed25519Schema, { key: new Uint8Array(32) }) } }),
    refused: 'sdk 8: pubKey does not match signer address (account 0) with signer index: 0: invalid pubkey',
  },
  {
    tx: tx({ signer: { publicKey: manyKeys } }),
    refused: 'sdk 8: pubKey does not match signer address (account 0) with signer index: 0: invalid pubkey',
  },
  {
    tx: tx({
      body: { messages: [any(MsgSendSchema, { fromAddress: person(20), toAddress: person(1), amount: [achr(1n)] })] },
    }),
    refused: 'sdk 9: fee payer address: (account 20) does not exist: unknown address',
  },
];
