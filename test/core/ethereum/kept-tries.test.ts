import { expect, it } from 'vitest';
import { KeptTries } from '../../../src/core/ethereum/kept-tries.js';
import { MerkleTrie } from '../../../src/core/ethereum/merkle-trie.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';

const crypto = createPureCrypto();

/** A trie with this many entries. */
function trieOf(entries: number): MerkleTrie {
  const paths = Array.from({ length: entries }, (_, at) => new Uint8Array(32).fill(at + 1));
  return new MerkleTrie(
    crypto,
    paths.map((path) => ({ path, value: Uint8Array.of(1) })),
  );
}

const ONE = trieOf(1).bytes;

it('the trie cache keeps the most recently used tries within its byte limit', () => {
  const kept = new KeptTries(3 * ONE);
  for (const name of ['a', 'b', 'c']) kept.put(name, trieOf(1));
  expect(kept.get('a')).toBeDefined();
  kept.put('d', trieOf(1));
  expect(['a', 'b', 'c', 'd'].filter((name) => kept.get(name) !== undefined)).toEqual(['a', 'c', 'd']);
  expect(kept.bytes).toBe(3 * ONE);
  kept.put('e', trieOf(2));
  expect(['a', 'c', 'd', 'e'].filter((name) => kept.get(name) !== undefined)).toEqual(['d', 'e']);
  kept.delete('d');
  expect(kept.bytes).toBe(trieOf(2).bytes);
});

it('the trie cache measures a trie again when it is put again, and drops one above the limit', () => {
  const kept = new KeptTries(3 * ONE);
  const trie = trieOf(1);
  kept.put('a', trie);
  kept.put('b', trieOf(1));
  for (const other of [2, 3]) trie.add({ path: new Uint8Array(32).fill(other), value: Uint8Array.of(1) });
  kept.put('a', trie);
  expect([kept.get('a'), kept.get('b'), kept.bytes]).toEqual([trie, undefined, trie.bytes]);
  trie.add({ path: new Uint8Array(32).fill(4), value: Uint8Array.of(1) });
  kept.put('a', trie);
  expect([kept.get('a'), kept.bytes]).toEqual([undefined, 0]);
});
