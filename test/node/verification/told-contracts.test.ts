import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { knownContracts } from '../../../src/node/verification/known-contracts.js';
import { ToldContracts } from '../../../src/node/verification/told-contracts.js';
import { Token } from '../../contracts/index.js';

const AT = new Uint8Array(20).fill(7);
const TOKEN = { name: 'Token', abi: Token.abi, storageLayout: undefined };

function chain() {
  const state = { code: Uint8Array.of(1, 2, 3) };
  const api = { blockNumber: () => toHeight(1n), code: () => ({ ok: true, value: state.code }) as const };
  const told = new ToldContracts(api, { keccak256: (bytes) => keccak_256(bytes) });
  const verification = { contract: () => Promise.resolve(undefined) };
  const beside: { found: undefined | { name: string; abi: readonly unknown[]; runtime: 'match' } } = {
    found: undefined,
  };
  const compiled = { find: () => Promise.resolve(beside.found) };
  return { state, told, beside, known: knownContracts(verification, api, compiled, told) };
}

test('a told contract is known as long as its code is the same, and until it is forgotten', async () => {
  const { state, told, beside, known } = chain();
  expect(await known(AT)).toBeUndefined();
  expect(told.tell(AT, TOKEN)).toEqual({ ok: true, value: undefined });
  expect(await known(AT)).toEqual({ origin: 'told', ...TOKEN });
  // what the machine compiled is known better
  beside.found = { name: 'Other', abi: [], runtime: 'match' };
  expect(await known(AT)).toMatchObject({ origin: 'artifacts', name: 'Other' });
  beside.found = undefined;
  state.code = Uint8Array.of(1, 2, 4);
  expect(await known(AT)).toBeUndefined();
  state.code = Uint8Array.of(1, 2, 3);
  expect(await known(AT)).toMatchObject({ name: 'Token' });
  expect(told.tell(AT, undefined)).toMatchObject({ ok: true });
  expect(await known(AT)).toBeUndefined();
});

test('an account without code, and too much, are refused, and change nothing', () => {
  const { state, told } = chain();
  expect(told.tell(AT, TOKEN)).toMatchObject({ ok: true });
  const long = { ...TOKEN, abi: [{ name: 'x'.repeat(FIXED_LIMITS.toldCharacters) }] };
  expect(told.tell(AT, long)).toMatchObject({ ok: false, error: { code: 'limit-exceeded', limit: 'toldCharacters' } });
  expect(told.find(AT)).toEqual(TOKEN);
  for (let index = 1; index < FIXED_LIMITS.toldContracts; index += 1)
    expect(told.tell(Uint8Array.from([...AT.slice(2), index >> 8, index & 255]), { ...TOKEN, abi: [] }).ok).toBe(true);
  const last = told.tell(new Uint8Array(20), { ...TOKEN, abi: [] });
  expect(last).toMatchObject({ ok: false, error: { limit: 'toldContracts' } });
  // one that is there may be told anew
  expect(told.tell(AT, { ...TOKEN, name: 'New' }).ok).toBe(true);
  state.code = new Uint8Array();
  expect(told.tell(AT, TOKEN)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
});
