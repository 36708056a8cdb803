/**
 * Runs real CometBFT 0.38 and its `abci-cli` against our ABCI server with the key-value application.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toBinary } from '@bufbuild/protobuf';
import { Comet38Client } from '@cosmjs/tendermint-rpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAbciAddress } from '../../src/adapters/abci/index.js';
import { toBase64 } from '../../src/core/bytes/base64.js';
import { text, utf8 } from '../../src/core/bytes/bytes.js';
import { ResponseSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';
import { AbciClient, type RequestValue } from '../adapters/abci/abci-client.js';
import { MemoryStore } from '../support/memory-store.js';
import { serveKvStore } from '../support/kvstore/serve.js';
import { propertyRuns } from '../support/property-runs.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { freePort, hasCometbft } from './comet-process.js';
import { ABCI_CLI, Engine, makeNetwork } from './engine.js';

const MS_MAX = 300_000;
const run = promisify(execFile);

describe.skipIf(!hasCometbft())('CometBFT', () => {
  describe('abci-cli', () => {
    const module = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
    const tutorials = join(module, 'github.com/cometbft/cometbft@v0.38.25/abci/tests/test_cli');

    it.each(['ex1', 'ex2'])('prints the recorded output of its tutorial %s', async (name) => {
      expect(existsSync(tutorials)).toBe(true);
      const { abci } = await serveKvStore();
      // The server runs in this process, which must not wait for the command.
      const command = run(ABCI_CLI, ['--address', abci, '--log_level', 'error', '--verbose', 'batch']);
      command.child.stdin?.end(readFileSync(join(tutorials, `${name}.abci`)));
      const { stdout } = await command;
      expect(stdout).toBe(readFileSync(join(tutorials, `${name}.abci.out`), 'utf8'));
    });

    it('gets the same bytes from our server as from the kvstore of CometBFT for random requests', async () => {
      const address = `tcp://127.0.0.1:${await freePort()}`;
      const theirs = spawn(ABCI_CLI, ['kvstore', '--address', address], { stdio: ['ignore', 'pipe', 'inherit'] });
      afterwards(() => void theirs.kill('SIGKILL'));
      await new Promise((resolve) => theirs.stdout.once('data', resolve));
      const { abci } = await serveKvStore();
      const [peer, ours] = [await connectTo(address), await connectTo(abci)];
      let height = 0n;
      const genesis: RequestValue = { case: 'initChain', value: { validators: [validator(1), validator(2)] } };
      expect(await bytesOf(ours, genesis)).toEqual(await bytesOf(peer, genesis));
      await fc.assert(
        fc.asyncProperty(fc.array(REQUESTS, { maxLength: 12 }), async (requests) => {
          for (const request of requests) {
            const sent: readonly RequestValue[] =
              request.case === 'finalizeBlock'
                ? [
                    { case: 'finalizeBlock', value: { ...request.value, height: (height += 1n) } },
                    { case: 'commit', value: {} },
                  ]
                : [request];
            for (const one of sent) expect(await bytesOf(ours, one)).toEqual(await bytesOf(peer, one));
          }
        }),
        { numRuns: propertyRuns(100) },
      );
      const last = { case: 'info', value: {} } as const;
      expect(await bytesOf(ours, last)).toEqual(await bytesOf(peer, last));
    });
  });

  it(
    'runs the key-value application with one validator, also after a restart of either side',
    async () => {
      const store = new MemoryStore();
      let app = await serveKvStore(`unix://${join(temporaryFolder(), 'app.sock')}`, store);
      const [place] = await makeNetwork(1);
      if (place === undefined) throw new Error('a network has a node');
      let engine = new Engine(place, app.abci);
      let client = await Comet38Client.connect(await engine.rpc());
      await engine.reached(1);
      const sent = await client.broadcastTxCommit({ tx: utf8('name=satoshi') });
      expect(sent.txResult?.code).toBe(0);
      await engine.reached(sent.height + 1);
      expect((await client.abciInfo()).data).toBe('{"size":1}');
      const query = await client.abciQuery({ path: '/key', data: utf8('name') });
      expect(text(query.value)).toBe('satoshi');
      const tx = await client.tx({ hash: sent.hash, prove: true });
      expect([tx.height, text(tx.tx)]).toEqual([sent.height, 'name=satoshi']);
      expect((await client.txSearch({ query: "app.key='name'" })).totalCount).toBe(1);
      expect((await client.blockResults(sent.height)).results).toHaveLength(1);
      expect((await client.validatorsAll(1)).total).toBe(1);
      expect((await client.commit(sent.height)).canonical).toBe(true);
      const next = await client.block(sent.height + 1);
      expect(toBase64(next.block.header.appHash)).toBe('AgAAAAAAAAA=');
      const [own] = (await client.validatorsAll(1)).validators;
      if (own?.pubkey === undefined) throw new Error('a chain has a validator');
      const power = utf8(`val=ed25519!${toBase64(own.pubkey.data)}!12`);
      const changed = await client.broadcastTxCommit({ tx: power });
      await engine.reached(changed.height + 2);
      expect((await client.validatorsAll(changed.height + 1)).validators[0]?.votingPower).toBe(1n);
      expect((await client.validatorsAll(changed.height + 2)).validators[0]?.votingPower).toBe(12n);
      client.disconnect();

      for (const victim of ['engine', 'application'] as const) {
        if (victim === 'engine') await engine.kill();
        else {
          await app.stop();
          await engine.ended();
          app = await serveKvStore(app.abci, store);
        }
        engine = new Engine(place, app.abci);
        client = await Comet38Client.connect(await engine.rpc());
        const again = await client.broadcastTxCommit({ tx: utf8(`after=${victim}`) });
        expect(again.txResult?.code).toBe(0);
        expect(text((await client.abciQuery({ path: '/key', data: utf8('after') })).value)).toBe(victim);
        expect(text((await client.abciQuery({ path: '/key', data: utf8('name') })).value)).toBe('satoshi');
        client.disconnect();
      }
    },
    MS_MAX,
  );
});

async function connectTo(url: string): Promise<AbciClient> {
  const address = parseAbciAddress(url);
  if (address === undefined) throw new Error(`no address: ${url}`);
  return AbciClient.connect(address);
}

/** The encoded answer to a request. */
async function bytesOf(client: AbciClient, request: RequestValue): Promise<string> {
  const value = await client.call(request);
  return toBase64(toBinary(ResponseSchema, { $typeName: 'tendermint.abci.Response', value }));
}

function validator(fill: number) {
  const value = new Uint8Array(32).fill(fill);
  return { pubKey: { sum: { case: 'ed25519', value } as const }, power: 10n };
}

const WORDS = fc.stringMatching(/^[a-c]{0,2}$/);
const TX = fc
  .tuple(WORDS, fc.constantFrom('=', ':', '==', ''), WORDS)
  .map(([key, separator, value]) => utf8(`${key}${separator}${value}`));
const PAIR = fc.stringMatching(/^[a-c]{1,3}=[a-z]{1,5}$/).map(utf8);
/** Each validator at most once in a block: two updates of the same validator stop an engine. */
const POWERS = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 50 })), {
    selector: ([fill]) => fill,
    maxLength: 2,
  })
  .map((changes) =>
    changes.map(([fill, power]) => utf8(`val=ed25519!${toBase64(new Uint8Array(32).fill(fill))}!${power}`)),
  );
const REQUESTS = fc.oneof<fc.Arbitrary<RequestValue>[]>(
  fc.record({ case: fc.constant('info' as const), value: fc.constant({}) }),
  fc.record({ case: fc.constant('echo' as const), value: fc.record({ message: fc.string({ maxLength: 5 }) }) }),
  fc.record({ case: fc.constant('checkTx' as const), value: fc.record({ tx: fc.oneof(TX, fc.uint8Array()) }) }),
  fc.record({
    case: fc.constant('query' as const),
    value: fc.record({
      path: fc.constantFrom('', '/key', '/val'),
      data: fc.oneof(
        WORDS.map(utf8),
        fc.constantFrom(1, 2, 3, 4).map((fill) => new Uint8Array(32).fill(fill)),
      ),
      prove: fc.boolean(),
    }),
  }),
  fc.record({
    case: fc.constant('prepareProposal' as const),
    value: fc.record({ txs: fc.array(TX, { maxLength: 5 }), maxTxBytes: fc.constant(10_000n) }),
  }),
  fc.record({
    case: fc.constant('processProposal' as const),
    value: fc.record({ txs: fc.array(TX, { maxLength: 3 }) }),
  }),
  fc.record({ case: fc.constant('extendVote' as const), value: fc.constant({}) }),
  fc.record({ case: fc.constant('listSnapshots' as const), value: fc.constant({}) }),
  fc.record({
    case: fc.constant('finalizeBlock' as const),
    value: fc
      .tuple(fc.array(PAIR, { maxLength: 5 }), POWERS)
      .map(([pairs, powers]) => ({ txs: [...pairs, ...powers] })),
  }),
);
