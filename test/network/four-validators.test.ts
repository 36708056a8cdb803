/**
 * Four validators, whose processes are killed while clients send Ethereum and Cosmos transactions, and while a client
 * with filters and subscriptions reconnects to one of them.
 */
import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { play } from '../../src/testing/index.js';
import { call } from '../e2e/comet-client.js';
import { seededRandom } from '../support/faulty-store.js';
import { hashOfShown } from '../support/shown-header.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, comparedAgain, until } from './cometbft.js';
import { included, NetworkSender } from './network-sender.js';
import { Kills } from './kills.js';
import { filters, subscribers } from './reconnecting.js';
import { watchedNode } from './watched-node.js';
import { Validator } from './validators.js';

/** CHRONICLED_NETWORK_BLOCKS and CHRONICLED_TEST_SEED choose the length of the run and repeat its kills. */
const BLOCKS = Number(process.env['CHRONICLED_NETWORK_BLOCKS'] ?? '30');
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const VALIDATORS = 4;
/** Number of blocks after which a long run prints its progress. */
const TOLD = 50;
/** Accounts that send. A further account belongs to the reconnecting client. */
const SENDERS = [0, 2, 3, 4];
/** Number of reconnecting clients. The model does not know pending transactions of other clients. */
const CLIENTS = [
  { face: 'ethereum', commands: subscribers('newHeads') },
  { face: 'filters', commands: filters('newHeads') },
] as const;

/** Hashes of a block from the node and from its engine. */
async function hashesAt(node: Validator, height: number): Promise<string> {
  const number = `0x${height.toString(16)}`;
  const shown = await node.ask<{ readonly hash: string; readonly stateRoot: string }>(
    'eth_getBlockByNumber',
    number,
    false,
  );
  const { hash, stateRoot } = shown;
  expect(hashOfShown(shown)).toBe(hash);
  const { consensusHash } = await node.ask<{ readonly consensusHash: string }>('eth_getBlockHashes', number);
  const { block_id: id, block } = await call<{
    readonly block_id: { readonly hash: string };
    readonly block: { readonly header: { readonly app_hash: string } };
  }>(node.machine.rpc, 'block', { height: `${height}` });
  expect([consensusHash, stateRoot]).toEqual([id.hash, block.header.app_hash].map((text) => `0x${text.toLowerCase()}`));
  return `${hash} ${stateRoot}`;
}

describe.skipIf(!hasCometbft())('CometBFT with four validators over four nodes', () => {
  test(
    `agrees on ${BLOCKS} blocks and loses nothing acknowledged under kills of processes (seed ${SEED})`,
    { timeout: 120_000 + BLOCKS * 5_000 },
    async () => {
      const nodes = await Validator.startAll(VALIDATORS);
      await Promise.all(nodes.map((node) => node.reached(2)));
      const [watched] = nodes;
      if (watched === undefined) throw new Error('a node to watch');
      const kills = new Kills(nodes, seededRandom(SEED));
      const senders = nodes.map((node, index) => new NetworkSender(SENDERS[index] ?? index, node));
      let isOver = false;
      const tell = (height: number): void => {
        const count = senders.reduce((sum, { acknowledged: { length } }) => sum + length, 0);
        process.stdout.write(`${height} blocks, ${count} acknowledged; ${kills.told}\n`);
      };
      const killAll = async (): Promise<void> => {
        let told = 0;
        while (kills.height < BLOCKS)
          for (const { face, commands } of CLIENTS) {
            const target = await watchedNode(watched, kills, face);
            await play(target, commands);
            await target.stop?.();
            if (kills.height < told + TOLD) continue;
            // Prints interim results, so that an interrupted long run leaves some.
            told = kills.height;
            tell(told);
          }
        isOver = true;
      };
      await Promise.all([killAll(), ...senders.map((sender) => sender.run(() => isOver))]);

      const acknowledged = senders.flatMap((sender) => sender.acknowledged);
      const heights: number[] = [];
      for (const one of acknowledged) {
        const places = await Promise.all(nodes.map((node) => until(() => included(node, one))));
        expect(places).toEqual(nodes.map(() => ({ height: places[0]?.height, isSuccess: true })));
        heights.push(places[0]?.height ?? 0);
      }
      const last = Math.max(BLOCKS, ...heights) + 1;
      await Promise.all(nodes.map((node) => node.reached(last)));
      for (let height = 1; height <= last; height += 1) {
        const hashes = await Promise.all(nodes.map((node) => hashesAt(node, height)));
        expect(hashes).toEqual(nodes.map(() => hashes[0]));
      }
      expect(comparedAgain(watched.machine.rpc)).toBeGreaterThanOrEqual(last - 1);
      await Promise.all(nodes.map((node) => node.stop()));
      for (const { machine } of nodes) {
        const verified: unknown = JSON.parse(chronicled('log', 'verify', '--execute', '--home', machine.home));
        expect(verified).toMatchObject({ problems: [], execution: { disagreements: [] } });
      }
      tell(last);
    },
  );
});
