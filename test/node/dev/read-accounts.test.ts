import { expect, it } from 'vitest';
import type { DumpPart, PartStart } from '../../../src/core/ethereum/state-proof.js';
import { readAccounts } from '../../../src/node/dev/read-accounts.js';

const address = (at: number): Uint8Array => new Uint8Array(20).fill(at);
const account = (at: number, nonce: bigint) => ({ address: address(at), nonce, balance: 0n, code: new Uint8Array(0) });
const slot = (at: number, value: number) => ({
  address: address(at),
  slot: new Uint8Array(32).fill(7),
  value: Uint8Array.of(value),
});
const next: PartStart = { table: 'accounts', start: Uint8Array.of(1) };
const PARTS: readonly DumpPart[] = [
  { slots: [slot(2, 5)], accounts: [], next },
  { slots: [slot(2, 6)], accounts: [], next },
  { slots: [], accounts: [account(1, 3n), account(2, 0n)], next },
  { slots: [], accounts: [account(3, 0n)], next: undefined },
];

/** Reads the parts one after the other, and counts the pauses. */
function parts() {
  let at = 0;
  const turns = { count: 0 };
  return {
    turns,
    pause: async () => void (turns.count += 1),
    read: async () => {
      const value = PARTS[at];
      at += 1;
      if (value === undefined) throw new Error('there are no more parts');
      return { ok: true as const, value };
    },
  };
}

it('readAccounts reads a state part by part, with a pause between two parts', async () => {
  const { turns, pause, read } = parts();
  const word = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? value : 0));
  const key = new Uint8Array(32).fill(7);
  expect(await readAccounts(read, { rows: 5, pause })).toEqual({
    ok: true,
    value: [
      { ...account(1, 3n), slots: [] },
      {
        ...account(2, 0n),
        slots: [
          { slot: key, value: word(5) },
          { slot: key, value: word(6) },
        ],
      },
    ],
  });
  expect(turns.count).toBe(PARTS.length - 1);
});

it('readAccounts refuses a state with more rows than its limit', async () => {
  const { pause, read } = parts();
  expect(await readAccounts(read, { rows: 4, pause })).toEqual({
    ok: false,
    error: { code: 'limit-exceeded', limit: 'devRevertRows', maximum: 4 },
  });
});
