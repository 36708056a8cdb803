import { expect, test } from 'vitest';
import { compiledContracts } from '../../../src/core/abi/compilation.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';

const found = (contracts: Readonly<Record<string, readonly string[]>>): readonly (readonly [string, string])[] => {
  const compiled = { abi: [], evm: { deployedBytecode: { object: '6001' } } };
  const output = Object.fromEntries(
    Object.entries(contracts).map(([source, names]) => [
      source,
      Object.fromEntries(names.map((name) => [name, compiled])),
    ]),
  );
  const byName = compiledContracts(PURE_KEY_CRYPTO, { contracts: output }) ?? [];
  return [...byName].map(([qualified, { name }]) => [qualified, name]);
};

test('the compiler output keeps every contract name, also one with a dollar sign', () => {
  expect(found({ 'a.sol': ['Token', '$Token_1'], 'b.sol': ['Token'] })).toEqual([
    ['a.sol:Token', 'Token'],
    ['a.sol:$Token_1', '$Token_1'],
    ['b.sol:Token', 'Token'],
  ]);
});

test('contracts and sources whose names are too long or not printable are left out of the compiler output', () => {
  const longest = 'n'.repeat(FIXED_LIMITS.identifierCharacters);
  expect(found({ 'a.sol': ['n'.repeat(100_000), `${longest}n`, '', 'a b', 'a\nb', 'a\n', longest] })).toEqual([
    [`a.sol:${longest}`, longest],
  ]);
  const source = 's'.repeat(FIXED_LIMITS.sourceNameCharacters);
  expect(found({ [source]: ['Token'], [`${source}s`]: ['Token'] })).toEqual([[`${source}:Token`, 'Token']]);
});
