/** Unmodified anvil loads a state dump of a node. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestClient, http, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { afterwards } from '../support/temporary.js';
import { CLIENTS, isInstalled } from './clients.js';

const MS_MAX = 120_000;
const CONTRACT = '0x00000000000000000000000000000000000000aa';
const WORD = `0x${'05'.repeat(32)}` as const;
const PROGRAM = 'node_modules/.bin/anvil';

const clientOf = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, transport: http(url) }).extend(publicActions);

/** A recently free port: anvil does not report a port that the system chose. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/** Starts anvil. Resolves with its URL when it listens. */
async function startAnvil(): Promise<string> {
  const port = await freePort();
  const anvil = spawn(join(CLIENTS, PROGRAM), ['--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  afterwards(() => void anvil.kill());
  let output = '';
  for await (const piece of anvil.stdout) {
    output += String(piece);
    if (output.includes('Listening on')) break;
  }
  return `http://127.0.0.1:${port}`;
}

describe.skipIf(!isInstalled('anvil', PROGRAM))('anvil', () => {
  it(
    'loads a state dump of a node, and continues from its block',
    async () => {
      const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
      const node = clientOf(daemon.endpoints.eth_http ?? '');
      await node.setBalance({ address: CONTRACT, value: 119n });
      await node.setCode({ address: CONTRACT, bytecode: '0x6001' });
      await node.setStorageAt({ address: CONTRACT, index: 1, value: WORD });
      const anvil = clientOf(await startAnvil());
      await anvil.loadState({ state: await node.dumpState() });
      expect(await anvil.getBalance({ address: CONTRACT })).toBe(119n);
      expect(await anvil.getCode({ address: CONTRACT })).toBe('0x6001');
      expect(await anvil.getStorageAt({ address: CONTRACT, slot: '0x1' })).toBe(WORD);
      const number = await node.getBlockNumber();
      expect(await anvil.getBlock()).toMatchObject({ number, timestamp: (await node.getBlock()).timestamp });
      await anvil.mine({ blocks: 1 });
      expect(await anvil.getBlock()).toMatchObject({ number: number + 1n });
    },
    MS_MAX,
  );
});
