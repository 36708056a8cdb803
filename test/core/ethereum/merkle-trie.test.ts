import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concat, equal } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { MerkleTrie, type TrieEntry } from '../../../src/core/ethereum/merkle-trie.js';
import { trieRoot } from '../../../src/core/ethereum/ordered-trie.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { verifyTrieProof } from '../../support/trie-proof.js';

const crypto = createPureCrypto();

/** Paths with long common prefixes, so that extensions, embedded nodes and neighbouring branches occur. */
const path = fc
  .tuple(
    fc.constantFrom(0, 1, 2),
    fc.constantFrom(0, 0x10, 0x1f, 0x20),
    fc.uint8Array({ minLength: 2, maxLength: 2 }),
    fc.constantFrom(0, 0x10, 0x0f),
  )
  .map(([start, second, end, last]) =>
    concat(Uint8Array.of(start, second), new Uint8Array(27).fill(start), end, Uint8Array.of(last)),
  );
const entries = fc.uniqueArray(fc.record({ path, value: fc.uint8Array({ minLength: 1, maxLength: 40 }) }), {
  selector: (entry: TrieEntry) => hex(entry.path),
  maxLength: 24,
});

it('a Merkle trie has the root of the yellow paper, and proves values and absences', () => {
  fc.assert(
    fc.property(entries, fc.array(path, { maxLength: 6 }), (written, asked) => {
      const trie = new MerkleTrie(crypto, written);
      expect(hex(trie.root)).toBe(
        hex(
          trieRoot(
            crypto,
            written.map(({ path: key, value }) => ({ key, value })),
          ),
        ),
      );
      for (const wanted of [...asked, ...written.map((entry) => entry.path)]) {
        const value = written.find((entry) => equal(entry.path, wanted))?.value;
        expect(verifyTrieProof(crypto, trie.root, trie.prove(wanted), wanted)).toEqual(value);
      }
    }),
    { numRuns: 200 },
  );
});

it('a Merkle trie with added and removed entries equals one built from the remaining entries', () => {
  fc.assert(
    fc.property(entries, entries, fc.array(path, { maxLength: 6 }), (first, then, asked) => {
      const changed = new MerkleTrie(crypto, first);
      changed.digest(() => undefined);
      for (const entry of then) {
        changed.remove(entry.path);
        changed.add(entry);
      }
      changed.digest(() => undefined);
      const removed = first.filter((_, at) => at % 2 === 0);
      for (const entry of removed) changed.remove(entry.path);
      const left = new Map([...first, ...then].map((entry) => [hex(entry.path), entry]));
      for (const entry of removed) left.delete(hex(entry.path));
      const made = new MerkleTrie(crypto, left.values());
      expect(hex(changed.root)).toBe(hex(made.root));
      for (const wanted of [...asked, ...first.map((entry) => entry.path)])
        expect(changed.prove(wanted)).toEqual(made.prove(wanted));
    }),
    { numRuns: 30 },
  );
});

it('a Merkle trie refuses a value longer than 255 bytes', () => {
  const trie = new MerkleTrie(crypto);
  const add = (bytes: number) => () =>
    trie.add({ path: new Uint8Array(32).fill(bytes & 255), value: new Uint8Array(bytes) });
  expect(add(255)).not.toThrow();
  expect(add(256)).toThrow('invariant');
});
