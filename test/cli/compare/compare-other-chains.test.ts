/**
 * Chains that were recorded from evmd (cosmos/evm v0.6.0) with other parameters, denominations and chain ids than
 * golden chain-a, one of them with a coin of six decimals: executed from their genesis as `debug compare-chain` does.
 * Both hold delegations, votes and proposals by contracts, calls that revert, tokens that lie, and fractions of coins.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareChain } from '../../../src/cli/compare/compare-chain.js';
import { openRecordedChain } from '../../../src/cli/compare/recorded-chain.js';
import { compareChainIn } from '../../../src/cli/daemon/compare-chain.js';
import type { ExecTxResult } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';

test.each([
  { name: 'aoak', of: 'a coin of 18 decimals, chain id acme-1', hashes: 375 },
  { name: 'uoak', of: 'a coin of 6 decimals, chain id six_4321-7', hashes: 270 },
])('compareChain reproduces the results, events and app hashes of a chain with $of', async ({ name, hashes }) => {
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

/** Heights of the chain aoak, the last of which have transactions. */
const HEIGHTS = 22;

const OWN_ID = { heights: HEIGHTS, evmChainId: 4321n };

/** Compares the first heights with a recording in which `change` was made to the results of each transaction. */
async function compareChanged(
  change: (result: ExecTxResult) => void,
  { heights, evmChainId }: { readonly heights: number; readonly evmChainId: bigint | undefined } = OWN_ID,
) {
  const recording = openRecordedChain(fileURLToPath(new URL('../../fixtures/chains/aoak', import.meta.url)));
  async function* blocks() {
    let count = 0;
    for await (const block of recording.blocks()) {
      if ((count += 1) > heights) return;
      block.results?.txResults.forEach(change);
      yield block;
    }
  }
  const options = { preset: 'evmd', evmChainId, crypto: await createHostCrypto() };
  return compareChain({ recording: { ...recording, blocks }, ...options });
}

test('a different log of a transaction is a remark, because no hash covers it; different gas is a difference', async () => {
  const compared = await compareChanged((result) => {
    result.log = 'otherwise';
  });
  expect(compared).toMatchObject({ equal: HEIGHTS - 1, recorded: HEIGHTS - 1, difference: undefined });
  expect(compared.remark?.text).toContain('log of transaction 0: ours ');
  expect(compared.remark?.text).toContain(', recorded otherwise');
  const other = await compareChanged((result) => {
    result.gasUsed += 1n;
  });
  expect(other.difference?.texts[0]).toContain('transaction 0: gas used: ours ');
});

test('compareChainIn asks for --evm-chain-id when the default of the preset does not fit', async () => {
  const folder = fileURLToPath(new URL('../../fixtures/chains/aoak', import.meta.url));
  await expect(compareChainIn({ folder, preset: 'evmd', evmChainId: undefined }, {})).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/and height \d+ differs with 262144, the default of preset evmd.*--evm-chain-id/),
  });
});

test('compareChain uses the EIP-155 id of the preset as long as the results agree', async () => {
  // The next block has the first Ethereum transaction.
  const heights = 18;
  const unchanged = await compareChanged(() => undefined, { heights, evmChainId: undefined });
  expect(unchanged).toMatchObject({ equal: heights - 1, recorded: heights - 1, difference: undefined });
});
