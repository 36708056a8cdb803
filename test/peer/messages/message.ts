/** A random message of any type, field by field from its descriptor. */
import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from '@bufbuild/protobuf';
import { accepts_interface, scalar } from '../../../src/core/proto/cosmos_proto/cosmos_pb.js';
import { signer } from '../../../src/core/proto/cosmos/msg/v1/msg_pb.js';
import { numberOf } from '../../../src/core/sdk/codec/message-numbers.js';
import { anyAccepted } from './any.js';
import { deeper, type Making, type Value } from './making.js';
import { particular } from './particular.js';
import * as values from './values.js';
import { bytes, number, read, type WireField, write, writeOddly } from './wire.js';
import { isDue } from './world.js';

/** Nesting depth of messages. */
const DEPTH = 4;

export function messageBytes(making: Making, desc: DescMessage): Uint8Array {
  const { world } = making;
  const fields = desc.fields.flatMap((field) => fieldsOf(making, desc, field));
  return isDue(world) && world.random.chance(0.15) ? writeOddly(world.random, fields) : write(fields);
}

function fieldsOf(making: Making, desc: DescMessage, field: DescField): readonly WireField[] {
  const { world } = making;
  const no = field.number;
  if (isDue(world) && world.random.chance(0.3)) return [];
  const known = particular(making, desc, field);
  if (known !== undefined) return known.map((value) => encoded(no, value));
  if (isSigner(desc, field) && !isDue(world)) {
    const isOperator =
      getOption(field, scalar) === 'cosmos.ValidatorAddressString' || field.name === 'validator_address';
    return [bytes(no, Buffer.from(isOperator ? making.actor.operator : making.actor.bech32))];
  }
  const params = field.message && world.params.get(field.message.typeName);
  if (params !== undefined && field.message !== undefined) return [bytes(no, changed(making, field.message, params))];
  if (field.fieldKind === 'list') {
    if (field.message?.typeName.endsWith('.Coin') === true) return values.coins(world).map((value) => bytes(no, value));
    return Array.from({ length: world.random.pick([0, 1, 1, 2, 3]) }, () => encoded(no, single(making, field)));
  }
  return [encoded(no, single(making, field))];
}

function encoded(no: number, value: Value): WireField {
  if (typeof value === 'string') return bytes(no, Buffer.from(value));
  return value instanceof Uint8Array ? bytes(no, value) : number(no, BigInt(value));
}

const isSigner = (desc: DescMessage, field: DescField): boolean =>
  hasOption(desc, signer) && getOption(desc, signer).includes(field.name);

/** Current parameters with one or two changed fields. */
function changed(making: Making, desc: DescMessage, params: Uint8Array): Uint8Array {
  const { random } = making.world;
  let fields = read(params);
  for (let count = random.between(0, 2); count > 0; count -= 1) {
    const field = random.pick(desc.fields);
    const made = fieldsOf(making, desc, field);
    fields = [...fields.filter(({ no }) => no !== field.number), ...made].toSorted((a, b) => a.no - b.no);
  }
  return write(fields);
}

function single(making: Making, field: DescField): Value {
  const { world } = making;
  const { random } = world;
  if (field.message !== undefined) return inner(making, field.message, field);
  if (field.enum !== undefined)
    return isDue(world) ? random.pick([-1, 0, 99, 2 ** 31 - 1]) : random.pick(field.enum.values).number;
  const meaning = getOption(field, scalar);
  if (meaning === 'cosmos.AddressString') return values.address(world);
  if (meaning === 'cosmos.ValidatorAddressString') return values.operator(world);
  if (numberOf(field) === 'integer' || meaning === 'cosmos.Int') return values.amount(world);
  if (numberOf(field) === 'decimal') return values.decimalAtoms(world);
  if (meaning === 'cosmos.Dec') return values.decimalWord(world);
  if (/denom/.test(field.name) && field.scalar === ScalarType.STRING) return values.denom(world);
  if (field.scalar === ScalarType.STRING) return isDue(world) ? values.oddText(world) : values.plainText(world);
  if (field.scalar === ScalarType.BYTES)
    return random.bytes(isDue(world) ? random.below(70) : random.pick([0, 4, 20, 32]));
  if (field.scalar === ScalarType.BOOL) return isDue(world) ? random.pick([2, 0x100]) : random.chance(0.5);
  return values.integer(world);
}

function inner(making: Making, desc: DescMessage, field: DescField): Value {
  const { world, depth } = making;
  switch (desc.typeName) {
    case 'google.protobuf.Any':
      return anyAccepted(making, hasOption(field, accepts_interface) ? getOption(field, accepts_interface) : '');
    case 'google.protobuf.Duration':
      return values.duration(world);
    case 'google.protobuf.Timestamp':
      return values.timestamp(world);
    case 'cosmos.base.v1beta1.Coin':
      return values.coin(world);
    default:
      return depth >= DEPTH ? new Uint8Array() : messageBytes(deeper(making), desc);
  }
}
