import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hex } from '../../../src/core/bytes/hex.js';
import { deriveDevAccounts } from '../../../src/core/keys/accounts.js';
import { DEV_MNEMONIC } from '../../../src/core/keys/dev-mnemonic.js';
import { deriveAlong, derivePrivateKeys } from '../../../src/core/keys/hd-key.js';
import { mnemonicOf } from '../../../src/core/keys/mnemonic.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { createHostKeyCrypto } from '../../../src/runtime/host/key-crypto.js';

const native = createHostKeyCrypto({ keccak256: (data) => keccak_256(data) });
const HARDENED = 0x8000_0000;

test('BIP-32 test vector 1 (hardened and plain steps) gives its key and chain code', () => {
  const seed = Uint8Array.from({ length: 16 }, (_, i) => i);
  const { privateKey, chainCode } = deriveAlong(native, seed, [HARDENED, 1, HARDENED + 2, 2, 1_000_000_000]);
  expect(hex(privateKey)).toBe('471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8');
  expect(hex(chainCode)).toBe('c783e67b921d2beb8f6b389cc646d7263b4145701dadd2161548a8b078e65e9e');
});

test('BIP-32 test vector 3: a private key with leading zeros keeps its 32 bytes', () => {
  const seed = Uint8Array.from(
    Buffer.from(
      '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
      'hex',
    ),
  );
  const { privateKey } = deriveAlong(native, seed, []);
  expect(hex(privateKey)).toBe('00ddb80b067e0d4993197fe10f2657a844a384589847602d56f0c629c81aae32');
  expect(hex(deriveAlong(native, seed, [HARDENED]).privateKey)).toBe(
    '491f7a2eebc7b57028e0d3faa0acda02e75c33b03c48fb288c41e2ea44e1daef',
  );
});

test('key derivation along any path agrees with @scure/bip32', () => {
  const step = fc.record({ index: fc.nat(0x7fff_ffff), hardened: fc.boolean() });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.array(step, { maxLength: 4 }), (seed, steps) => {
      const path = ['m', ...steps.map(({ index, hardened }) => `${index}${hardened ? "'" : ''}`)].join('/');
      const theirs = HDKey.fromMasterSeed(seed).derive(path);
      const ours = deriveAlong(
        native,
        seed,
        steps.map(({ index, hardened }) => index + (hardened ? HARDENED : 0)),
      );
      expect(hex(ours.privateKey)).toBe(hex(theirs.privateKey ?? new Uint8Array()));
      expect(hex(ours.chainCode)).toBe(hex(theirs.chainCode ?? new Uint8Array()));
    }),
    { numRuns: 25 },
  );
});

test("account keys are derived from the mnemonic along m/44'/60'/0'/0/i", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (entropy) => {
      const words = mnemonicOf(entropy);
      const master = HDKey.fromMasterSeed(mnemonicToSeedSync(words));
      const theirs = [0, 1, 2].map((index) =>
        hex(master.derive(`m/44'/60'/0'/0/${index}`).privateKey ?? new Uint8Array()),
      );
      expect(derivePrivateKeys(native, words, 3).map(hex)).toEqual(theirs);
    }),
    { numRuns: 3 },
  );
});

test('native and pure key cryptography give the same accounts', () => {
  const options = { mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: 'chron' };
  expect(deriveDevAccounts(native, options)).toEqual(deriveDevAccounts(PURE_KEY_CRYPTO, options));
});

test.each([PURE_KEY_CRYPTO, native])('a private key of zero or not below the curve order is refused', (crypto) => {
  const { n } = secp256k1.Point.CURVE();
  const atOrder = Uint8Array.from(Buffer.from(n.toString(16), 'hex'));
  expect(() => crypto.publicPoint(new Uint8Array(32))).toThrow();
  expect(() => crypto.publicPoint(atOrder)).toThrow();
});
