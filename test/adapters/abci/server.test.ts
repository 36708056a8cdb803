import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressInUse, parseAbciAddress, startAbciServer } from '../../../src/adapters/abci/index.js';
import type { AbciAddress, AbciServer } from '../../../src/adapters/abci/index.js';
import { frame } from '../../../src/adapters/abci/frames.js';
import { type AbciApplication, type AbciBlock, AbciRefused } from '../../../src/core/abci/abci-application.js';
import type { OnCall } from '../../../src/core/activity/client-call.js';
import { concat, utf8 } from '../../../src/core/bytes/bytes.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { ResponseCheckTxSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockIDFlag } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { propertyRuns } from '../../support/property-runs.js';
import { afterwards, temporaryFolder } from '../../support/temporary.js';
import { AbciClient, encoded, type RequestValue } from './abci-client.js';

const LOOPBACK: AbciAddress = { kind: 'tcp', host: '127.0.0.1', port: 0 };
const FLUSH = { case: 'flush', value: {} } as const;
const COMMIT = { case: 'commit', value: {} } as const;
const FINALIZE = { case: 'finalizeBlock', value: { height: 1n } } as const;

/** An application that answers every call; tests replace single methods. */
const PLAIN: AbciApplication = {
  info: async () => ({
    data: 'an application',
    version: '1',
    appVersion: 2n,
    lastBlockHeight: toHeight(3n),
    lastBlockAppHash: Uint8Array.of(4),
  }),
  query: async ({ path, data, height, prove }) => ({
    code: 0,
    codespace: path,
    log: `${prove}`,
    info: '',
    index: 5n,
    key: data,
    value: data,
    proofOps: prove ? [{ type: 'ics23:iavl', key: data, data }] : undefined,
    height,
  }),
  checkTx: async (tx, kind) => create(ResponseCheckTxSchema, { data: tx, log: kind }),
  initChain: async ({ appState }) => ({ consensusParams: undefined, validators: [], appHash: appState }),
  prepareProposal: async ({ txs }) => txs,
  processProposal: async ({ txs }) => (txs.length > 0 ? 'accept' : 'reject'),
  extendVote: async ({ hash }) => hash,
  verifyVoteExtension: async (extension) => (extension.length > 0 ? 'accept' : 'reject'),
  finalizeBlock: async () =>
    EncodedResults.of({ events: [], txResults: [], validatorUpdates: [] }).withAppHash(Uint8Array.of(6)),
  commit: async () => ({ retainHeight: toHeight(7n) }),
  listSnapshots: async () => [
    { height: toHeight(8n), format: 1, chunks: 2, hash: Uint8Array.of(1), metadata: Uint8Array.of(2) },
  ],
  offerSnapshot: async ({ format }) => (format === 1 ? 'accept' : 'reject format'),
  loadSnapshotChunk: async ({ chunk }) => Uint8Array.of(chunk),
  applySnapshotChunk: async ({ index, sender }) => ({
    result: 'retry snapshot',
    refetchChunks: [index],
    rejectSenders: [sender],
  }),
};

interface Served {
  readonly server: AbciServer;
  readonly lines: readonly string[];
  readonly failures: readonly unknown[];
  readonly connect: () => Promise<AbciClient>;
}

async function serve(app: Partial<AbciApplication> = {}, messageBytes?: number, onCall?: OnCall): Promise<Served> {
  const lines: string[] = [];
  const failures: unknown[] = [];
  let now = 0n;
  const server = await startAbciServer({
    address: LOOPBACK,
    app: { ...PLAIN, ...app },
    clock: { now: () => toTimeNs((now += 1_000_000_000n)) },
    log: { info: (message) => void lines.push(message), error: (message) => void lines.push(message) },
    onFailure: (error) => void failures.push(error),
    onCall,
    ...(messageBytes !== undefined && { messageBytes }),
  });
  afterwards(() => server.stop());
  return { server, lines, failures, connect: () => AbciClient.connect(server.address) };
}

/** A promise and the function that resolves it. */
function gate<Value>(): { readonly opened: Promise<Value>; readonly open: (value: Value) => void } {
  let open: (value: Value) => void = () => undefined;
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('answers of the ABCI server', () => {
  const bytes = Uint8Array.of(1, 2);
  const snapshot = { height: 8n, format: 1, chunks: 2, hash: bytes, metadata: bytes };
  it.each<readonly [RequestValue, object]>([
    [{ case: 'echo', value: { message: 'hello' } }, { message: 'hello' }],
    [
      { case: 'info', value: { version: '0.38.25' } },
      { data: 'an application', appVersion: 2n, lastBlockHeight: 3n, lastBlockAppHash: Uint8Array.of(4) },
    ],
    [
      { case: 'query', value: { path: '/store/bank/key', data: bytes, height: 9n, prove: true } },
      { codespace: '/store/bank/key', index: 5n, value: bytes, height: 9n, log: 'true' },
    ],
    [
      { case: 'checkTx', value: { tx: bytes } },
      { data: bytes, log: 'new' },
    ],
    [{ case: 'checkTx', value: { tx: bytes, type: 1 } }, { log: 'recheck' }],
    [
      { case: 'initChain', value: { appStateBytes: bytes } },
      { appHash: bytes, validators: [] },
    ],
    [{ case: 'prepareProposal', value: { txs: [bytes, bytes] } }, { txs: [bytes, bytes] }],
    [{ case: 'processProposal', value: { txs: [bytes] } }, { status: 1 }],
    [{ case: 'processProposal', value: {} }, { status: 2 }],
    [{ case: 'extendVote', value: { hash: bytes } }, { voteExtension: bytes }],
    [{ case: 'verifyVoteExtension', value: { voteExtension: bytes } }, { status: 1 }],
    [{ case: 'verifyVoteExtension', value: {} }, { status: 2 }],
    [FINALIZE, { appHash: Uint8Array.of(6), txResults: [] }],
    [COMMIT, { retainHeight: 7n }],
    [{ case: 'listSnapshots', value: {} }, { snapshots: [expect.objectContaining({ height: 8n, chunks: 2 })] }],
    [{ case: 'offerSnapshot', value: { snapshot } }, { result: 1 }],
    [{ case: 'offerSnapshot', value: { snapshot: { ...snapshot, format: 2 } } }, { result: 4 }],
    [{ case: 'loadSnapshotChunk', value: { chunk: 3 } }, { chunk: Uint8Array.of(3) }],
    [
      { case: 'applySnapshotChunk', value: { index: 4, sender: 'peer' } },
      { result: 4, refetchChunks: [4], rejectSenders: ['peer'] },
    ],
  ])('$case has the fields of the application (request %#)', async (request, answer) => {
    const { connect } = await serve();
    expect(await (await connect()).call(request)).toMatchObject({ case: request.case, value: answer });
  });

  it('the connection for queries marks the begin of an engine, once', async () => {
    const calls: string[] = [];
    const { connect } = await serve({
      engineBegan: () => calls.push('began'),
      info: async () => {
        calls.push('info');
        return PLAIN.info();
      },
    });
    const info = { case: 'info', value: {} } as const;
    const [queries, mempool] = [await connect(), await connect()];
    await queries.call({ case: 'echo', value: {} });
    await mempool.call({ case: 'checkTx', value: {} });
    expect(calls).toEqual([]);
    await queries.call(info);
    await queries.call(info);
    expect(calls).toEqual(['began', 'info', 'info']);
    await (await connect()).call(info);
    expect(calls).toEqual(['began', 'info', 'info', 'began', 'info']);
  });

  it('a block reaches the application with all its fields', async () => {
    let seen: AbciBlock | undefined;
    const { connect } = await serve({
      finalizeBlock: async (block) => {
        seen = block;
        return new EncodedResults(new Uint8Array(0));
      },
    });
    const address = Uint8Array.of(1);
    const time = { seconds: 3n, nanos: 4 };
    await (
      await connect()
    ).call({
      case: 'finalizeBlock',
      value: {
        txs: [Uint8Array.of(2)],
        decidedLastCommit: {
          round: 5,
          votes: [
            { validator: { address, power: 6n }, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT },
            { validator: { address, power: 7n }, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_NIL },
            { validator: { address, power: 8n }, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT },
          ],
        },
        misbehavior: [{ type: 1, validator: { address, power: 9n }, height: 10n, time, totalVotingPower: 11n }],
        hash: Uint8Array.of(12),
        height: 13n,
        time,
        nextValidatorsHash: Uint8Array.of(14),
        proposerAddress: Uint8Array.of(15),
      },
    });
    expect(seen).toEqual({
      txs: [Uint8Array.of(2)],
      lastCommitRound: 5,
      lastCommitVotes: [
        { address, power: 6n, flag: 'commit' },
        { address, power: 7n, flag: 'nil' },
        { address, power: 8n, flag: 'absent' },
      ],
      misbehavior: [
        { kind: 'duplicate vote', address, power: 9n, height: 10n, time: 3_000_000_004n, totalVotingPower: 11n },
      ],
      hash: Uint8Array.of(12),
      height: 13n,
      time: 3_000_000_004n,
      nextValidatorsHash: Uint8Array.of(14),
      proposerAddress: Uint8Array.of(15),
    });
  });

  it('have the order of the requests, with each flush in its place', async () => {
    const { connect } = await serve({
      // Without the order, later transactions would be checked first.
      checkTx: async (tx) => {
        for (let turns = 20 - (tx[0] ?? 0); turns > 0; turns -= 1) await Promise.resolve();
        return create(ResponseCheckTxSchema, { data: tx });
      },
    });
    const client = await connect();
    const kinds = fc.array(fc.boolean(), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(kinds, async (flushes) => {
        const requests = flushes.map((isFlush, index): RequestValue =>
          isFlush ? FLUSH : { case: 'checkTx', value: { tx: Uint8Array.of(index) } },
        );
        client.send(...requests);
        for (const [index, isFlush] of flushes.entries()) {
          const answer = await client.next();
          expect(answer.case).toBe(isFlush ? 'flush' : 'checkTx');
          if (answer.case === 'checkTx') expect(answer.value.data).toEqual(Uint8Array.of(index));
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it("arrive whole when they are larger than the socket's buffer", async () => {
    const { connect } = await serve();
    const tx = Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, at) => at % 251);
    const client = await connect();
    client.send(...Array.from({ length: 5 }, () => ({ case: 'checkTx', value: { tx } }) as const));
    for (let index = 0; index < 5; index += 1) {
      const answer = await client.next();
      expect(answer.case === 'checkTx' && Buffer.from(answer.value.data).equals(tx)).toBe(true);
    }
  });

  it('on other connections do not wait for a block that is still executed', async () => {
    const { connect } = await serve({ finalizeBlock: () => new Promise(() => undefined) });
    const consensus = await connect();
    consensus.send(FINALIZE, FLUSH);
    expect((await (await connect()).call({ case: 'info', value: {} })).case).toBe('info');
    expect((await (await connect()).call({ case: 'checkTx', value: {} })).case).toBe('checkTx');
  });

  it('are counted by method, with their duration, and reported', async () => {
    const reported: unknown[] = [];
    const { server, connect } = await serve(
      {},
      undefined,
      (...call) =>
        (code) =>
          void reported.push([...call, code]),
    );
    const client = await connect();
    await client.call(COMMIT);
    expect(reported).toEqual([['commit', 'consensus connection', undefined]]);
    expect([...server.counts.methods]).toEqual([
      ['commit', { answered: 1, seconds: 1 }],
      ['flush', { answered: 1, seconds: 1 }],
    ]);
    expect(server.counts.connections.get('consensus')).toBe(1);
    expect(server.counts.bytesRead).toBe(encoded(COMMIT).length + encoded(FLUSH).length);
    expect(server.counts.bytesWritten).toBeGreaterThan(0);
  });
});

describe('a second engine', () => {
  it('is refused while the first is connected, and served afterwards', async () => {
    const { connect, lines, server } = await serve();
    const [first, second] = [await connect(), await connect()];
    await first.call(COMMIT);
    expect(await second.call(COMMIT)).toMatchObject({
      case: 'exception',
      value: { error: expect.stringContaining('another consensus engine drives this application') },
    });
    await second.ended;
    expect(lines).toEqual([expect.stringContaining('another consensus engine')]);
    expect(server.counts.ended).toBe(1);
    expect((await first.call(COMMIT)).case).toBe('commit');
    first.end();
    await first.ended;
    const third = await connect();
    expect((await third.call(COMMIT)).case).toBe('commit');
  });

  it('is served only when the last call of the first engine has ended', async () => {
    const { opened, open } = gate<void>();
    const order: string[] = [];
    const { connect } = await serve({
      async finalizeBlock() {
        order.push('finalize begins');
        await opened;
        order.push('finalize ends');
        return new EncodedResults(new Uint8Array(0));
      },
      async commit() {
        order.push('commit');
        return { retainHeight: toHeight(0n) };
      },
    });
    const first = await connect();
    first.send(FINALIZE, FLUSH);
    const second = await connect();
    expect((await second.call({ case: 'info', value: {} })).case).toBe('info');
    first.end();
    await first.ended;
    const committed = second.call(COMMIT);
    const other = await connect();
    expect((await other.call({ case: 'info', value: {} })).case).toBe('info');
    expect(order).toEqual(['finalize begins']);
    open();
    expect((await committed).case).toBe('commit');
    expect(order).toEqual(['finalize begins', 'finalize ends', 'commit']);
  });
});

describe('an application behind the ABCI server', () => {
  it('that refuses a call ends the connection with its reason, and the server continues', async () => {
    const { connect, failures, lines } = await serve({
      initChain: async () => {
        throw new AbciRefused('this genesis is of another chain');
      },
    });
    const client = await connect();
    client.send({ case: 'echo', value: { message: 'before' } }, { case: 'initChain', value: {} }, FLUSH);
    expect(await client.next()).toMatchObject({ case: 'echo' });
    expect(await client.next()).toMatchObject({ value: { error: 'this genesis is of another chain' } });
    await client.ended;
    expect(failures).toEqual([]);
    expect(lines).toContain('ABCI: this genesis is of another chain');
  });

  it('that throws is reported', async () => {
    const failure = new Error('disk gone');
    const { connect, failures } = await serve({ commit: () => Promise.reject(failure) });
    const client = await connect();
    expect(await client.call(COMMIT)).toMatchObject({ case: 'exception', value: { error: 'disk gone' } });
    await client.ended;
    expect(failures).toEqual([failure]);
  });
});

describe('bad ABCI input', () => {
  const unknown = frame(Uint8Array.of(0xf2, 0x06, 0));
  const flags = encoded({
    case: 'finalizeBlock',
    value: { height: 1n, decidedLastCommit: { votes: [{ blockIdFlag: 0 }] } },
  });
  it.each<readonly [string, Uint8Array, string]>([
    ['bytes that are no message', frame(utf8('garbage!')), 'not a request of ABCI'],
    ['a browser', utf8('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.padEnd(200, ' ')), 'not a request of ABCI'],
    ['an empty message', frame(new Uint8Array(0)), 'a request without a method'],
    ['a method that ABCI 2.0 does not have', unknown, 'a request without a method'],
    ['a length without end', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff), 'message of'],
    ['more than the largest message', frame(new Uint8Array(5_000)), 'message of 5000 bytes or more; at most 4096'],
    ['a negative height', encoded({ case: 'finalizeBlock', value: { height: -1n } }), 'height -1'],
    ['a vote of no kind', flags, 'block id flag 0 of a vote'],
    [
      'misbehavior of no kind',
      encoded({ case: 'finalizeBlock', value: { misbehavior: [{}] } }),
      'misbehavior of type 0',
    ],
  ])('%s ends the connection with a log line, and the state is unchanged', async (_, bytes, text) => {
    const called: string[] = [];
    const { connect, lines, failures } = await serve(
      {
        async finalizeBlock() {
          called.push('finalizeBlock');
          return new EncodedResults(new Uint8Array(0));
        },
      },
      4_096,
    );
    const client = await connect();
    client.sendBytes(concat(encoded({ case: 'echo', value: { message: 'before' } }), bytes));
    expect(await client.next()).toMatchObject({ case: 'echo', value: { message: 'before' } });
    expect(await client.next()).toMatchObject({ case: 'exception', value: { error: expect.stringContaining(text) } });
    await client.ended;
    expect(lines).toEqual([expect.stringContaining(text)]);
    expect(failures).toEqual([]);
    expect(called).toEqual([]);
    expect((await (await connect()).call(COMMIT)).case).toBe('commit');
  });

  it('half a message at the end of a connection is reported', async () => {
    const { connect, lines } = await serve();
    const client = await connect();
    client.sendBytes(encoded(COMMIT).subarray(0, 1));
    client.end();
    await client.ended;
    expect((await (await connect()).call(COMMIT)).case).toBe('commit');
    expect(lines).toEqual(['ABCI: the connection ended within a message']);
  });

  it('arbitrary bytes never stop the server', async () => {
    const { connect } = await serve({}, 4_096);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const client = await connect();
        client.sendBytes(bytes);
        client.end();
        await client.ended;
      }),
      { numRuns: propertyRuns(100) },
    );
    expect((await (await connect()).call(COMMIT)).case).toBe('commit');
  });

  it('a request of too many parts is not decoded', async () => {
    const { connect } = await serve();
    const client = await connect();
    // RequestFinalizeBlock with empty transactions, two bytes each.
    const txs = new Uint8Array(2 * (FIXED_LIMITS.abciMessageParts + 1));
    for (let at = 0; at < txs.length; at += 2) txs[at] = 0x0a;
    const length = Uint8Array.of(0xa2, 0x01, ...varint(txs.length));
    client.sendBytes(frame(concat(length, txs)));
    expect(await client.next()).toMatchObject({ value: { error: expect.stringContaining('fields') } });
  });

  it('connections beyond the limit are refused', async () => {
    const { connect, lines } = await serve();
    const clients = [];
    for (let index = 0; index < FIXED_LIMITS.abciConnections; index += 1) clients.push(await connect());
    await clients.at(-1)?.call({ case: 'info', value: {} });
    const next = await connect();
    expect(await next.next()).toMatchObject({ case: 'exception', value: { error: 'more than 32 connections' } });
    expect(lines).toEqual(['ABCI: more than 32 connections']);
  });
});

describe('listen addresses of the ABCI server', () => {
  it.each([
    ['tcp://127.0.0.1:26658', { kind: 'tcp', host: '127.0.0.1', port: 26658 }],
    ['0.0.0.0:0', { kind: 'tcp', host: '0.0.0.0', port: 0 }],
    ['tcp://[::1]:1', { kind: 'tcp', host: '::1', port: 1 }],
    ['unix:///run/app.sock', { kind: 'unix', path: '/run/app.sock' }],
    ['unix://app.sock', { kind: 'unix', path: 'app.sock' }],
    ['http://127.0.0.1:1', undefined],
    ['tcp://127.0.0.1', undefined],
    ['tcp://127.0.0.1:65536', undefined],
    ['unix://', undefined],
    ['', undefined],
  ])('%j is parsed to %j', (text, address) => {
    expect(parseAbciAddress(text)).toEqual(address);
  });

  it('an address on which another server listens is refused', async () => {
    const { server } = await serve();
    const again = startAbciServer({ ...server, app: PLAIN, clock: { now: () => toTimeNs(0n) }, log: SILENT });
    await expect(again).rejects.toThrow(AddressInUse);
  });

  it('a Unix socket is served, and the socket file of a killed process is replaced', async () => {
    const path = join(temporaryFolder(), 'app.sock');
    await killedListener(path);
    expect(existsSync(path)).toBe(true);
    const address: AbciAddress = { kind: 'unix', path };
    const options = { address, app: PLAIN, clock: { now: () => toTimeNs(0n) }, log: SILENT };
    const server = await startAbciServer(options);
    afterwards(() => server.stop());
    expect((await (await AbciClient.connect(address)).call(COMMIT)).case).toBe('commit');
    await expect(startAbciServer(options)).rejects.toThrow(AddressInUse);
  });

  it('a file that is not a socket is refused and left alone', async () => {
    const path = join(temporaryFolder(), 'notes.txt');
    writeFileSync(path, 'mine');
    const options = { address: { kind: 'unix', path } as const, app: PLAIN, clock: { now: () => toTimeNs(0n) } };
    await expect(startAbciServer({ ...options, log: SILENT })).rejects.toThrow('the file that is there is no socket');
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

const SILENT = { info: () => undefined, error: () => undefined };

function varint(value: number): readonly number[] {
  return value > 0x7f ? [(value & 0x7f) | 0x80, ...varint(value >>> 7)] : [value];
}

/** Listens in a process of its own and is killed, so that the socket file stays. */
function killedListener(path: string): Promise<void> {
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  return new Promise((resolve) => {
    spawn(process.execPath, ['-e', program]).once('close', () => resolve());
  });
}
