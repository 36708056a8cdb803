/** Any actor is restarted while clients of every face are active: the clients notice nothing. */
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { headerHashesOf } from '../../../src/core/ethereum/header-facts.js';
import { hexData, upperHex } from '../../../src/core/bytes/hex.js';
import { toHeight } from '../../../src/core/primitives.js';
import type { ActorId } from '../../../src/node/compose/actor-ids.js';
import { startDaemon } from '../../../src/node/daemon.js';
import { daemonOptions } from '../../../src/library/daemon-options.js';
import { createLogger } from '../../../src/node/logger.js';
import { seededRandom } from '../../support/faulty-store.js';
import { temporaryFolder } from '../../support/temporary.js';
import {
  consensusBlocks,
  consensusSender,
  consensusTransactions,
  ethereumSender,
  logs,
  newHeads,
  pendingTransactions,
  Poller,
  rpc,
} from './restart-clients.js';

/** CHRONICLED_RESTARTS and CHRONICLED_TEST_SEED choose the number of restarts and repeat a run. */
const RESTARTS = Number(process.env['CHRONICLED_RESTARTS'] ?? 200);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const ACTORS: readonly ActorId[] = ['consensus', 'mempool', 'upgradeKeeper', 'filterManager', 'subscriptionRegistry'];

interface Receipt {
  readonly status: string;
  readonly logs: readonly unknown[];
}

type Node = Awaited<ReturnType<typeof startDaemon>>['node'];

function txHashesAt({ api, crypto }: Node, height: bigint): readonly string[] {
  const txs = api.queries.chain.block(toHeight(height))?.block.data?.txs ?? [];
  return txs.map((tx) => upperHex(crypto.sha256(tx)));
}

function blockHashAt({ api }: Node, height: bigint): string {
  return hexData(headerHashesOf(api.queries.chain.results(toHeight(height)))?.hash ?? new Uint8Array());
}

test(
  `clients of every face notice none of ${RESTARTS} actor restarts under load (seed ${SEED})`,
  { timeout: 60_000 + RESTARTS * 1_000 },
  async () => {
    const random = seededRandom(SEED);
    const options = await daemonOptions({}, temporaryFolder(), true);
    const daemon = await startDaemon(options, await createLogger('silent', 'plain'));
    const { node, faces } = daemon;
    const http = `http://127.0.0.1:${faces.ports.eth_http}`;
    const ws = `ws://127.0.0.1:${faces.ports.eth_ws}`;
    const comet = `http://127.0.0.1:${faces.ports.comet}`;
    const cometWs = `ws://127.0.0.1:${faces.ports.comet}/websocket`;
    try {
      const subscribers = {
        heads: [newHeads(ws), newHeads(http.replace('http', 'ws'))],
        pending: [pendingTransactions(ws)],
        logs: [logs(ws)],
        blocks: [consensusBlocks(cometWs), consensusBlocks(cometWs)],
        transactions: [consensusTransactions(cometWs)],
      };
      const everybody = Object.values(subscribers).flat();
      await Promise.all(everybody.map((one) => one.ready()));
      const first = node.api.queries.chain.head().height;
      const pollers = {
        blocks: await Poller.create(http, 'eth_newBlockFilter'),
        pending: await Poller.create(http, 'eth_newPendingTransactionFilter'),
      };
      const ethereum = [ethereumSender(http, 0), ethereumSender(http, 1)];
      const cosmos = [consensusSender(comet, 2), consensusSender(comet, 3)];
      const senders = [...ethereum, ...cosmos];
      const acknowledged = (): number => senders.reduce((sum, { accepted }) => sum + accepted.length, 0);

      for (let restart = 0; restart < RESTARTS; restart += 1) {
        const actor = ACTORS[Math.floor(random() * ACTORS.length)] ?? 'mempool';
        const until = acknowledged() + Math.floor(random() * 3);
        while (acknowledged() < until) await new Promise((resolve) => setImmediate(resolve));
        await node.supervisor.restart(actor);
      }
      await Promise.all(senders.map((sender) => sender.stop()));
      // Everything is in a block before the last polls.
      while (node.mempool.view.pending > 0) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(Object.values(pollers).map((poller) => poller.stop()));

      // Everything that was acknowledged is in a block, and whatever was shown was shown once and in order.
      const { chain } = node.api.queries;
      const ethereumHashes = ethereum.flatMap(({ accepted }) => accepted);
      const cosmosHashes = cosmos.flatMap(({ accepted }) => accepted);
      const receipts = await Promise.all(
        ethereumHashes.map((hash) => rpc<Receipt | null>(http, 'eth_getTransactionReceipt', [hash])),
      );
      expect(receipts.filter((receipt) => receipt === null)).toEqual([]);
      for (const hash of cosmosHashes) await rpc(comet, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') });

      const last = chain.head().height;
      const heights = Array.from({ length: Number(last - first) }, (_, index) => first + BigInt(index + 1));
      const settled = (): boolean =>
        subscribers.heads.every(({ seen }) => seen.length >= heights.length) &&
        subscribers.blocks.every(({ seen }) => seen.length >= heights.length);
      for (let turns = 0; !settled() && turns < 5_000; turns += 1)
        await new Promise((resolve) => setTimeout(resolve, 1));

      expect(everybody.map(({ name, closed }) => [name, closed])).toEqual(
        everybody.map(({ name }) => [name, undefined]),
      );
      for (const { seen } of subscribers.heads)
        expect(seen).toEqual(heights.map((height) => `0x${height.toString(16)}`));
      for (const { seen } of subscribers.blocks) expect(seen).toEqual(heights.map(String));
      for (const { seen } of subscribers.transactions) {
        expect(new Set(seen).size).toBe(seen.length);
        expect(new Set(seen)).toEqual(new Set(heights.flatMap((height) => txHashesAt(node, height))));
      }
      for (const { seen } of subscribers.pending) expect(seen.toSorted()).toEqual(ethereumHashes.toSorted());
      const logged = ethereumHashes.filter((_, index) => (receipts[index]?.logs.length ?? 0) > 0);
      for (const { seen } of subscribers.logs) expect(seen.toSorted()).toEqual(logged.toSorted());
      expect(pollers.pending.collected.toSorted()).toEqual(ethereumHashes.toSorted());
      const hashes = heights.map((height) => blockHashAt(node, height));
      // The filter is younger than the subscriptions: blocks of its first moments may be missing, none in between.
      expect(hashes.slice(-pollers.blocks.collected.length)).toEqual(pollers.blocks.collected);
      expect(acknowledged()).toBeGreaterThan(RESTARTS / 2);
      for (const one of everybody) one.close();
    } finally {
      await daemon.stop();
    }
  },
);
