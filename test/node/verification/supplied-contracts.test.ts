import { keccak_256 } from '@noble/hashes/sha3.js';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { type AddressTextsOptions, openAddressTexts } from '../../../src/node/verification/address-texts.js';
import { knownContracts } from '../../../src/node/verification/known-contracts.js';
import { SuppliedContracts } from '../../../src/node/verification/supplied-contracts.js';
import { Token } from '../../contracts/index.js';
import { temporaryFolder } from '../../support/temporary.js';

const AT = new Uint8Array(20).fill(7);
const TOKEN = { name: 'Token', abi: Token.abi, storageLayout: undefined };

function chain(place: Omit<AddressTextsOptions, 'maximum'> = { folder: undefined }) {
  const state = { code: Uint8Array.of(1, 2, 3) };
  const api = { blockNumber: () => toHeight(1n), code: () => ({ ok: true, value: state.code }) as const };
  const texts = openAddressTexts({ ...place, maximum: FIXED_LIMITS.suppliedContracts });
  const supplied = new SuppliedContracts(texts, api, { keccak256: (bytes) => keccak_256(bytes) });
  const verification = { contract: () => Promise.resolve(undefined) };
  const beside: { found: undefined | { name: string; abi: readonly unknown[]; runtime: 'match' } } = {
    found: undefined,
  };
  const compiled = { find: () => Promise.resolve(beside.found) };
  return { state, supplied, beside, known: knownContracts(verification, api, compiled, supplied) };
}

test('a supplied contract is known while its code is the same, until it is removed', async () => {
  const { state, supplied, beside, known } = chain();
  expect(await known(AT)).toBeUndefined();
  expect(await supplied.set(AT, TOKEN)).toEqual({ ok: true, value: undefined });
  expect(await known(AT)).toEqual({ origin: 'supplied', ...TOKEN });
  // what the machine compiled is known better
  beside.found = { name: 'Other', abi: [], runtime: 'match' };
  expect(await known(AT)).toMatchObject({ origin: 'artifacts', name: 'Other' });
  beside.found = undefined;
  state.code = Uint8Array.of(1, 2, 4);
  expect(await known(AT)).toBeUndefined();
  state.code = Uint8Array.of(1, 2, 3);
  expect(await known(AT)).toMatchObject({ name: 'Token' });
  expect(await supplied.set(AT, undefined)).toMatchObject({ ok: true });
  expect(await known(AT)).toBeUndefined();
});

test('a supplied contract survives a restart; a branch reads it and keeps its own changes', async () => {
  const folder = join(temporaryFolder(), 'supplied');
  const { supplied } = chain({ folder });
  expect(await supplied.find(AT)).toBeUndefined();
  await Promise.all([supplied.set(AT, { ...TOKEN, name: 'Old' }), supplied.set(AT, TOKEN)]);
  const [file = '', ...others] = readdirSync(folder);
  expect([file, others]).toEqual([`0x${'07'.repeat(20)}.json`, []]);
  await supplied.set(AT, TOKEN);
  const later = chain({ folder });
  expect(await later.supplied.find(AT)).toEqual(TOKEN);
  const branch = chain({ folder: undefined, below: folder });
  expect(await branch.supplied.find(AT)).toEqual(TOKEN);
  await branch.supplied.set(AT, { ...TOKEN, name: 'Mine' });
  expect(await branch.supplied.find(AT)).toMatchObject({ name: 'Mine' });
  await branch.supplied.set(AT, undefined);
  expect(await branch.supplied.find(AT)).toBeUndefined();
  expect(await later.supplied.find(AT)).toEqual(TOKEN);
  for (const damaged of ['', '{"name":"<b>","abi":[]}', '[]', '{"name":"Token","codeHash":"0x12"}']) {
    writeFileSync(join(folder, file), damaged);
    expect(await later.supplied.find(AT)).toBeUndefined();
  }
  await later.supplied.set(AT, undefined);
  expect(readdirSync(folder)).toEqual([]);
});

test('a supplied contract is refused for an account without code and above the limits', async () => {
  const { state, supplied } = chain();
  expect(await supplied.set(AT, TOKEN)).toMatchObject({ ok: true });
  const long = { ...TOKEN, abi: [{ name: 'x'.repeat(FIXED_LIMITS.suppliedContractCharacters) }] };
  const refused = { ok: false, error: { code: 'limit-exceeded', limit: 'suppliedContractCharacters' } };
  expect(await supplied.set(AT, long)).toMatchObject(refused);
  expect(await supplied.find(AT)).toEqual(TOKEN);
  for (let index = 1; index < FIXED_LIMITS.suppliedContracts; index += 1) {
    const other = Uint8Array.from([...AT.slice(2), index >> 8, index & 255]);
    // to forget what was never supplied takes no room
    expect(await supplied.set(other.toReversed(), undefined)).toMatchObject({ ok: true });
    expect((await supplied.set(other, { ...TOKEN, abi: [] })).ok).toBe(true);
  }
  const last = await supplied.set(new Uint8Array(20), { ...TOKEN, abi: [] });
  expect(last).toMatchObject({ ok: false, error: { limit: 'suppliedContracts' } });
  // a known contract may be supplied again
  expect((await supplied.set(AT, { ...TOKEN, name: 'New' })).ok).toBe(true);
  state.code = new Uint8Array();
  expect(await supplied.set(AT, TOKEN)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
});
