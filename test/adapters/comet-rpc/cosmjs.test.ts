/** A real client over a real socket, on both transports. */
import { Comet38Client } from '@cosmjs/tendermint-rpc';
import { fromHex } from '@cosmjs/encoding';
import { describe, expect, it } from 'vitest';
import { COMET_BODY_TOO_LARGE, createCometRpc } from '../../../src/adapters/comet-rpc/index.js';
import { createServer } from '../../../src/adapters/transport/index.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { type Exchange, recordedNode } from './recorded-node.js';

describe.skipIf(!hasGolden).each(['uws', 'node'] as const)('cosmjs over %s', (preferred) => {
  it('reads status, blocks, validators, transactions and searches', async () => {
    const { api } = recordedNode(goldenLines<Exchange>('faces/comet-rpc.jsonl'));
    const timers = { after: () => () => undefined, yield: () => new Promise<void>((resolve) => setImmediate(resolve)) };
    const rpc = createCometRpc({
      api,
      limits: DEFAULT_LIMITS,
      timers,
      application: { name: 'evmd', version: 'v0.6.0' },
    });
    const server = await createServer({
      preferred,
      http: rpc.http,
      limits: {
        bodyBytes: DEFAULT_LIMITS.cometBodyBytes,
        messageBytes: DEFAULT_LIMITS.cometBodyBytes,
        webSockets: DEFAULT_LIMITS.connections,
      },
      tooLarge: COMET_BODY_TOO_LARGE,
      timers,
      onDefect: (error) => {
        throw error;
      },
    });
    const listened = await server.listen('127.0.0.1', 0);
    if (!listened.ok) throw new Error(listened.code);
    try {
      const client = await Comet38Client.connect(`http://127.0.0.1:${listened.port}`);
      expect((await client.status()).syncInfo.latestBlockHeight).toBe(400);
      expect((await client.block(20)).block.txs).toHaveLength(1);
      expect((await client.commit(20)).canonical).toBe(true);
      expect((await client.validatorsAll(1)).validators).toHaveLength(1);
      const hash = fromHex('EE7340A1F09AC62362EE6BF9BE393237080DF36368C165BA6E35815227720069');
      expect((await client.tx({ hash, prove: true })).height).toBe(20);
      expect((await client.txSearchAll({ query: 'tx.height=20' })).totalCount).toBe(1);
      expect((await client.blockchain(1, 3)).blockMetas).toHaveLength(3);
      await expect(client.block(999_999)).rejects.toThrow(
        /must be less than or equal to the current blockchain height 400/,
      );
      client.disconnect();
    } finally {
      await server.close(false);
    }
  });
});
