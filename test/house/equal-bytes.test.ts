/** Byte arrays are compared fast (`test/support/equal-bytes.ts`), and no less strictly. */
import { describe, expect, test } from 'vitest';

const bytes = Uint8Array.of(1, 2, 3);

describe('byte arrays', () => {
  test('are equal by their bytes, also inside other values', () => {
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3));
    expect({ rows: [{ value: bytes }] }).toStrictEqual({ rows: [{ value: bytes.slice() }] });
    expect({ rows: [{ value: bytes }], more: 1 }).toMatchObject({ rows: [{ value: bytes.slice() }] });
  });

  test.each([
    ['of another byte', Uint8Array.of(1, 2, 4)],
    ['of another length', Uint8Array.of(1, 2, 3, 0)],
    ['of another class', Buffer.of(1, 2, 3)],
    ['of wider elements', Uint16Array.of(1, 2, 3)],
    ['as a list', [1, 2, 3]],
  ])('%s are not equal', (_, other) => {
    expect(bytes).not.toEqual(other);
    expect({ rows: [bytes] }).not.toEqual({ rows: [other] });
    expect({ rows: [bytes] }).not.toMatchObject({ rows: [other] });
  });

  test('of a megabyte are compared quickly', () => {
    expect(new Uint8Array(2 ** 20).fill(7)).toEqual(new Uint8Array(2 ** 20).fill(7));
  });
});
