/** Answers of a node about its real CometBFT: the values of the engine, and errors after the engine has stopped. */
import { describe, expect, test } from 'vitest';
import { callEthereum } from '../e2e/ethereum-client.js';
import { call } from '../e2e/comet-client.js';
import type { DaemonProcess } from '../support/daemon.js';
import { hasCometbft } from './comet-process.js';
import { type Machine, makeNetwork, startApplication, startComet, until } from './cometbft.js';
import { genesisOf } from './validators.js';

interface EngineStatus {
  readonly node_info: {
    readonly protocol_version: Readonly<Record<'p2p' | 'block' | 'app', string>>;
    readonly id: string;
    readonly listen_addr: string;
    readonly network: string;
    readonly version: string;
    readonly channels: string;
    readonly moniker: string;
    readonly other: Readonly<Record<'tx_index' | 'rpc_address', string>>;
  };
  readonly sync_info: {
    readonly catching_up: boolean;
    readonly earliest_block_height: string;
    readonly latest_block_height: string;
  };
}

async function rest({ endpoints }: DaemonProcess, path: string): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${endpoints.rest}/cosmos/base/tendermint/v1beta1/${path}`);
  return { status: response.status, json: await response.json() };
}

const ethereum = ({ endpoints }: DaemonProcess, method: string): Promise<unknown> =>
  callEthereum<unknown>(endpoints.eth_http ?? '', method).catch((error: unknown) => String(error));

/** Fields that change while a network starts. */
async function factsOf(app: DaemonProcess): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await rest(app, 'syncing');
  const [syncing, peers, listening] = await Promise.all(
    ['eth_syncing', 'net_peerCount', 'net_listening'].map((method) => ethereum(app, method)),
  );
  return { rest: json, syncing, peers, listening };
}

/** Identity in the answer of the engine itself, in the SDK's REST form. */
async function identityOf({ rpc }: Machine): Promise<unknown> {
  const { node_info: told } = await call<EngineStatus>(rpc, 'status');
  const { id, channels, ...others } = told;
  return { ...others, default_node_id: id, channels: Buffer.from(channels, 'hex').toString('base64') };
}

describe.skipIf(!hasCometbft())('a node behind CometBFT', () => {
  test('answers with the state, peers, identity and blocks of the engine, and with a named error without it', async () => {
    const [first, second] = await makeNetwork(2, (homes) => genesisOf(homes, [100n, 300n]));
    if (first === undefined || second === undefined) throw new Error('no machines');
    const app = await startApplication(first);
    const comet = startComet(first);

    // Without a peer, a validator whose power the others do not need waits for their blocks.
    const { sync_info: sync } = await until(() => call<EngineStatus>(first.rpc, 'status'));
    expect(sync).toMatchObject({ catching_up: true, latest_block_height: '0' });
    expect(await until(() => factsOf(app))).toEqual({
      rest: { syncing: true },
      syncing: { startingBlock: '0x0', currentBlock: '0x0' },
      peers: '0x0',
      listening: true,
    });
    expect(await rest(app, 'node_info')).toMatchObject({
      status: 200,
      json: { default_node_info: await identityOf(first) },
    });

    await startApplication(second);
    startComet(second);
    await until(async () => !(await call<EngineStatus>(first.rpc, 'status')).sync_info.catching_up);
    await until(async () => (await ethereum(app, 'eth_blockNumber')) !== '0x0');
    expect(await factsOf(app)).toEqual({ rest: { syncing: false }, syncing: false, peers: '0x1', listening: true });
    const { json: latest } = await rest(app, 'blocks/latest');
    const { height } = (latest as { readonly block: { readonly header: { readonly height: string } } }).block.header;
    const own = await call<{ readonly block_id: { readonly hash: string } }>(first.rpc, 'block', { height });
    expect(latest).toMatchObject({
      block_id: { hash: Buffer.from(own.block_id.hash, 'hex').toString('base64') },
    });

    await comet.kill('SIGKILL');
    const message = 'the consensus engine does not answer: its RPC does not answer';
    for (const path of ['syncing', 'node_info', 'blocks/latest', `blocks/${height}`])
      expect(await rest(app, path), path).toEqual({ status: 503, json: { code: 14, message, details: [] } });
    for (const method of ['eth_syncing', 'net_peerCount', 'net_listening'])
      expect(await ethereum(app, method), method).toBe(
        `Error: ${method}: ${JSON.stringify({ code: -32000, message })}`,
      );
  });
});
