/** A machine that joins a running network by state sync. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from '../e2e/comet-client.js';
import { ACCOUNTS, signedEthereum } from '../e2e/load.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, initComet, makeHomes, until } from './cometbft.js';
import { Validator } from './validators.js';

const VALIDATORS = 4;
const INTERVAL = 5;

interface Commit {
  readonly signed_header: {
    readonly header: { readonly app_hash: string };
    readonly commit: { readonly block_id: { readonly hash: string } };
  };
}

const commitAt = async ({ machine }: Validator, height: number): Promise<Commit['signed_header']> =>
  (await call<Commit>(machine.rpc, 'commit', { height: `${height}` })).signed_header;

describe.skipIf(!hasCometbft())('CometBFT with four validators over four nodes', () => {
  test('brings a fifth node to the head by state sync, and the five agree', { timeout: 180_000 }, async () => {
    const nodes = await Validator.startAll(VALIDATORS, [
      ...['--state-sync.snapshot-interval', `${INTERVAL}`, '--state-sync.snapshot-keep-recent', '3'],
    ]);
    const [first, second] = nodes;
    if (first === undefined || second === undefined) throw new Error('four nodes');
    await first.reached(2);
    const sent = signedEthereum(0, 0n);
    await first.ask('eth_sendRawTransaction', sent.ethereum?.raw);
    await first.reached(2 * INTERVAL + 2);

    const trusted = await commitAt(first, 2);
    const [home] = await makeHomes(1);
    if (home === undefined) throw new Error('a fifth home');
    copyFileSync(join(first.machine.home, 'config', 'genesis.json'), join(home.home, 'config', 'genesis.json'));
    const machines = nodes.map(({ machine }) => machine);
    const servers = [first, second].map(({ machine }) => machine.rpc).join(',');
    initComet(home, machines, [
      ...['--state-sync-rpc', servers, '--trust-height', '2', '--trust-hash', trusted.commit.block_id.hash],
    ]);
    const config = join(home.comet, 'config', 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('[statesync]', '[statesync]\ndiscovery_time = "5s"'));
    const fifth = await Validator.start(home);
    const all = [...nodes, fifth];
    // The block of the snapshot is absent; the later blocks are present.
    const height = await until(async () => {
      const block = await fifth.ask<{ readonly number: string }>('eth_getBlockByNumber', 'latest', false);
      return Number(block.number) > 2 * INTERVAL && Number(block.number);
    });
    await Promise.all(all.map((node) => node.reached(height)));
    const at = `0x${height.toString(16)}`;
    const blocks = await Promise.all(
      all.map((node) =>
        node.ask<{ readonly hash: string; readonly stateRoot: string }>('eth_getBlockByNumber', at, false),
      ),
    );
    expect(blocks).toEqual(all.map(() => blocks[0]));
    const { header } = await until(() => commitAt(fifth, height));
    expect(blocks[0]?.stateRoot).toBe(`0x${header.app_hash.toLowerCase()}`);
    const balances = await Promise.all(all.map((node) => node.ask<string>('eth_getBalance', ACCOUNTS[1]?.hex, at)));
    expect(balances).toEqual(all.map(() => balances[0]));
    await expect(fifth.ask('eth_getBalance', ACCOUNTS[1]?.hex, '0x3')).rejects.toThrow('pruned');

    // Both processes continue from their last height.
    await fifth.kill('both');
    await fifth.restart('both');
    await fifth.reached(height + 2);
    await Promise.all(all.map((node) => node.stop()));
    expect(chronicled('log', 'show', '--limit', '3', '--home', home.home)).toContain('SnapshotRestored');
    const verified: unknown = JSON.parse(chronicled('log', 'verify', '--execute', '--home', home.home));
    expect(verified).toMatchObject({ problems: [], execution: { disagreements: [] } });
    chronicled('log', 'rebuild', '--home', home.home);
    expect(JSON.parse(chronicled('log', 'verify', '--home', home.home))).toMatchObject({ problems: [] });
  });
});
