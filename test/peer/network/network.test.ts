/** One network of both programs: this program makes the blocks, and evmd executes them or exits. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skippedExchange, type Exchange } from '../../adapters/rest/recorded-exchanges.js';
import { call } from '../../e2e/comet-client.js';
import { initComet, makeHomes, startApplication, startComet, until } from '../../network/cometbft.js';
import { hasCometbft } from '../../network/comet-process.js';
import { goldenLines, goldenPath, hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { EVMD } from '../evmd.js';
import { startGoNode } from './go-node.js';

const EVM_CHAIN_ID = 262_144n;
/** The recorded heights whose transactions are sent: of bank, staking, governance and the EVM. */
const HEIGHTS = 100;
const MINUTES = 60_000;

interface Status {
  readonly sync_info: { readonly latest_block_height: string };
}

/** The results of a block as the RPC of an engine tells them, without the stacks of Go, which a log may hold. */
async function resultsAt(rpc: string, height: number): Promise<unknown> {
  const results = await call<object>(rpc, 'block_results', { height: `${height}` });
  return JSON.parse(JSON.stringify(results).replaceAll(/\\nstack:\\n.*?(?=: panic")/g, ''));
}

const heightOf = async (rpc: string): Promise<number> =>
  Number((await call<Status>(rpc, 'status')).sync_info.latest_block_height);

/** Sends the recorded transactions of each height when those before are in a block; answers how many were taken. */
async function sendRecorded(rpc: string): Promise<number> {
  let sent = 0;
  for (const { block } of readRecordedChain().slice(0, HEIGHTS)) {
    const waiting: string[] = [];
    for (const tx of block.block.data.txs) {
      const { code, hash } = await call<{ readonly code: number; readonly hash: string }>(rpc, 'broadcast_tx_sync', {
        tx,
      });
      if (code === 0) waiting.push(hash);
    }
    sent += waiting.length;
    for (const hash of waiting)
      await until(() => call(rpc, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') }));
  }
  return sent;
}

/** Answer of a gateway about the state of a height. */
async function answered(rest: string, path: string, height: number): Promise<readonly [number, unknown]> {
  const response = await fetch(`${rest}${path}`, { headers: { 'x-cosmos-block-height': String(height) } });
  return [response.status, JSON.parse(await response.text())];
}

/** Recorded requests whose answers tell of the state of a height alone. */
function statePaths(): readonly string[] {
  const exchanges = goldenLines<Exchange>('faces/rest.jsonl').filter(
    (exchange) =>
      exchange.req.method === 'GET' &&
      exchange.req.path.startsWith('/cosmos/') &&
      exchange.req.headers['x-cosmos-block-height'] === undefined &&
      skippedExchange(exchange) === undefined &&
      !/\/(base|tx)\/|eth_call|height=|\/runtime\//.test(exchange.req.path),
  );
  return [...new Set(exchanges.map(({ req }) => req.path))];
}

test.skipIf(EVMD === undefined || !hasGolden || !hasCometbft())(
  'evmd executes the blocks of this program, and its REST gateway gives the same answers',
  { timeout: 10 * MINUTES },
  async () => {
    const [machine] = await makeHomes(1);
    if (machine === undefined) throw new Error('a machine');
    for (const file of ['genesis.json', 'priv_validator_key.json'])
      copyFileSync(goldenPath(`chain-a/${file}`), join(machine.home, 'config', file));
    rmSync(join(machine.home, 'config', 'chronicled.toml'), { force: true });
    initComet(machine, []);
    const ours = await startApplication(machine, ['--preset', 'evmd', '--evm-chain-id', String(EVM_CHAIN_ID)]);
    startComet(machine);
    await until(async () => (await heightOf(machine.rpc)) > 1);
    const theirs = await startGoNode(EVMD ?? '', {
      genesis: readFileSync(goldenPath('chain-a/genesis.json')),
      evmChainId: EVM_CHAIN_ID,
      peer: `${machine.nodeId}@${machine.p2p}`,
    });

    expect(await sendRecorded(machine.rpc)).toBeGreaterThan(50);
    const head = await heightOf(machine.rpc);
    await until(async () => (await heightOf(theirs.rpc)) >= head);
    for (let height = 1; height <= head; height++) {
      const [mine, peer] = await Promise.all([machine.rpc, theirs.rpc].map((rpc) => resultsAt(rpc, height)));
      expect(mine, `height ${height}: ${theirs.log()}`).toEqual(peer);
    }
    const paths = statePaths();
    expect(paths.length).toBeGreaterThan(150);
    for (const path of paths)
      expect(await answered(ours.endpoints.rest ?? '', path, head - 1), path).toEqual(
        await answered(theirs.rest, path, head - 1),
      );
  },
);
