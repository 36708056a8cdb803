import { expect, test } from 'vitest';
import { chronicle } from '../../../src/core/app/presets.js';
import { OlderChainError, requireGenesisModules, refuseLostSigners } from '../../../src/runtime/chain/older-chain.js';
import { DevChain } from '../../core/app/dev-chain.js';

const { genesisWrites } = new DevChain();

/** Genesis writes as made by a build without these modules. */
const without = (...modules: readonly string[]) =>
  genesisWrites.filter(
    ({ store, key }) => store !== 'upgrade' || !modules.includes(new TextDecoder().decode(key.subarray(1))),
  );

test('a chain that began with all modules is accepted', () => {
  expect(() => requireGenesisModules(chronicle, { writes: genesisWrites })).not.toThrow();
});

test('a chain of an older build is refused with the names of the modules that it lacks', () => {
  const old = { writes: without('mint', 'staking') };
  expect(() => requireGenesisModules(chronicle, old)).toThrow(OlderChainError);
  expect(() => requireGenesisModules(chronicle, old)).toThrow(
    'its chain was begun when preset chronicle had no modules staking, mint',
  );
});

test('a module that an upgrade adds may be missing in the genesis', () => {
  const version = { ...chronicle, upgrades: new Map([['v2', { added: ['mint'], deleted: [], renamed: [] }]]) };
  expect(() => requireGenesisModules(version, { writes: without('mint') })).not.toThrow();
});

test('a chain on which upgrade v2 of an older build overwrote impersonated signers is refused', () => {
  const rows = (value: Uint8Array) => ({
    get: (store: string, [key]: Uint8Array) => (store === 'dev' && key === 6 ? value : undefined),
  });
  expect(() => refuseLostSigners(rows(new Uint8Array(2 * 85)))).not.toThrow();
  expect(() => refuseLostSigners(rows(Uint8Array.of(1)))).toThrow(OlderChainError);
  expect(() => refuseLostSigners(rows(Uint8Array.of(1)))).toThrow(
    'its chain applied the upgrade v2 with a build that wrote two rows of module dev at one key',
  );
});
