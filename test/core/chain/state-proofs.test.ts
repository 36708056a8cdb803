import { expect, it } from 'vitest';
import type { BlockContext } from '../../../src/core/application-requests.js';
import type { EthereumCalls } from '../../../src/core/application-ethereum.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { type ProvedStates, Proofs } from '../../../src/core/chain/state-proofs.js';
import type { PartStart, StatePart } from '../../../src/core/ethereum/state-proof.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';

const crypto = createPureCrypto();
const ACCOUNTS = 60;
const SLOTS = 40;

const addressOf = (at: number): Uint8Array => concat(new Uint8Array(12), be64(BigInt(at)));
const slots = Array.from({ length: SLOTS }, (_, at) => ({
  address: addressOf(at < 25 ? 3 : 9),
  slot: concat(new Uint8Array(24), be64(BigInt(at))),
  value: Uint8Array.of(at % 5),
}));
const accounts = Array.from({ length: ACCOUNTS }, (_, at) => ({
  address: addressOf(at),
  nonce: BigInt(at),
  balance: BigInt(at) * 1_000n,
  codeHash: crypto.keccak256(Uint8Array.of(at % 2)),
}));

/** A state that counts the rows read from it. */
function counted(rows: number) {
  const read = { slots: 0, accounts: 0 };
  const part = (place: PartStart | undefined): StatePart => {
    if (place?.table === 'contract') throw new Error('unexpected read of a contract');
    const { table, start } = place ?? { table: 'slots', start: Uint8Array.of(0) };
    const from = start[0] ?? 0;
    const to = from + rows;
    if (table === 'slots') {
      const found = slots.slice(from, to);
      read.slots += found.length;
      const next: PartStart =
        to < SLOTS ? { table, start: Uint8Array.of(to) } : { table: 'accounts', start: Uint8Array.of(0) };
      return { slots: found, accounts: [], next };
    }
    const found = accounts.slice(from, to);
    read.accounts += found.length;
    return { slots: [], accounts: found, next: to < ACCOUNTS ? { table, start: Uint8Array.of(to) } : undefined };
  };
  const ethereum: Pick<EthereumCalls, 'statePart' | 'changedAccounts' | 'proof'> = {
    changedAccounts: () => undefined,
    statePart: (_state, _at, place) => part(place),
    proof: (_state, _at, tries, address) => ({
      balance: 0n,
      nonce: 0n,
      codeHash: tries.emptyRoot,
      storageHash: tries.storageRoots.get(hex(address)) ?? tries.emptyRoot,
      accountProof: [tries.accounts.root, ...tries.accounts.prove(crypto.keccak256(address))],
      storageProof: [],
    }),
  };
  return { read, ethereum };
}

const now: ProvedStates = {
  read: async (_at, run) => ({ ok: true, value: run(EMPTY_STATE) }),
  written: async () => undefined,
};
const block = (hash: number): BlockContext => ({
  chainId: 'test',
  height: toHeight(1n),
  time: toTimeNs(0n),
  hash: new Uint8Array(32).fill(hash),
  proposer: new Uint8Array(20),
});
const asked = { address: addressOf(3), slots: [] };

it('a proof that times out is continued by the next request, and the whole state is read once', async () => {
  const whole = await new Proofs(crypto, () => false).prove(counted(1_000).ethereum, now, block(1), asked);
  expect(whole).toMatchObject({ ok: true, value: { storageHash: expect.any(Uint8Array) } });
  const { read, ethereum } = counted(7);
  let left = 0;
  const proofs = new Proofs(crypto, () => (left -= 1) < 0);
  let attempts = 0;
  for (let answer: unknown; answer === undefined; attempts += 1) {
    // Each attempt gets a little more time, because the last steps cannot be divided.
    left = 12 + attempts;
    const at = block(1);
    const states: ProvedStates = {
      ...now,
      read(of, run) {
        expect(of, 'the block of this request').toBe(at);
        return now.read(of, run);
      },
    };
    const proved = await proofs.prove(ethereum, states, at, asked);
    if (!proved.ok) throw new Error(proved.error.code);
    answer = proved.value;
    if (answer !== undefined) expect(proved).toEqual(whole);
  }
  expect(attempts).toBeGreaterThan(5);
  expect(read).toEqual({ slots: SLOTS, accounts: ACCOUNTS });
});

it.each([
  [
    { code: 'timeout', milliseconds: 0 },
    { ok: true, value: undefined },
  ],
  [
    { code: 'busy', what: 'ranges' },
    { ok: false, error: { code: 'busy', what: 'ranges' } },
  ],
] as const)(
  'a proof keeps the rows it has read when a later read fails with %j, also for later blocks',
  async (error, answer) => {
    const { read, ethereum } = counted(7);
    let left = 8;
    const states: ProvedStates = {
      read: async (at, run) => ((left -= 1) < 0 ? { ok: false, error } : now.read(at, run)),
      written: async () => [],
    };
    const proofs = new Proofs(crypto, () => false);
    const later: typeof ethereum = { ...ethereum, changedAccounts: () => [] };
    expect(await proofs.prove(later, states, block(1), asked)).toEqual(answer);
    left = 2;
    expect(await proofs.prove(later, states, block(2), asked)).toEqual(answer);
    left = 1_000;
    expect(await proofs.prove(later, states, block(3), asked)).toMatchObject({ ok: true, value: expect.anything() });
    expect(read).toEqual({ slots: SLOTS, accounts: ACCOUNTS });
  },
);

it('further proofs of the same block read no account, and proofs of another block read all accounts', async () => {
  const { read, ethereum } = counted(7);
  const proofs = new Proofs(crypto, () => false);
  for (const hash of [1, 1, 1, 2]) await proofs.prove(ethereum, now, block(hash), asked);
  expect(read.accounts).toBe(2 * ACCOUNTS);
});

it('proofs of a later block read only the rows written since, also when the earlier proof timed out', async () => {
  const { read, ethereum } = counted(7);
  const moved = { address: addressOf(3), nonce: 1n, balance: 2n, codeHash: new Uint8Array(32) };
  const later: typeof ethereum = {
    ...ethereum,
    changedAccounts: () => [{ address: moved.address, facts: moved, slots: slots.slice(0, 2) }],
  };
  let left = 5;
  const proofs = new Proofs(crypto, () => (left -= 1) < 0);
  expect(await proofs.prove(ethereum, now, block(1), asked)).toEqual({ ok: true, value: undefined });
  left = 1_000;
  const since: string[] = [];
  const states: ProvedStates = {
    ...now,
    written: async (from, to) => {
      since.push(`${from.hash[0]} to ${to.hash[0]}`);
      return [];
    },
  };
  const proved = await proofs.prove(later, states, block(2), asked);
  expect(await proofs.prove(later, states, block(2), { address: addressOf(4), slots: [] })).toMatchObject({ ok: true });
  expect(since).toEqual(['1 to 2']);
  expect(read).toEqual({ slots: SLOTS, accounts: ACCOUNTS });
  const before = await new Proofs(crypto, () => false).prove(ethereum, now, block(1), asked);
  expect(proved).toMatchObject({ ok: true });
  expect(proved).not.toEqual(before);
});

it('proofs of a later block read vesting accounts again, until vesting has ended', async () => {
  const { ethereum } = counted(1_000);
  const vesting = { address: addressOf(5), nonce: 5n, balance: 1n, codeHash: crypto.keccak256(Uint8Array.of(1)) };
  const begun: typeof ethereum = {
    ...ethereum,
    statePart(...request) {
      const part = ethereum.statePart(...request);
      const accounts = part.accounts.map((one) => (one.nonce === 5n ? { ...vesting, vests: true as const } : one));
      return { ...part, accounts };
    },
  };
  const others: (readonly string[])[] = [];
  const later: typeof ethereum = {
    ...ethereum,
    changedAccounts(_state, _at, _written, addresses) {
      others.push(addresses.map(hex));
      return addresses.map((address) => ({ address, facts: { ...vesting, balance: 5_000n }, slots: [] }));
    },
  };
  const states: ProvedStates = { ...now, written: async () => [] };
  const proofs = new Proofs(crypto, () => false);
  const first = await proofs.prove(begun, states, block(1), asked);
  const second = await proofs.prove(later, states, block(2), asked);
  await proofs.prove(later, states, block(3), asked);
  expect(others).toEqual([[hex(vesting.address)], []]);
  expect(second).not.toEqual(first);
  expect(second).toEqual(await new Proofs(crypto, () => false).prove(ethereum, now, block(2), asked));
});
