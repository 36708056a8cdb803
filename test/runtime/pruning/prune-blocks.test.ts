/** Deletions by the pruning of blocks, over the log of a chain whose validators and parameters change. */
import { beforeAll, expect, test } from 'vitest';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs, type Height, type Position } from '../../../src/core/primitives.js';
import { MsgUpdateParamsSchema } from '../../../src/core/proto/cosmos/consensus/v1/tx_pb.js';
import { MsgDelegateSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { readGenesis } from '../../../src/core/app/chain-of-genesis.js';
import { VoteOption } from '../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { decodeBech32, encodeAddress, moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { BlockPruning, pruneBlocks } from '../../../src/runtime/pruning/prune-blocks.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { txHash } from '../../../src/core/comet/body-hash.js';
import { blockIndexRows } from '../../../src/store/log/block-index.js';
import { revertedCursor } from '../../../src/store/index-rows/index-rows.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { SECTION } from '../../../src/store/codec/sections.js';
import { blocksFloorKey, PREFIX, recordKey } from '../../../src/store/keys.js';
import { readHead } from '../../../src/store/log/verify-tail.js';
import { crypto } from '../../core/app/support.js';
import { devOf, firing, value } from '../../node/dev/support.js';
import { accounts, send, signed, simulate } from '../../node/simulated-node.js';
import { MemoryStore } from '../../support/memory-store.js';
import { anyOf } from '../../support/sign-tx.js';
import { reopenable } from '../../support/reopenable.js';

const HEAD = 34n;
const LOWEST = toHeight(32n);
/** Heights at which validators and parameters change. */
const [DELEGATED, DECREED] = [9n, 20n];
const EVERYTHING = { start: Uint8Array.of(0), end: Uint8Array.of(255), limit: 100_000 };

/** The chain before any pruning; blocks 4 to 7 were abandoned once. */
const whole = new MemoryStore();
/** The transaction of block `DELEGATED`. */
let delegation: Uint8Array = new Uint8Array();

beforeAll(async () => {
  const simulated = await simulate({ store: reopenable(whole), crypto });
  const { commands, queries } = simulated.node.api;
  const { chain } = queries;
  const dev = devOf(simulated);
  await simulated.mineTo(3n);
  await value(dev.snapshot());
  await commands.broadcastTx(send(2, 1, 5n, 0n));
  await simulated.mineTo(7n);
  await value(dev.revert(1n));
  await simulated.mineTo(DELEGATED - 1n);
  const [voter = '', delegatorAddress = ''] = accounts.map(({ bech32 }) => bech32);
  const operator = decodeBech32(voter);
  if (operator === undefined) throw new Error('the first account has an address');
  const delegate = anyOf(MsgDelegateSchema, {
    delegatorAddress,
    validatorAddress: encodeAddress(`${operator.prefix}valoper`, operator.bytes),
    amount: { denom: 'achr', amount: `5${'0'.repeat(18)}` },
  });
  delegation = signed(1, delegate, 0n, 1n, 400_000n);
  await commands.broadcastTx(delegation);
  await simulated.mineTo(DECREED - 2n);
  const { block, evidence, validator } = readGenesis(chain.genesis().json).consensusParams;
  const params = anyOf(MsgUpdateParamsSchema, {
    authority: encodeAddress('chron', moduleAddress(crypto, 'gov')),
    block: { maxBytes: block?.maxBytes ?? 0n, maxGas: 20_000_000n },
    ...(evidence && { evidence }),
    ...(validator && { validator }),
  });
  const proposal = anyOf(MsgSubmitProposalSchema, {
    proposer: voter,
    initialDeposit: [{ denom: 'achr', amount: `${10n * 10n ** 18n}` }],
    title: 'gas',
    summary: 'less of it',
    messages: [params],
  });
  const vote = anyOf(MsgVoteSchema, { voter, proposalId: 1n, option: VoteOption.YES });
  for (const [at, message] of [proposal, vote].entries())
    await commands.broadcastTx(signed(0, message, BigInt(at), 0n, 500_000n));
  await simulated.mineTo(DECREED - 1n);
  await value(dev.increaseTime(3_600n));
  await simulated.mineTo(HEAD);
  expect(chain.results(toHeight(DELEGATED))?.validatorUpdates).toHaveLength(1);
  expect(chain.consensusParams(toHeight(DECREED + 1n))?.block?.maxGas).toBe(20_000_000n);
  await simulated.time.advance(1_000);
  await simulated.node.stop();
});

async function copied(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit((await whole.range(EVERYTHING)).map((row): StoreOperation => ({ type: 'put', ...row })));
  return store;
}

function optionsOf(store: MemoryStore) {
  const head = readHead(store);
  return { store, crypto, head: () => head, first: toHeight(1n) };
}

test('a pruned database whose index ends right below its lowest block passes verification', async () => {
  const store = await copied();
  const host = { ...readHostRows(store, toTimeNs(0n)), indexedThrough: toHeight(LOWEST - 1n) };
  const target = reopenable();
  await deriveDatabase({ log: await wholeLogOf({ store, crypto, witnessed: undefined }), host, target, crypto });
  const behind = new MemoryStore();
  await behind.commit((await target.range(EVERYTHING)).map((row): StoreOperation => ({ type: 'put', ...row })));
  expect(await pruneBlocks(optionsOf(behind), toHeight(HEAD), 1_000)).toBe(LOWEST);
  const now = toTimeNs(0n);
  const verified = { store: behind, crypto, witnessed: undefined, target: new MemoryStore(), now };
  expect(await verifyDatabase(verified)).toMatchObject({ problems: [], blocksFrom: LOWEST });
});

async function rowsOf(store: KeyValueStore): Promise<readonly string[]> {
  return (await store.range(EVERYTHING)).map(({ key, value }) => `${hex(key)}: ${hex(value)}`);
}

async function prunedCopy(): Promise<MemoryStore> {
  const store = await copied();
  expect(await pruneBlocks(optionsOf(store), toHeight(HEAD), 1_000)).toBe(LOWEST);
  return store;
}

async function problemsOf(store: KeyValueStore): Promise<readonly string[]> {
  const options = { crypto, witnessed: undefined, target: new MemoryStore(), now: toTimeNs(0n) };
  return (await verifyDatabase({ ...options, store })).problems.map(({ problem }) => problem);
}

async function logOf(store: KeyValueStore) {
  return openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
}

async function recordsOf(store: KeyValueStore, height: bigint): Promise<Position> {
  const place = (await logOf(store)).recordOf(toHeight(height))?.executed;
  if (place === undefined) throw new Error('the block is executed');
  return place.record;
}

test('the lowest height rises and is published before the first row is deleted', async () => {
  const store = await copied();
  const floors: Height[] = [];
  const pruning = new BlockPruning({ ...optionsOf(store), onFloor: (lowest) => floors.push(lowest) });
  const first = pruning.next(toHeight(HEAD), 1_000);
  expect(floors).toEqual([LOWEST]);
  expect(first).toMatchObject([{ type: 'put', key: blocksFloorKey() }]);
  await store.commit(first ?? []);
  expect(blocksFloor(store)).toMatchObject({ lowest: LOWEST, cleared: 1n });
  expect(pruning.next(toHeight(HEAD), 1_000)).toContainEqual(expect.objectContaining({ type: 'delete' }));
  expect(floors).toEqual([LOWEST]);
});

test('results that change validators or parameters are kept, so that the chain can be verified', async () => {
  const store = await prunedCopy();
  const kept: bigint[] = [];
  for (let height = 1n; height < LOWEST; height += 1n) {
    const row = store.get(recordKey(await recordsOf(store, height), SECTION.results));
    if (row !== undefined) kept.push(height);
  }
  expect(kept).toEqual([DELEGATED, DECREED]);
  expect(await problemsOf(store)).toEqual([]);
  const rebuilt = new MemoryStore();
  const log = await wholeLogOf({ store, crypto, witnessed: undefined });
  await deriveDatabase({ log, host: readHostRows(store, toTimeNs(0n)), target: rebuilt, crypto });
  expect(await problemsOf(rebuilt)).toEqual([]);
  const read = (await logOf(store)).read({ from: toPosition(1n) });
  const { before } = blocksFloor(store);
  expect(await reExecute(read, crypto, 10, before)).toMatchObject({ disagreements: [] });
});

test.each(['transactions', 'writes'] as const)(
  'a pruned block without its section %s is reported as damaged',
  async (section) => {
    const store = await prunedCopy();
    const key = recordKey(await recordsOf(store, DELEGATED), SECTION[section]);
    expect(store.get(key)).toBeDefined();
    await store.commit([{ type: 'delete', key }]);
    expect(await problemsOf(store)).toContainEqual(expect.stringContaining(`section ${section} is missing`));
  },
);

test('results that a pruned block still has are verified', async () => {
  const store = await prunedCopy();
  const key = recordKey(await recordsOf(store, DELEGATED), SECTION.results);
  await store.commit([{ type: 'put', key, value: Uint8Array.of(0) }]);
  expect(await problemsOf(store)).toContainEqual(expect.stringContaining('digest of section results differs'));
});

test('a pruning that is interrupted in the middle of a block deletes the same rows', async () => {
  const expected = await rowsOf(await prunedCopy());
  const store = await copied();
  const options = optionsOf(store);
  for (let slices = 0; ; slices += 1) {
    const pruning = new BlockPruning(options);
    // Whole blocks follow in the next life, so that every block is continued.
    const rows = slices % 2 === 0 ? 5 : 1_000;
    const operations = pruning.next(toHeight(HEAD), rows);
    if (operations === undefined) break;
    await store.commit(operations);
    expect(slices).toBeLessThan(1_000);
  }
  expect(await rowsOf(store)).toEqual(expected);
});

test('a block of many transactions is deleted in one slice per step, an empty block in one slice', async () => {
  const many = new MemoryStore();
  const simulated = await simulate({ store: reopenable(many), crypto });
  const addresses = Array.from({ length: FIXED_LIMITS.indexTxsPerStep }, (_, at) =>
    concat(new Uint8Array(12), be64(BigInt(at + 1))),
  );
  await simulated.mineTo(3n);
  await firing(simulated, devOf(simulated).setBalance(addresses, 5n));
  await simulated.mineTo(HEAD);
  const { chain } = simulated.node.api.queries;
  const txs = (height: bigint): number => chain.block(toHeight(height))?.block.data?.txs.length ?? 0;
  expect([3n, 4n, 5n].map(txs)).toEqual([0, addresses.length, 0]);
  await simulated.time.advance(1_000);
  await simulated.node.stop();
  const pruning = new BlockPruning(optionsOf(many));
  const slices = new Map<bigint, number>();
  for (;;) {
    const { cleared } = blocksFloor(many);
    const operations = pruning.next(toHeight(HEAD), 100_000);
    if (operations === undefined) break;
    slices.set(cleared, (slices.get(cleared) ?? 0) + 1);
    await many.commit(operations);
  }
  // Rows by hash, rows of the transactions that fill a step, the end of the transactions, and the rest.
  expect([3n, 4n, 5n].map((height) => slices.get(height))).toEqual([1, 4, 1]);
});

test('the hash of a transaction that a later block also contains still finds the later one', async () => {
  const store = await copied();
  const rows = blockIndexRows({
    height: LOWEST,
    blockHash: new Uint8Array(32),
    txHashes: [[txHash(crypto, delegation)]],
    evidenceHashes: [],
  }).filter(({ key }) => key[0] === PREFIX.txHash);
  expect(rows).toHaveLength(1);
  await store.commit(rows);
  await pruneBlocks(optionsOf(store), toHeight(HEAD), 1_000);
  expect(store.get(rows[0]?.key ?? new Uint8Array())).toBeDefined();
});

test('blocks that are not indexed yet are not pruned', async () => {
  const store = await copied();
  await store.commit([revertedCursor(toHeight(LOWEST - 2n), toHeight(1n))]);
  expect(await pruneBlocks(optionsOf(store), toHeight(HEAD), 1_000)).toBe(0n);
  await store.commit([revertedCursor(toHeight(LOWEST - 1n), toHeight(1n))]);
  expect(await pruneBlocks(optionsOf(store), toHeight(HEAD), 1_000)).toBe(LOWEST);
});
