/**
 * Cosmos transactions around Ethereum ones: in the form of evmd, or with one mistake (cosmos/evm v0.6 `ante/evm`).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { hexToBytes } from 'viem';
import { writeWrapper } from '../../../src/core/ethereum/wrapper-codec.js';
import {
  ExtensionOptionsEthereumTxSchema,
  MsgEthereumTxSchema,
} from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { anyOf } from '../../support/sign-tx.js';
import type { Signed } from './transactions.js';
import { integer, type World } from './world.js';
import { encode } from '../../support/encode.js';

export function wrapped(world: World, signed: Signed): Uint8Array {
  const { player, raw, fee, gasLimit } = signed;
  return writeWrapper({ from: hexToBytes(player.address), raw, denom: world.feeDenom, fee, gasLimit });
}

type Part =
  | 'messages'
  | 'from'
  | 'raw'
  | 'option'
  | 'memo'
  | 'timeout'
  | 'fee'
  | 'payer'
  | 'signature'
  | 'bytes'
  | 'signer';

/** The transaction with one invalid part. */
export function misWrapped(world: World, signed: Signed, other: Signed): Uint8Array {
  const { random } = world;
  const part = random.pick<Part>([
    'messages',
    'from',
    'raw',
    'option',
    'memo',
    'timeout',
    'fee',
    'payer',
    'signature',
    'bytes',
    'signer',
  ]);
  const ethereum = anyOf(ExtensionOptionsEthereumTxSchema, {});
  const message = anyOf(MsgEthereumTxSchema, messageOf(world, signed, part));
  const amount = [{ denom: world.feeDenom, amount: String(signed.fee) }];
  const body = create(TxBodySchema, {
    messages: part === 'messages' ? messagesOf(world, message, other) : [message],
    memo: part === 'memo' ? random.pick(['x', 'y'.repeat(300)]) : '',
    timeoutHeight: part === 'timeout' ? integer(random, 64) : 0n,
    extensionOptions: part === 'option' ? optionsOf(world, ethereum) : [ethereum],
    nonCriticalExtensionOptions: part === 'option' && random.chance(0.2) ? [ethereum] : [],
  });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: part === 'signer' ? [{ sequence: BigInt(signed.player.nonce) }] : [],
    fee: {
      amount: part === 'fee' ? feeOf(world, signed) : signed.fee === 0n ? [] : amount,
      gasLimit: part === 'fee' && random.chance(0.4) ? signed.gasLimit + BigInt(random.below(3)) : signed.gasLimit,
      payer: part === 'payer' && random.chance(0.6) ? signed.player.bech32 : '',
      granter: part === 'payer' && random.chance(0.6) ? other.player.bech32 : '',
    },
  });
  const bytes = encode(TxRawSchema, {
    bodyBytes: toBinary(TxBodySchema, body),
    authInfoBytes: toBinary(AuthInfoSchema, authInfo),
    signatures: part === 'signature' ? [random.bytes(random.below(66))] : [],
  });
  return part === 'bytes' ? changed(world, bytes) : bytes;
}

function messageOf({ random }: World, { player, raw }: Signed, part: Part) {
  const from =
    part !== 'from'
      ? hexToBytes(player.address)
      : random.pick([
          new Uint8Array(0),
          new Uint8Array(20),
          random.bytes(20),
          random.bytes(32),
          hexToBytes(player.address).subarray(1),
        ]);
  if (part !== 'raw') return { from, raw };
  const other = random.pick([
    new Uint8Array(0),
    random.bytes(100),
    Uint8Array.of(3, ...raw.subarray(1)),
    Uint8Array.from([...raw, 0]),
    raw.subarray(0, random.below(raw.length)),
    raw.map((byte, index) => (index === raw.length >> 1 ? byte ^ 1 : byte)),
  ]);
  return { from, raw: other };
}

function messagesOf({ random }: World, message: Any, other: Signed): Any[] {
  const second = anyOf(MsgEthereumTxSchema, { from: hexToBytes(other.player.address), raw: other.raw });
  return random.pick([
    [],
    [message, second],
    [message, message],
    [create(AnySchema, { ...message, typeUrl: '/ethermint.evm.v1.MsgEthereumTx' })],
    [create(AnySchema, { ...message, typeUrl: '/cosmos.bank.v1beta1.MsgSend' })],
    [create(AnySchema, { ...message, value: Uint8Array.from([...message.value, 0x38, 1]) })],
  ]);
}

function optionsOf({ random }: World, ethereum: Any): Any[] {
  return random.pick([
    [],
    [ethereum, ethereum],
    [create(AnySchema, { typeUrl: '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx' }), ethereum],
    [ethereum, create(AnySchema, { typeUrl: '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx' })],
    [create(AnySchema, { typeUrl: '/ethermint.evm.v1.ExtensionOptionsEthereumTx' })],
    [create(AnySchema, { typeUrl: '/cosmos.unknown.Option' })],
    [create(AnySchema, { ...ethereum, value: Uint8Array.of(8, 1) })],
  ]);
}

function feeOf(world: World, { fee }: Signed) {
  const { random, feeDenom } = world;
  return random.pick([
    [],
    [{ denom: feeDenom, amount: String(fee + 1n) }],
    [{ denom: feeDenom, amount: '0' }],
    [{ denom: random.pick(world.denoms), amount: String(fee) }],
    [
      { denom: feeDenom, amount: String(fee) },
      { denom: 'zzz', amount: '1' },
    ],
    [{ denom: feeDenom, amount: 'x' }],
    [{ denom: feeDenom, amount: '-1' }],
  ]);
}

function changed({ random }: World, bytes: Uint8Array): Uint8Array {
  if (random.chance(0.3)) return bytes.subarray(0, random.below(bytes.length));
  if (random.chance(0.3)) return Uint8Array.from([...bytes, ...random.bytes(1 + random.below(5))]);
  const at = random.below(bytes.length);
  return bytes.map((byte, index) => (index === at ? byte ^ (1 << random.below(8)) : byte));
}
