/** A chain of CometBFT over this node, checked by CometBFT's light client and by `debug compare-chain`. */
import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/core/bytes/base64.js';
import { concat, lengthPrefixed, utf8 } from '../../src/core/bytes/bytes.js';
import { fromHex, hex } from '../../src/core/bytes/hex.js';
import { verifyOps } from '../core/iavl/verify.js';
import { call, latestHeight } from '../e2e/comet-client.js';
import { ACCOUNTS, CHAIN_ID, signedEither } from '../e2e/load.js';
import { temporaryFolder } from '../support/temporary.js';
import { freePort, hasCometbft, startCometbft } from './comet-process.js';
import { comparedAgain, makeNetwork, startApplication, startComet, until } from './cometbft.js';

const SENDS = 6n;
const MS_MAX = 120_000;

interface Commit {
  readonly signed_header: { readonly header: { readonly app_hash: string } };
}

interface QueryAnswer {
  readonly response: {
    readonly value: string;
    readonly proofOps: {
      readonly ops: readonly { readonly type: string; readonly key: string; readonly data: string }[];
    };
  };
}

describe.skipIf(!hasCometbft())('a chain of CometBFT over this node', () => {
  it(
    'is verified by the light client, and gives the same app hashes in debug compare-chain',
    async () => {
      const [machine] = await makeNetwork(1);
      if (machine === undefined) throw new Error('no machine');
      await startApplication(machine);
      startComet(machine);
      const { rpc } = machine;
      await until(() => latestHeight(rpc));
      for (let sequence = 0n; sequence < SENDS; sequence += 1n)
        await call(rpc, 'broadcast_tx_commit', { tx: signedEither(0, sequence).tx });
      const sent = await latestHeight(rpc);
      await until(async () => (await latestHeight(rpc)) >= sent + 2);

      const { block_id: trusted } = await call<{ readonly block_id: { readonly hash: string } }>(rpc, 'block', {
        height: '1',
      });
      const light = await startLightClient(rpc, trusted.hash);
      const verified = await until(() => call<Commit>(light, 'commit', { height: `${sent + 1}` }));
      expect(verified).toEqual(await call(rpc, 'commit', { height: `${sent + 1}` }));
      const key = concat(Uint8Array.of(2), lengthPrefixed(fromHex((ACCOUNTS[0]?.hex ?? '').slice(2))), utf8('achr'));
      const { response } = await call<QueryAnswer>(rpc, 'abci_query', {
        path: '/store/bank/key',
        data: hex(key),
        height: `${sent}`,
        prove: true,
      });
      const ops = response.proofOps.ops.map((op) => ({ ...op, key: fromBase64(op.key), data: fromBase64(op.data) }));
      const appHash = fromHex(verified.signed_header.header.app_hash.toLowerCase());
      expect(verifyOps(ops, appHash, 'bank', key, fromBase64(response.value))).toBe('verified');

      expect(comparedAgain(rpc)).toBeGreaterThanOrEqual(sent);
    },
    MS_MAX,
  );
});

/** Starts CometBFT's light client, which verifies the answers of the node. Returns the address of its RPC. */
async function startLightClient(rpc: string, hash: string): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`;
  startCometbft([
    ...['light', CHAIN_ID, '--primary', rpc, '--witnesses', rpc, '--height', '1', '--hash', hash],
    ...['--home-dir', temporaryFolder(), '--laddr', `tcp://${address}`],
  ]);
  return `http://${address}`;
}
