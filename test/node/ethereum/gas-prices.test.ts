/** The gas price of the next block, and the lowest price of admission. */
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { BlockIDSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { createGasPrices } from '../../../src/node/ethereum/gas-prices.js';

const head = (height: bigint, hash: number) => ({
  chainId: 'x',
  height: toHeight(height),
  time: toTimeNs(0n),
  lastBlockId: create(BlockIDSchema, { hash: Uint8Array.of(hash) }),
});

it.each([
  [5n, 3n, 5n],
  [3n, 5n, 5n],
  [0n, 0n, 0n],
])('a fee market minimum of %d and a node minimum of %d give the lowest gas price %d', (market, node, lowest) => {
  const prices = createGasPrices(
    { ethereum: { admissionBaseFee: () => 8n, nextBaseFee: () => 7n, minGasPrice: () => market } },
    EMPTY_STATE,
    { state: head(1n, 1) },
    node,
  );
  expect([prices.lowest(), prices.nextBaseFee(), prices.quotedBaseFee()]).toEqual([lowest, 7n, 8n]);
});

it('the lowest gas price without an EVM is that of the node', () => {
  const prices = createGasPrices({ ethereum: undefined }, EMPTY_STATE, { state: head(1n, 1) }, 4n);
  expect([prices.lowest(), prices.nextBaseFee(), prices.quotedBaseFee()]).toEqual([4n, 0n, 0n]);
});

it('gas prices are read once per head, and again for a new height or another block at the height', () => {
  let reads = 0n;
  const ethereum = { admissionBaseFee: () => 0n, nextBaseFee: () => (reads += 1n), minGasPrice: () => reads };
  const ledger = { state: head(1n, 1) };
  const prices = createGasPrices({ ethereum }, EMPTY_STATE, ledger, 0n);
  const read = () => [prices.nextBaseFee(), prices.lowest(), prices.nextBaseFee()];
  expect(read()).toEqual([1n, 0n, 1n]);
  ledger.state = { ...ledger.state, height: toHeight(2n) };
  expect(read()).toEqual([2n, 1n, 2n]);
  ledger.state = { ...ledger.state, lastBlockId: create(BlockIDSchema, { hash: Uint8Array.of(2) }) };
  expect(read()).toEqual([3n, 2n, 3n]);
});
