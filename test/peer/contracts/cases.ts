/** Calls from the table of functions. */
import type { Hex } from 'viem';
import { hexToBytes } from 'viem';
import { encodedCall, malformed } from './encode.js';
import { P256, type Row, TABLE } from './table.js';
import type { Argument, Value } from './values.js';

/** One call: its input depends on who calls. */
export interface Case {
  readonly name: string;
  readonly to: Hex;
  readonly by: number;
  readonly input: (caller: Hex) => Uint8Array;
}

const rightOf = ({ arguments: list }: Row): readonly Value[] => list.map(({ right }) => right);

function shown({ wrong }: Argument, index: number): string {
  const value = JSON.stringify(wrong[index], (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  return (value ?? 'the caller').slice(0, 90);
}

/** A valid call of each function. */
export const rightCases = (): readonly Case[] =>
  TABLE.map((row) => ({
    name: row.signature,
    to: row.to,
    by: row.by ?? 0,
    input: (caller) => encodedCall(row.signature, rightOf(row), caller),
  }));

/** Calls with one invalid argument. */
export function* wrongCases(): Generator<Case> {
  for (const row of TABLE) {
    const right = rightOf(row);
    for (const [at, argument] of row.arguments.entries())
      for (const [index, value] of argument.wrong.entries())
        yield {
          name: `${row.signature}: argument ${at} is ${shown(argument, index)}`,
          to: row.to,
          by: row.by ?? 0,
          input: (caller) => encodedCall(row.signature, right.with(at, value), caller),
        };
  }
}

/** Calls with a malformed encoding. */
export function* malformedCases(caller: Hex): Generator<Case> {
  for (const { name, to, by, input } of rightCases())
    for (const [how, bytes] of malformed(input(caller))) yield { name: `${name}: ${how}`, to, by, input: () => bytes };
  const signed = hexToBytes(P256.input);
  const changed = (at: number, byte: number): Uint8Array =>
    Uint8Array.from(signed, (old, index) => (index === at ? byte : old));
  const filled = (word: number, byte: number): Uint8Array =>
    Uint8Array.from(signed, (old, index) => (Math.floor(index / 32) === word ? byte : old));
  const inputs: readonly Uint8Array[] = [
    signed,
    ...[0, 31, 32, 95, 96, 159].map((at) => changed(at, 0x77)),
    ...[0, 1, 2, 3, 4].flatMap((word) => [filled(word, 0), filled(word, 0xff)]),
    ...[0, 1, 128, 159].map((length) => signed.subarray(0, length)),
    Buffer.concat([signed, Uint8Array.of(0)]),
    new Uint8Array(160),
  ];
  for (const [index, bytes] of inputs.entries())
    yield { name: `p256: input ${index}`, to: P256.to, by: 0, input: () => bytes };
}
