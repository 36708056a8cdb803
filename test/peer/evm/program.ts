/**
 * Random EVM programs: statements that leave the stack unchanged. Inputs of their calls are mostly valid for the
 * target. Results, gas and return data are stored, so that they change the app hash.
 */
import { type Hex, hexToBytes } from 'viem';
import { hex } from '../../../src/core/bytes/hex.js';
import { callData, SELF } from './call-data.js';
import { integer, someone, STATEFUL, WRAPPED, type World } from './world.js';

const OP = {
  keccak: 0x20,
  address: 0x30,
  pop: 0x50,
  mload: 0x51,
  mstore: 0x52,
  sload: 0x54,
  sstore: 0x55,
  jumpi: 0x57,
  gas: 0x5a,
  jumpdest: 0x5b,
  tload: 0x5c,
  tstore: 0x5d,
  returnDataSize: 0x3d,
  returnDataCopy: 0x3e,
  codeCopy: 0x39,
  stop: 0x00,
  return: 0xf3,
  revert: 0xfd,
  invalid: 0xfe,
  selfDestruct: 0xff,
} as const;
const ENVIRONMENT = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x58, 0x59,
];
const UNARY = [0x15, 0x19, 0x1e, 0x31, 0x31, 0x35, 0x3b, 0x3b, 0x3f, 0x3f, 0x40, 0x49, 0x54, 0x5c];
const BINARY = [
  1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d,
];
const CALLS = { call: 0xf1, callCode: 0xf2, delegateCall: 0xf4, staticCall: 0xfa } as const;
/** Memory offset of call inputs; programs read and write below it. */
const INPUT_AT = 0x200;

class Assembler {
  readonly #code: number[] = [];
  readonly #places: { readonly at: number; readonly data: Uint8Array }[] = [];

  op(...codes: readonly number[]): this {
    this.#code.push(...codes);
    return this;
  }

  push(value: bigint | number): this {
    const digits = value.toString(16);
    const bytes =
      value === 0 || value === 0n ? [] : hexToBytes(`0x${digits.padStart(digits.length + (digits.length % 2), '0')}`);
    return this.op(0x5f + bytes.length, ...bytes);
  }

  address(address: Hex): this {
    return this.op(0x73, ...hexToBytes(address));
  }

  /** Copies bytes that stand behind the code into memory. */
  load(data: Uint8Array, to: number): this {
    this.push(data.length).op(0x61);
    this.#places.push({ at: this.#code.length, data });
    return this.op(0, 0).push(to).op(OP.codeCopy);
  }

  /** Reverts with the last return data if the word on the stack is zero. */
  orRevert(): this {
    this.op(0x61);
    const at = this.#code.length;
    this.op(0, 0, OP.jumpi).op(OP.returnDataSize, 0x5f, 0x5f, OP.returnDataCopy, OP.returnDataSize, 0x5f, OP.revert);
    this.#code.splice(at, 2, this.#code.length >> 8, this.#code.length & 0xff);
    return this.op(OP.jumpdest);
  }

  done(): Uint8Array {
    const code = [...this.#code];
    for (const { at, data } of this.#places) {
      code.splice(at, 2, code.length >> 8, code.length & 0xff);
      code.push(...data);
    }
    return Uint8Array.from(code);
  }
}

function expression(world: World, to: Assembler, depth = 2): void {
  const { random } = world;
  const kind = depth === 0 ? random.below(3) : random.below(6);
  if (kind === 0) to.push(integer(random, 256));
  else if (kind === 1) to.op(random.pick(ENVIRONMENT));
  else if (kind === 2) to.address(someone(world));
  else if (kind === 3) {
    if (random.chance(0.6)) to.address(someone(world));
    else if (random.chance(0.5)) to.op(0x43).push(random.below(60)).op(0x90, 0x03);
    else expression(world, to, depth - 1);
    to.op(random.pick(UNARY));
  } else {
    expression(world, to, depth - 1);
    expression(world, to, depth - 1);
    to.op(random.pick(BINARY));
  }
}

/** Stores the word on the stack in a slot. */
const keep = ({ random }: World, to: Assembler): Assembler => to.push(random.below(8)).op(OP.sstore);

function call(world: World, to: Assembler): void {
  const { random } = world;
  const target = random.chance(0.45) ? random.pick([...STATEFUL, WRAPPED, ...world.tokens]) : someone(world);
  const data = callData(world, target, SELF);
  to.load(data, INPUT_AT);
  const words = hex(data);
  for (let at = words.indexOf(SELF.slice(2)); at !== -1; at = words.indexOf(SELF.slice(2), at + 1))
    if (at >= 24 && at % 2 === 0)
      to.op(OP.address)
        .push(INPUT_AT + at / 2 - 12)
        .op(OP.mstore);
  const kind = random.weighted<keyof typeof CALLS>([
    [8, 'call'],
    [1, 'callCode'],
    [2, 'delegateCall'],
    [2, 'staticCall'],
  ]);
  to.push(random.pick([0, 32, 64]))
    .push(random.below(100))
    .push(data.length)
    .push(INPUT_AT);
  if (kind === 'call' || kind === 'callCode') {
    if (random.chance(0.7)) to.push(0);
    else if (random.chance(0.5)) to.push(random.below(2000));
    else
      to.op(0x47)
        .push(random.pick([1, 2, 3]))
        .op(0x90, 0x04);
  }
  if (random.chance(0.1)) to.op(OP.address);
  else to.address(target);
  if (random.chance(0.75)) to.op(OP.gas);
  else
    to.push(random.pick([0, 100, 2300, 5000, 10_000, 20_000, 30_000, 50_000, 100_000, 200_000]) + random.below(3000));
  to.op(CALLS[kind]);
  if (random.chance(0.15)) to.orRevert();
  else if (random.chance(0.5)) keep(world, to);
  else to.op(OP.pop);
  returned(world, to);
}

/** Reads return data. */
function returned(world: World, to: Assembler): void {
  const { random } = world;
  if (random.chance(0.4)) keep(world, to.op(OP.gas));
  if (random.chance(0.3)) keep(world, to.op(OP.returnDataSize));
  if (random.chance(0.4)) {
    to.op(OP.returnDataSize, 0x5f).push(INPUT_AT).op(OP.returnDataCopy);
    keep(world, to.op(OP.returnDataSize).push(INPUT_AT).op(OP.keccak));
  }
  if (random.chance(0.03)) to.push(random.below(70)).push(random.below(70)).push(0).op(OP.returnDataCopy);
}

function creation(world: World, to: Assembler, depth: number): void {
  const { random } = world;
  const init = random.chance(0.6) ? deployment(world, depth - 1) : program(world, depth - 1);
  to.load(init, INPUT_AT);
  const salted = random.chance(0.5);
  if (salted) to.push(random.below(3));
  to.push(init.length).push(INPUT_AT);
  if (random.chance(0.6)) to.push(0);
  else to.push(random.below(1000));
  to.op(salted ? 0xf5 : 0xf0);
  if (random.chance(0.5)) {
    // calls the created contract
    to.op(0x80);
    const at = random.below(8);
    to.push(at).op(OP.sstore);
    to.push(0).push(0).push(0).push(0).push(random.below(50)).op(0x85).op(OP.gas, CALLS.call);
    keep(world, to);
    returned(world, to);
  }
  keep(world, to);
}

function statement(world: World, to: Assembler, depth: number): void {
  const { random } = world;
  const kind = random.weighted([
    [5, 'call'],
    [3, 'store'],
    [1, 'transient'],
    [1, 'memory'],
    [1, 'log'],
    [depth > 0 ? 1 : 0, 'create'],
    [1, 'copy'],
    [1, 'gas'],
  ] as const);
  switch (kind) {
    case 'call':
      return call(world, to);
    case 'store':
      if (random.chance(0.25)) to.push(0);
      else expression(world, to);
      return void keep(world, to);
    case 'transient':
      expression(world, to);
      return void to.push(random.below(4)).op(OP.tstore);
    case 'memory':
      expression(world, to);
      return void to.push(random.below(200)).op(OP.mstore);
    case 'log': {
      const topics = random.below(5);
      for (let index = 0; index < topics; index += 1) expression(world, to, 1);
      return void to
        .push(random.below(100))
        .push(random.below(100))
        .op(0xa0 + topics);
    }
    case 'create':
      return creation(world, to, depth);
    case 'copy':
      for (let index = 0; index < 3; index += 1) to.push(random.below(80));
      if (random.chance(0.3)) return void to.address(someone(world)).op(0x3c);
      return void to.op(random.pick([0x37, 0x39, 0x5e]));
    case 'gas':
      return void keep(world, to.op(OP.gas));
  }
}

function ending(world: World, to: Assembler): void {
  const { random } = world;
  const kind = random.weighted([
    [6, 'stop'],
    [4, 'return'],
    [2, 'revert'],
    [1, 'destroy'],
    [1, 'invalid'],
    [1, 'noise'],
  ] as const);
  if (kind === 'return') to.push(random.below(100)).push(random.below(100)).op(OP.return);
  else if (kind === 'revert') to.push(random.below(100)).push(random.below(100)).op(OP.revert);
  else if (kind === 'destroy') {
    if (random.chance(0.2)) to.op(OP.address, OP.selfDestruct);
    else to.address(someone(world)).op(OP.selfDestruct);
  } else if (kind === 'invalid') to.op(OP.invalid);
  else if (kind === 'noise') to.op(...random.bytes(20));
  else to.op(OP.stop);
}

/** A program. */
export function program(world: World, depth = 2): Uint8Array {
  const to = new Assembler();
  const statements = 1 + world.random.below(6);
  for (let index = 0; index < statements; index += 1) statement(world, to, depth);
  ending(world, to);
  return to.done();
}

/** Init code that deploys a program or other bytes as the contract's code. */
export function deployment(world: World, depth = 2): Uint8Array {
  const { random } = world;
  const to = new Assembler();
  if (random.chance(0.25)) statement(world, to, depth);
  const code = random.weighted<() => Uint8Array>([
    [12, () => program(world, Math.max(depth, 0))],
    [1, () => Uint8Array.of()],
    [1, () => Uint8Array.of(0xef, 0x00)],
    [1, () => Uint8Array.from([0xef, 0x01, 0x00, ...hexToBytes(someone(world))])],
    [1, () => new Uint8Array(24_570 + random.below(12))],
  ])();
  return to.load(code, 0).push(code.length).push(0).op(OP.return).done();
}
