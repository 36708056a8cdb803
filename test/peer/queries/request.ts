/** Random requests: fields with values of the chain, values of another kind, and hostile values. */
import { type DescField, type DescMessage, type Message, ScalarType, toBinary } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { PageRequestSchema } from '../../../src/core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { MsgEthereumTxSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { changed } from '../../fuzz/changed.js';
import type { Random } from '../random.js';
import { callJson, configJson, overridesJson } from './call-json.js';
import { type Kind, type KnownValues, kindWanted } from './known-values.js';

export interface Request {
  readonly bytes: Uint8Array;
  /** Undefined where the bytes were changed afterwards. */
  readonly message: Message | undefined;
}

/** Material of requests. */
export interface Material {
  readonly choices: Random;
  readonly known: KnownValues;
  /** Encoded `MsgEthereumTx` of the chain. */
  readonly ethereum: readonly Message[];
}

export function request(material: Material, desc: DescMessage): Request {
  const { choices } = material;
  if (choices.below(40) === 0) return { bytes: choices.bytes(choices.below(40)), message: undefined };
  const { message } = messageOf(material, desc, 0);
  const bytes = toBinary(desc, message);
  if (choices.below(12) === 0) return { bytes: changed([bytes], () => choices.below(2 ** 31)), message: undefined };
  if (choices.below(30) === 0) return { bytes: Buffer.concat([bytes, unknownField(choices)]), message: undefined };
  if (choices.below(30) === 0) return { bytes: Buffer.concat([bytes, bytes]), message: undefined };
  return { bytes, message };
}

/**
 * An unknown field. The SDK's decoder skips unknown fields whose number has bit 11 (1024) set, and refuses others.
 */
function unknownField(random: Random): Uint8Array {
  const number = random.pick([19, 100, 1000, 1024, 2047, 2048, 100_000]);
  const key = number << 3;
  const varint: number[] = [];
  for (let rest = key; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...varint, rest, 1]);
    varint.push((rest % 128) | 128);
  }
}

function messageOf(material: Material, desc: DescMessage, depth: number): ReflectMessage {
  const { choices, ethereum } = material;
  if (desc.typeName === PageRequestSchema.typeName) return page(material);
  if (desc.typeName === MsgEthereumTxSchema.typeName && ethereum.length > 0 && !(choices.below(8) === 0))
    return reflect(MsgEthereumTxSchema, choices.pick(ethereum) as never);
  const message = reflect(desc);
  if (desc.typeName === AnySchema.typeName || depth > 4) return message;
  for (const field of desc.fields) {
    if (choices.below(field.message === undefined ? 10 : 4) === 0) continue;
    // Forks of a trace: a chain configuration of random texts is refused at its first number.
    if (field.message?.typeName === 'cosmos.evm.vm.v1.ChainConfig' && !(choices.below(20) === 0)) continue;
    if (field.fieldKind === 'map') continue;
    if (field.fieldKind === 'list')
      for (let count = choices.pick([0, 1, 1, 2, 3]); count > 0; count -= 1)
        message.get(field).add(valueOf(material, field, depth) as never);
    else message.set(field, valueOf(material, field, depth) as never);
  }
  return message;
}

function valueOf(material: Material, field: DescField, depth: number): unknown {
  const { choices } = material;
  if (field.message !== undefined) return messageOf(material, field.message, depth + 1);
  if (field.enum !== undefined)
    return choices.below(8) === 0
      ? choices.pick([99, -1, 7])
      : choices.pick(field.enum.values.map(({ number }) => number));
  if (field.fieldKind === 'map') return undefined;
  return scalarOf(material, field.name, 'scalar' in field ? (field.scalar ?? ScalarType.STRING) : ScalarType.STRING);
}

const TEXTS = [
  '',
  ' ',
  'bad',
  '0x',
  '0x0',
  '0',
  '-1',
  '\u0000',
  'ü',
  'atest',
  'uatom',
  'ATEST',
  'a/b',
  '%',
  '*',
  'x'.repeat(129),
];
const TRACERS = [
  '',
  '',
  'callTracer',
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  'flatCallTracer',
  'nope',
];
const NONE = new Uint8Array();
/** The consensus address of the recorded chain's first validator. */
const PROPOSER = Buffer.from('2e1ca93285d58942ba2e22fd893ccac7c924c3a1', 'hex');
const NUMBERS = [0n, 1n, 2n, 3n, 5n, 10n, 100n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 1n];

/** Fields of other types, which no request has, stay at 0. */
function scalarOf(material: Material, name: string, type: ScalarType): unknown {
  const { choices } = material;
  if (type === ScalarType.BOOL) return choices.below(2) === 0;
  if (type === ScalarType.INT32 || type === ScalarType.UINT32) return choices.pick([0, 1, 2, 3, 10, 100, 2 ** 31 - 1]);
  if (type === ScalarType.INT64) {
    if (name === 'chain_id') return choices.pick([0n, 0n, 262_144n, 262_144n, 9001n, 1n, -1n]);
    return choices.below(6) === 0 ? choices.pick([-1n, -(2n ** 63n), 2n ** 63n - 1n]) : number(material);
  }
  if (type === ScalarType.UINT64) {
    if (name === 'gas_cap') return choices.pick([21_000n, 100_000n, 1_000_000n, 25_000_000n]);
    return choices.below(12) === 0 ? 2n ** 64n - 1n : number(material);
  }
  if (type === ScalarType.BYTES) return bytesOf(material, name);
  return type === ScalarType.STRING ? textOf(material, name) : 0;
}

function bytesOf(material: Material, name: string): Uint8Array {
  const { choices, known } = material;
  if (name === 'args') return callJson(material);
  if (name === 'proposer_address') return choices.pick([NONE, NONE, NONE, PROPOSER, PROPOSER, choices.bytes(20)]);
  if (name === 'overrides') return choices.below(2) === 0 ? NONE : overridesJson(material);
  if (choices.below(3) === 0) return choices.bytes(choices.pick([0, 1, 19, 20, 21, 32, 33, 255, 256]));
  const values = known.of('bytes').filter((value) => value instanceof Uint8Array);
  return values.length === 0 ? NONE : choices.pick(values);
}

function textOf(material: Material, name: string): string {
  const { choices } = material;
  if (name === 'tracer_json_config') return configJson(material);
  if (name === 'tracer') return choices.pick(TRACERS);
  if (name === 'timeout') return choices.pick(['', '', '5s', '5', 'bad', '-1s']);
  return text(material, kindWanted(name, ScalarType.STRING));
}

function number({ choices, known }: Material): bigint {
  const values = known.of('number').filter((value) => typeof value === 'bigint' && value >= 0n && value < 2n ** 63n);
  if (choices.below(4) === 0 && values.length > 0) return choices.pick(values) as bigint;
  return choices.below(3) === 0 ? choices.pick(NUMBERS) : BigInt(choices.below(13));
}

const TEXT_KINDS = ['account', 'operator', 'consensus', 'hex', 'hash', 'text'] as const satisfies readonly Kind[];

function text({ choices, known }: Material, wanted: Kind): string {
  const kind =
    choices.below(8) === 0 ? choices.pick(TEXT_KINDS) : wanted === 'account' && choices.below(3) === 0 ? 'hex' : wanted;
  const values = known.of(kind);
  if (values.length === 0 || choices.below(12) === 0) return choices.pick(TEXTS);
  const value = String(choices.pick(values));
  if (!(choices.below(20) === 0)) return value;
  const changes = [
    value.toUpperCase(),
    value.slice(0, -1),
    `${value} `,
    `${value}/`,
    value.replace(/.$/, 'q'),
    value.replace(/^cosmos/, 'cosmo'),
  ];
  return choices.pick(changes);
}

function page({ choices, known }: Material): ReflectMessage {
  const keys = known.of('pageKey');
  const message = reflect(PageRequestSchema);
  const wild = (): bigint => choices.pick([2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 1000n]);
  const values: Record<string, unknown> = {
    key:
      choices.below(2) === 0
        ? new Uint8Array()
        : keys.length > 0 && !(choices.below(3) === 0)
          ? choices.pick(keys)
          : choices.bytes(choices.pick([1, 2, 8, 20, 21, 32])),
    offset: choices.below(2) === 0 ? 0n : choices.below(5) === 0 ? wild() : BigInt(choices.below(6)),
    limit: choices.below(3) === 0 ? 0n : choices.below(6) === 0 ? wild() : BigInt(1 + choices.below(5)),
    count_total: choices.below(2) === 0,
    reverse: choices.below(3) === 0,
  };
  // An end beyond 2^64 is one of the differences of docs/interfaces/grpc.md.
  if (BigInt(String(values['offset'])) + BigInt(String(values['limit'])) >= 2n ** 64n) values['offset'] = 0n;
  for (const field of PageRequestSchema.fields) message.set(field, values[field.name] as never);
  return message;
}
