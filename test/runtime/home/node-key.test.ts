/** The id of a node is the address of the key in its `node_key.json` (CometBFT v0.38 `p2p/key.go`). */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { createEd25519Signer } from '../../../src/runtime/host/signer.js';
import { generateKey, nodeId } from '../../../src/runtime/home/home.js';
import { goldenPath, hasGolden } from '../../support/golden.js';
import { temporaryFolder } from '../../support/temporary.js';

const crypto = createPureCrypto();
const make = () =>
  generateKey({ randomness: { bytes: (length) => new Uint8Array(length).fill(3) }, signerOf: createEd25519Signer });
const never = (): never => {
  throw new Error('a key was made');
};

test('a new home gets a key and keeps its node id', () => {
  const path = join(temporaryFolder(), 'node_key.json');
  const id = nodeId(path, crypto, make);
  expect(id).toMatch(/^[0-9a-f]{40}$/);
  const { id: kept, priv_key: key } = JSON.parse(readFileSync(path, 'utf8'));
  expect(kept).toBe(id);
  expect(key.type).toBe('tendermint/PrivKeyEd25519');
  expect(nodeId(path, crypto, never)).toBe(id);
  writeFileSync(path, JSON.stringify({ priv_key: key }));
  expect(nodeId(path, crypto, never)).toBe(id);
});

test('an id without a key, as earlier builds wrote it, is kept', () => {
  const path = join(temporaryFolder(), 'node_key.json');
  writeFileSync(path, JSON.stringify({ id: 'ab'.repeat(20) }));
  expect(nodeId(path, crypto, never)).toBe('ab'.repeat(20));
});

test.skipIf(!hasGolden)('node_key.json of CometBFT gives the same id as in CometBFT, and is not changed', () => {
  const path = join(temporaryFolder(), 'node_key.json');
  copyFileSync(goldenPath('chain-a/node_key.json'), path);
  expect(nodeId(path, crypto, never)).toBe('5e0388b493d6010a5817ff3ff5b86125d216d7f1');
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(goldenPath('chain-a/node_key.json'), 'utf8'));
});
