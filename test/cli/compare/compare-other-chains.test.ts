/**
 * Chains that were recorded from evmd (cosmos/evm v0.6.0) with other parameters, denominations and chain ids than
 * golden chain-a, one of them with a coin of six decimals: executed from their genesis as `debug compare-chain` does.
 * Both hold delegations, votes and proposals by contracts, calls that revert, tokens that lie, and fractions of coins.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareChain } from '../../../src/cli/compare/compare-chain.js';
import { openRecordedChain } from '../../../src/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';

test.each([
  { name: 'aoak', of: 'a coin of 18 decimals, chain id acme-1', hashes: 375 },
  { name: 'uoak', of: 'a coin of 6 decimals, chain id six_4321-7', hashes: 270 },
])('results, events and app hashes of a chain with $of', async ({ name, hashes }) => {
  const folder = fileURLToPath(new URL(`../../fixtures/chains/${name}`, import.meta.url));
  const { equal, recorded, difference } = await compareChain({
    recording: openRecordedChain(folder),
    preset: 'evmd',
    evmChainId: 4321n,
    crypto: await createHostCrypto(),
  });
  expect(difference).toBeUndefined();
  expect([equal, recorded]).toEqual([hashes, hashes]);
});
