import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { toTimeNs } from '../../src/core/primitives.js';
import { crypto } from '../core/app/support.js';
import { call, latestHeight } from '../e2e/comet-client.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, CHAIN_ID, signedEthereum, type Signed } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { type CometProcess, hasCometbft } from './comet-process.js';
import {
  chronicled,
  type Machine,
  makeNetwork,
  shareGenesis,
  startApplication,
  startComet,
  until,
} from './cometbft.js';

const BLOCKS = Number(process.env['CHRONICLE_NETWORK_BLOCKS'] ?? '30');
const VALIDATORS = 4;

/** A genesis in which every home's key is a validator. */
function genesisOf(homes: readonly string[]): void {
  const validators = homes.map((home, index) => {
    const file = readFileSync(join(home, 'config', 'priv_validator_key.json'), 'utf8');
    const { pub_key: key }: { readonly pub_key: { readonly value: string } } = JSON.parse(file);
    return { publicKey: new Uint8Array(Buffer.from(key.value, 'base64')), power: 100n, name: `node${index}` };
  });
  const accounts = ACCOUNTS.map(({ bech32 }) => bech32);
  const time = toTimeNs(BigInt(Date.now()) * 1_000_000n);
  shareGenesis(homes, devGenesis(crypto, { chainId: CHAIN_ID, time, accounts, validators }));
}

interface Node {
  readonly machine: Machine;
  app: DaemonProcess;
  comet: CometProcess;
}

async function start(machine: Machine): Promise<Node> {
  const app = await startApplication(machine);
  return { machine, app, comet: startComet(machine) };
}

const ethereum = ({ app }: Node): string => app.endpoints.eth_http ?? '';

/** Resolves when the node has shown a block of this height. */
const reached = (node: Node, height: number): Promise<unknown> =>
  until(async () => Number(await callEthereum<string>(ethereum(node), 'eth_blockNumber')) >= height);

/** The hashes of a block as the faces of the node and its engine have them. */
async function hashesAt(node: Node, height: number): Promise<unknown> {
  const { hash, stateRoot } = await callEthereum<{ readonly hash: string; readonly stateRoot: string }>(
    ethereum(node),
    'eth_getBlockByNumber',
    [`0x${height.toString(16)}`, false],
  );
  const { block_id: id, block } = await call<{
    readonly block_id: { readonly hash: string };
    readonly block: { readonly header: { readonly app_hash: string } };
  }>(node.machine.rpc, 'block', { height: `${height}` });
  expect(hash).toBe(`0x${id.hash.toLowerCase()}`);
  expect(stateRoot).toBe(`0x${block.header.app_hash.toLowerCase()}`);
  return { hash, stateRoot };
}

describe.skipIf(!hasCometbft())('CometBFT with four validators over four nodes', () => {
  test(
    `gives equal app hashes over ${BLOCKS} blocks, and loses nothing acknowledged when processes are killed`,
    { timeout: 60_000 + BLOCKS * 3_000 },
    async () => {
      const machines = await makeNetwork(VALIDATORS, genesisOf);
      const nodes = await Promise.all(machines.map(start));
      const acknowledged: Signed[] = [];
      const nonces = ACCOUNTS.map(() => 0n);
      /** Sends a transaction of an account to one node; its answer is the promise. */
      const send = async (node: Node, account: number): Promise<void> => {
        const one = signedEthereum(account, nonces[account] ?? 0n);
        await callEthereum(ethereum(node), 'eth_sendRawTransaction', [one.ethereum?.raw]);
        nonces[account] = one.sequence + 1n;
        acknowledged.push(one);
      };
      await Promise.all(nodes.map((node) => reached(node, 2)));
      for (let round = 0, height = 2; height < BLOCKS; round += 1) {
        const victim = nodes[round % VALIDATORS];
        const other = nodes[(round + 1) % VALIDATORS];
        if (victim === undefined || other === undefined) throw new Error('four nodes');
        // Each account sends through one node as long as that lives, so that its nonces are in order there.
        await send(victim, round % ACCOUNTS.length);
        if (round % 2 === 0) {
          await victim.app.kill('SIGKILL');
          await victim.comet.exited;
          await send(other, (round + 5) % ACCOUNTS.length);
          victim.app = await startApplication(victim.machine);
        } else {
          await victim.comet.kill('SIGKILL');
          await send(other, (round + 5) % ACCOUNTS.length);
        }
        victim.comet = startComet(victim.machine);
        height = Math.max(height + 1, await latestHeight(other.machine.rpc));
        await reached(victim, height);
      }
      const [first] = nodes;
      if (first === undefined) throw new Error('four nodes');
      const receipts = await Promise.all(
        acknowledged.map(({ ethereum: sent }) =>
          until(() =>
            callEthereum<{ readonly status: string; readonly blockNumber: string } | null>(
              ethereum(first),
              'eth_getTransactionReceipt',
              [sent?.hash],
            ),
          ),
        ),
      );
      expect(receipts.map(({ status }) => status)).toEqual(acknowledged.map(() => '0x1'));
      const last = Math.max(BLOCKS, ...receipts.map(({ blockNumber }) => Number(blockNumber))) + 1;
      await Promise.all(nodes.map((node) => reached(node, last)));
      for (const height of [2, Math.floor(last / 2), last]) {
        const hashes = await Promise.all(nodes.map((node) => hashesAt(node, height)));
        expect(hashes).toEqual(nodes.map(() => hashes[0]));
      }
      await Promise.all(nodes.map(({ comet }) => comet.kill('SIGKILL')));
      await Promise.all(nodes.map(({ app }) => app.kill('SIGTERM')));
      const verified: unknown = JSON.parse(chronicled('log', 'verify', '--execute', '--home', first.machine.home));
      expect(verified).toMatchObject({ problems: [], execution: { disagreements: [] } });
    },
  );
});
