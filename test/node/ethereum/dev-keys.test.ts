import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { fromHex, hex as toHex, hexData } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { createDevKeys } from '../../../src/node/ethereum/dev-keys.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';

const key = new Uint8Array(32).fill(7);
const addressOf = (privateKey: Uint8Array): string =>
  privateKeyToAccount(`0x${toHex(privateKey)}`).address.toLowerCase();

test('dev keys accept imported and generated keys, each once, up to a limit', () => {
  const keys = createDevKeys(() => [], createPureCrypto());
  const held = keys.hold(key);
  if (!held.ok) throw new Error(held.error.code);
  expect(hexData(held.value)).toBe(addressOf(key));
  expect(keys.sign(held.value, new Uint8Array(32).fill(1))).toBeDefined();
  expect(keys.hold(key)).toMatchObject({ ok: false, error: { message: 'account already exists' } });
  expect(keys.hold(new Uint8Array(32))).toMatchObject({ ok: false, error: { message: 'invalid private key' } });
  const made = keys.hold(undefined);
  expect(keys.addresses()).toEqual([held.value, ...(made.ok ? [made.value] : [])]);
  for (let more = 2; more < FIXED_LIMITS.devKeys; more += 1) expect(keys.hold(undefined).ok).toBe(true);
  expect(keys.hold(undefined)).toMatchObject({ ok: false, error: { code: 'limit-exceeded', limit: 'devKeys' } });
});

test('a released key cannot sign until it is imported again, also one of the start', () => {
  const keys = createDevKeys(
    () => [{ address: new Uint8Array(20).fill(1), privateKey: new Uint8Array(32).fill(1) }],
    createPureCrypto(),
  );
  const privateKey = new Uint8Array(32).fill(2);
  const given = keys.hold(privateKey);
  const address = given.ok ? given.value : new Uint8Array(0);
  expect(keys.release(new Uint8Array(20).fill(1))).toBe(true);
  expect(keys.release(new Uint8Array(20).fill(1))).toBe(false);
  expect(keys.addresses()).toEqual([address]);
  expect(keys.release(address)).toBe(true);
  expect(keys.sign(address, new Uint8Array(32).fill(3))).toBeUndefined();
  expect(keys.hold(privateKey)).toEqual({ ok: true, value: address });
});

test('keys of the start keep their order when other keys are imported or released', () => {
  const start = [1, 2].map((seed) => ({
    address: fromHex(addressOf(new Uint8Array(32).fill(seed)).slice(2)),
    privateKey: new Uint8Array(32).fill(seed),
  }));
  const [first, second] = start.map(({ address }) => address);
  const keys = createDevKeys(() => start, createPureCrypto());
  const given = keys.hold(key);
  expect(keys.release(first ?? key)).toBe(true);
  expect(keys.ofStart()).toEqual([
    { address: first, isHeld: false },
    { address: second, isHeld: true },
  ]);
  expect(keys.hold(new Uint8Array(32).fill(1)).ok).toBe(true);
  expect(keys.addresses()).toEqual([first, second, given.ok && given.value]);
});

test('restore() brings back released keys of the start, and keeps imported keys', () => {
  const ofStart = {
    address: fromHex(addressOf(new Uint8Array(32).fill(4)).slice(2)),
    privateKey: new Uint8Array(32).fill(4),
  };
  const keys = createDevKeys(() => [ofStart], createPureCrypto());
  const given = keys.hold(key);
  const other = given.ok ? given.value : new Uint8Array(0);
  expect(keys.release(ofStart.address)).toBe(true);
  expect(keys.hold(ofStart.privateKey)).toEqual({ ok: true, value: ofStart.address });
  keys.restore();
  expect(keys.addresses()).toEqual([ofStart.address, other]);
  expect(keys.release(ofStart.address)).toBe(true);
  keys.restore();
  expect(keys.addresses()).toEqual([ofStart.address, other]);
});
