/** Overlapping preparations of blocks: a lease in between may have changed the pool and the clock of the blocks. */
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import type { PrepareProposalRequest, PrepareProposalResult } from '../../../src/core/application-requests.js';
import { type ChainState, genesisChainState } from '../../../src/core/chain/chain-state.js';
import { emptyCommit } from '../../../src/core/comet/make-block.js';
import type { PoolTransaction } from '../../../src/core/mempool/pool-transaction.js';
import { type Height, toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import { BlockFiller, type BlockFillerOptions } from '../../../src/runtime/chain/block-filler.js';
import { nodeCrypto } from '../../core/comet/node-crypto.js';
import { CHAIN_ID, testSet, testSigner } from '../../core/consensus/validators.js';

const state = genesisChainState(nodeCrypto, {
  chainId: CHAIN_ID,
  initialHeight: toHeight(1n),
  time: toTimeNs(0n),
  validators: [
    create(ValidatorUpdateSchema, {
      pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: testSigner(0).publicKey } }),
      power: 10n,
    }),
  ],
  consensusParams: create(ConsensusParamsSchema, { block: { maxBytes: -1n, maxGas: 100_000n } }),
});

const transaction = (tx: number): PoolTransaction => ({
  hash: String(tx),
  tx: Uint8Array.of(tx),
  gasWanted: 60_000n,
  accounts: [],
  feeCap: 0n,
  tipCap: 0n,
  kind: 'ethereum',
});

function open(ledger: BlockFillerOptions['ledger'] = { state, upgradeHeight: undefined }, pendingGas = 120_000n) {
  const node = { waiting: [transaction(1), transaction(2)], isWaiting: false };
  const ends: ((result: PrepareProposalResult) => void)[] = [];
  const asked: PrepareProposalRequest[] = [];
  const filling = new BlockFiller({
    crypto: nodeCrypto,
    ledger,
    executor: { prepare: (request) => new Promise((resolve) => (asked.push(request), ends.push(resolve))) },
    evidence: node,
    pool: { pendingGas, reap: () => node.waiting },
  });
  return {
    asked,
    filling,
    node,
    prepareAt: (time: bigint) => filling.prepare({ commit: emptyCommit(), time: toTimeNs(time) }),
    /** Completes the executor's oldest preparation; returns how many were running before. */
    end: async (taken: number | readonly number[]): Promise<number> => {
      await new Promise(setImmediate);
      const running = ends.length;
      ends.shift()?.({
        kind: 'prepared',
        taken: typeof taken === 'number' ? Array.from({ length: taken }, (_, place) => place) : taken,
      });
      return running;
    },
  };
}

it('a preparation that was followed by a later request is discarded, and no block is built from it', async () => {
  const { filling, node, prepareAt, end } = open();
  const first = prepareAt(1n);
  await new Promise(setImmediate);
  const given = [prepareAt(2n), prepareAt(3n)];
  node.waiting = [transaction(3)];
  const last = prepareAt(4n);
  expect(await end(2)).toBe(1);
  expect([await first, filling.preparedAfter(state)]).toEqual([false, undefined]);
  // Preparations between the first and the last never reach the executor.
  expect(await end(1)).toBe(1);
  expect([await Promise.all(given), await last]).toEqual([[false, false], true]);
  expect(filling.preparedAfter(state)).toMatchObject({ carried: { time: 4n }, txs: [Uint8Array.of(3)] });
});

it('a block built from a preparation is recognised by its hash, and an unused preparation is discarded', async () => {
  const { filling, prepareAt, end } = open();
  const hash = new Uint8Array(32).fill(1);
  const prepared = prepareAt(1n);
  await end(1);
  await prepared;
  filling.built(state, hash);
  filling.discardUnbuilt();
  expect([filling.isPrepared(hash), filling.isPrepared(new Uint8Array(32))]).toEqual([true, false]);
  const again = prepareAt(2n);
  await end(1);
  await again;
  filling.discardUnbuilt();
  expect([filling.isPrepared(hash), filling.preparedAfter(state)]).toEqual([false, undefined]);
});

it('a prepared block has only the transactions that fitted, and the executor learns which share an account', async () => {
  const { filling, node, asked, prepareAt, end } = open();
  const using = (tx: number, ...addresses: readonly string[]): PoolTransaction => ({
    ...transaction(tx),
    accounts: addresses.map((address) => ({ address, nonce: 0n })),
  });
  node.waiting = [using(1, 'a'), using(2, 'b', 'a'), using(3, 'c'), using(4)];
  const prepared = prepareAt(1n);
  await end([0, 2, 3]);
  await prepared;
  expect(asked[0]?.txs.map(({ accounts }) => accounts)).toEqual([[0], [1, 0], [2], []]);
  expect(filling.preparedAfter(state)?.txs).toEqual([1, 3, 4].map((tx) => Uint8Array.of(tx)));
});

it('a block is prepared only if pending gas exceeds it, by a single validator, and not first or at a halt', () => {
  const second = { ...state, height: toHeight(1n), lastCommit: emptyCommit() };
  const unlimited = create(ConsensusParamsSchema, { block: { maxBytes: -1n, maxGas: -1n } });
  const two = testSet([testSigner(0), testSigner(1)]);
  const isWorthwhile = (head: ChainState, pendingGas: bigint, upgradeHeight?: Height): boolean =>
    open({ state: head, upgradeHeight }, pendingGas).filling.isWorthwhile();
  expect([isWorthwhile(second, 100_001n), isWorthwhile(second, 100_001n, toHeight(3n))]).toEqual([true, true]);
  expect(isWorthwhile(second, 100_000n)).toBe(false);
  expect(isWorthwhile({ ...second, consensusParams: unlimited }, 100_001n)).toBe(false);
  expect(isWorthwhile(state, 100_001n)).toBe(false);
  expect(isWorthwhile({ ...second, validators: two }, 100_001n)).toBe(false);
  expect(isWorthwhile(second, 100_001n, toHeight(2n))).toBe(false);
  // Evidence is executed before transactions.
  const opened = open({ state: second, upgradeHeight: undefined }, 100_001n);
  opened.node.isWaiting = true;
  expect(opened.filling.isWorthwhile()).toBe(false);
});
