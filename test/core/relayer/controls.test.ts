import { describe, expect, test } from 'vitest';
import {
  arranged,
  type ControlCommand,
  controlled,
  isDelayed,
  isHeld,
  isTooMuch,
  NO_CONTROLS,
} from '../../../src/core/relayer/controls.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';

const after = (...commands: readonly ControlCommand[]) => commands.reduce(controlled, NO_CONTROLS);
const hold = (...sequences: readonly bigint[]): ControlCommand => ({ kind: 'hold', sequences });
const release = (...sequences: readonly bigint[]): ControlCommand => ({ kind: 'release', sequences });
const ALL: ControlCommand = { kind: 'hold', sequences: undefined };
const NONE: ControlCommand = { kind: 'release', sequences: undefined };
const drop = (sequence: bigint): ControlCommand => ({ kind: 'drop', sequence });
const order = (...sequences: readonly bigint[]): ControlCommand => ({ kind: 'order', sequences });
const delay = (blocks: bigint, seconds: bigint): ControlCommand => ({ kind: 'delay', delay: { blocks, seconds } });

describe('held packets', () => {
  test.each<readonly [string, readonly ControlCommand[], string]>([
    ['none at first', [], ''],
    ['named ones', [hold(1n, 3n)], '1 3'],
    ['named ones except released ones', [hold(1n, 3n), release(3n)], '1'],
    ['all', [hold(2n), ALL], '1 2 3'],
    ['all except released ones', [ALL, release(2n)], '1 3'],
    ['one that is released and held again', [ALL, release(2n, 3n), hold(2n)], '1 2'],
    ['none after a release of all', [ALL, release(2n), NONE], ''],
  ])('are %s', (_, commands, held) => {
    const controls = after(...commands);
    expect([1n, 2n, 3n].filter((sequence) => isHeld(controls, sequence)).join(' ')).toBe(held);
  });
});

test('a release of all packets clears order and delay, and a release by sequence also undoes a drop', () => {
  const controls = after(drop(1n), drop(2n), order(3n, 2n), delay(1n, 2n), NONE);
  expect(controls).toEqual({ ...NO_CONTROLS, dropped: new Set([1n, 2n]) });
  expect(controlled(controls, release(2n)).dropped).toEqual(new Set([1n]));
  expect(controlled(controls, hold(2n)).dropped).toEqual(new Set([1n, 2n]));
});

describe('packets to relay', () => {
  const ready = (controls: ReturnType<typeof after>, some: readonly bigint[], waiting = [1n, 2n, 3n, 4n]) =>
    arranged(controls, some, new Set(waiting)).join(' ');

  test('follow the requested order, before all others', () => {
    expect(ready(after(order(3n, 1n)), [1n, 2n, 3n, 4n])).toBe('3 1 2 4');
  });
  test('wait for packets before them in the order that may still arrive', () => {
    expect(ready(after(order(3n, 1n, 4n)), [1n, 2n, 4n])).toBe('2');
    expect(ready(after(order(3n, 1n, 4n)), [2n, 3n, 4n])).toBe('3 2');
  });
  test('do not wait for dropped or finished packets', () => {
    expect(ready(after(order(3n, 1n), drop(3n)), [1n, 2n])).toBe('1 2');
    expect(ready(after(order(3n, 1n)), [1n, 2n], [1n, 2n])).toBe('1 2');
  });
});

test('a packet is delayed until its chain has advanced by the given blocks and seconds', () => {
  const SECOND = 1_000_000_000n;
  const sent = { height: 10n, time: 5n * SECOND };
  const at = (controls: ReturnType<typeof after>, height: bigint, time: bigint) =>
    isDelayed(controls, sent, { height, time: time * SECOND });
  expect(at(after(), 10n, 5n)).toBe(false);
  expect([11n, 12n].map((height) => at(after(delay(2n, 0n)), height, 5n))).toEqual([true, false]);
  expect([14n, 15n].map((time) => at(after(delay(0n, 10n)), 10n, time))).toEqual([true, false]);
});

test('relayer controls that name more packets than the limit are refused', () => {
  const sequences = Array.from({ length: FIXED_LIMITS.relayerControls }, (_, index) => BigInt(index));
  expect(isTooMuch(after(order(...sequences)))).toBe(false);
  expect(isTooMuch(after(order(...sequences), drop(1n)))).toBe(true);
  expect(isTooMuch(after(hold(...sequences), drop(1n)))).toBe(true);
});
