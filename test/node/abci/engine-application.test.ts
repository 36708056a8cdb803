/** A node behind an external consensus engine, driven by the calls that arrive at its ABCI socket. */
import { expect, test } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { toHeight } from '../../../src/core/primitives.js';
import { readGenesis } from '../../../src/core/app/chain-of-genesis.js';
import { VERSION } from '../../../src/runtime/host/version.js';
import { MemoryStore } from '../../support/memory-store.js';
import { plan, send, simulate, type SimulatedNode } from '../simulated-node.js';
import { block, make, started } from './engine-node.js';
import { reopenable } from '../../support/reopenable.js';

const headOf = ({ node }: SimulatedNode) => node.api.queries.chain.head();

/** InitChain as CometBFT sends it for the genesis of the node. */
function initChainOf({ node }: SimulatedNode, chainId?: string) {
  const document = readGenesis(node.api.queries.chain.genesis().json);
  return {
    ...document,
    chainId: chainId ?? document.chainId,
    appState: new TextEncoder().encode(JSON.stringify(document.appState)),
  };
}

test('InitChain of an empty chain accepts the genesis of the home, and refuses one with another chain id', async () => {
  const simulated = await started(new MemoryStore());
  const { engine, node } = simulated;
  expect(await engine.info()).toEqual({
    data: 'chronicled',
    version: VERSION,
    appVersion: 0n,
    lastBlockHeight: 0n,
    lastBlockAppHash: new Uint8Array(),
  });
  await expect(engine.initChain(initChainOf(simulated, 'other-1'))).rejects.toThrow(
    'the genesis of the engine has chain id other-1; the log of this home began with chronicle_271828-1',
  );
  const { validators, appHash } = await engine.initChain(initChainOf(simulated));
  expect(validators.map(({ power }) => power)).toEqual([10n]);
  expect(upperHex(appHash)).toBe('E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855');
  await node.stop();
});

test('a block becomes visible after Commit, not after FinalizeBlock', async () => {
  const simulated = await started(new MemoryStore());
  const { engine, node } = simulated;
  const results = await engine.finalizeBlock(block(simulated, 1n));
  expect(headOf(simulated).height).toBe(0n);
  expect(node.api.queries.chain.block(toHeight(1n))).toBeUndefined();
  expect(await engine.commit()).toEqual({ retainHeight: 0n });
  expect(headOf(simulated)).toMatchObject({
    height: 1n,
    appHash: results.appHash,
    blockHash: block(simulated, 1n).hash,
  });
  expect(await engine.info()).toMatchObject({ lastBlockHeight: 1n, lastBlockAppHash: results.appHash });
  await make(simulated, 2n, 2n);
  await engine.finalizeBlock(block(simulated, 3n));
  expect(await engine.commit()).toEqual({ retainHeight: 2n });
  await node.stop();
});

test('a block that is finalized twice, or replaced before Commit, is in the chain once', async () => {
  const simulated = await started(new MemoryStore());
  const { engine, node } = simulated;
  await make(simulated, 1n, 2n);
  const first = await engine.finalizeBlock(block(simulated, 3n));
  expect((await engine.finalizeBlock(block(simulated, 3n))).appHash).toEqual(first.appHash);
  const sent = send(1, 2, 5n, 0n);
  const other = await engine.finalizeBlock(block(simulated, 3n, [sent], 100));
  expect(other.appHash).not.toEqual(first.appHash);
  await engine.commit();
  expect(headOf(simulated)).toMatchObject({ height: 3n, appHash: other.appHash });
  await expect(engine.commit()).rejects.toThrow('the engine commits a block that it did not finalize');
  await expect(engine.finalizeBlock(block(simulated, 7n))).rejects.toThrow(
    'the engine decides block 7; the log of this home goes on with 4',
  );
  await make(simulated, 4n, 4n);
  await node.stop();
});

test('a restart before Commit resumes at the previous block, a restart after Commit at the committed block', async () => {
  const store = reopenable();
  const first = await started(store);
  await make(first, 1n, 3n);
  const lost = await first.engine.finalizeBlock(block(first, 4n));
  await first.node.stop();
  const second = await started(store);
  expect(await second.engine.info()).toMatchObject({ lastBlockHeight: 3n });
  expect((await second.engine.finalizeBlock(block(second, 4n))).appHash).toEqual(lost.appHash);
  await second.engine.commit();
  await second.node.stop();
  const third = await started(store);
  expect(await third.engine.info()).toMatchObject({ lastBlockHeight: 4n, lastBlockAppHash: lost.appHash });
  await third.node.stop();
  await expect(simulate({ store })).rejects.toThrow('use chronicled abci');
});

test('a broadcast transaction passes CheckTx, is proposed and committed, and then fails CheckTx', async () => {
  const simulated = await started(new MemoryStore());
  const { engine, node, time } = simulated;
  await make(simulated, 1n, 1n);
  const sent = send(1, 2, 5n, 0n);
  const admitted = node.api.commands.broadcastTx(sent);
  await time.advance(0);
  expect(await admitted).toMatchObject({ ok: true, value: { code: 0 } });
  expect(await engine.checkTx(sent, 'new')).toMatchObject({ code: 0, gasWanted: 200_000n });
  const next = block(simulated, 2n, [sent]);
  expect(await engine.prepareProposal({ maxTxBytes: 100_000n, txs: [] })).toEqual([sent]);
  expect(await engine.prepareProposal({ maxTxBytes: 10n, txs: [] })).toEqual([]);
  expect(await engine.processProposal(next)).toBe('accept');
  expect(await engine.processProposal({ ...next, txs: [new Uint8Array([1])] })).toBe('reject');
  const results = await engine.finalizeBlock(next);
  expect(results.txResults.map(({ code }) => code)).toEqual([0]);
  await engine.commit();
  expect(await engine.checkTx(sent, 'recheck')).toMatchObject({ code: 19, codespace: 'sdk' });
  expect(await engine.checkTx(sent, 'new')).toMatchObject({ code: 19, codespace: 'sdk' });
  expect(await engine.checkTx(new Uint8Array([1]), 'new')).toMatchObject({ code: 2, codespace: 'sdk' });
  await node.stop();
});

test('FinalizeBlock of an upgrade height never answers without the handler; a build with the handler executes it', async () => {
  const store = reopenable();
  const old = await started(store);
  await make(old, 1n, 1n);
  await old.engine.finalizeBlock(block(old, 2n, [plan('v2', 3n, 0n)]));
  await old.engine.commit();
  let answered = false;
  void old.engine.finalizeBlock(block(old, 3n)).finally(() => {
    answered = true;
  });
  await old.node.halted;
  expect(old.node.api.queries.status()).toMatchObject({ mode: 'halted', halt: { name: 'v2', height: 3n } });
  expect(headOf(old).height).toBe(2n);
  expect(answered).toBe(false);
  await old.node.stop();

  const next = await started(store, { appVersion: 'v2' });
  expect(await next.engine.info()).toMatchObject({ lastBlockHeight: 2n });
  await expect(next.engine.finalizeBlock(block(next, 3n, [], 7))).rejects.toThrow('has halted at block 0303');
  await next.engine.finalizeBlock(block(next, 3n));
  await next.engine.commit();
  await make(next, 4n, 4n);
  expect(headOf(next).height).toBe(4n);
  expect(next.node.api.queries.status()).toMatchObject({ mode: 'running', halt: undefined });
  await next.node.stop();
});
