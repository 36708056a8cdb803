/** Ethereum methods on a real chain; answers are validated against the published OpenRPC document. */
import { Contract, ContractFactory, HDNodeWallet, JsonRpcProvider, Wallet, getBytes, keccak256 } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Token } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';
import { resultProblems } from '../support/openrpc.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const abi = JSON.stringify(Token.abi);

let daemon: DaemonProcess;
let url: string;
let ws: string;
let provider: JsonRpcProvider;
let owner: HDNodeWallet;
let token: string;
let transferHash: string;
let refusedHash: string;

/** Result of a call, validated if the document describes the method. */
async function ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
  const result = await callEthereum<Result>(url, method, params);
  expect(resultProblems(method, result)).toEqual([]);
  return result;
}

const refusal = async (method: string, ...params: readonly unknown[]): Promise<string> =>
  callEthereum(url, method, params).then(
    (result) => `answered ${JSON.stringify(result)}`,
    (error: unknown) => String(error),
  );

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
  ws = daemon.endpoints.eth_ws ?? '';
  provider = new JsonRpcProvider(await watchedFace(url), undefined, { pollingInterval: 50, cacheTimeout: -1 });
  owner = HDNodeWallet.fromPhrase(MNEMONIC, undefined, "m/44'/60'/0'/0/0").connect(provider);
  const deployed = await new ContractFactory(abi, Token.bytecode, owner).deploy('Token', 'TKN', 1_000n);
  await deployed.waitForDeployment();
  token = (await deployed.getAddress()).toLowerCase();
  const contract = new Contract(token, abi, owner);
  const sent = await contract.getFunction('transfer')(`0x${'22'.repeat(20)}`, 5n);
  transferHash = sent.hash as string;
  await sent.wait();
  const failing = await contract.getFunction('transfer')(`0x${'22'.repeat(20)}`, 1n << 255n, { gasLimit: 100_000n });
  refusedHash = failing.hash as string;
  await provider.waitForTransaction(refusedHash).catch(() => undefined);
});

afterAll(async () => {
  provider.destroy();
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

interface Mined {
  readonly blockNumber: string;
  readonly blockHash: string;
}
const placeOf = (hash: string): Promise<Mined> => ask<Mined>('eth_getTransactionReceipt', hash);

describe('eth', () => {
  it('simulates calls of a contract on the head', async () => {
    const data = new Contract(token, abi).interface.encodeFunctionData('transfer', [`0x${'33'.repeat(20)}`, 7n]);
    const read = new Contract(token, abi).interface.encodeFunctionData('balanceOf', [`0x${'33'.repeat(20)}`]);
    const [block] = await ask<
      readonly { readonly calls: readonly { readonly returnData: string; readonly logs: readonly unknown[] }[] }[]
    >('eth_simulateV1', {
      blockStateCalls: [
        {
          calls: [
            { from: owner.address, to: token, data },
            { to: token, data: read },
          ],
        },
      ],
      traceTransfers: true,
      returnFullTransactions: true,
    });
    expect(block?.calls[1]?.returnData).toBe(`0x${'7'.padStart(64, '0')}`);
    expect(block?.calls[0]?.logs).toHaveLength(1);
  });

  it('finds transactions by sender and nonce, and lists its forks', async () => {
    const { hash } = await ask<{ readonly hash: string }>('eth_getTransactionBySenderAndNonce', owner.address, '0x1');
    expect(hash).toBe(transferHash);
    expect(await ask('eth_getTransactionBySenderAndNonce', owner.address, '0xff')).toBeNull();
    expect(await ask('eth_config')).toMatchObject({ current: { chainId: '0x425d4' }, next: null, last: null });
  });

  it('proves accounts and slots from one root, at the head and at an earlier height', async () => {
    const proofOf = (account: string, keys: readonly string[], block = 'latest') =>
      ask<{
        readonly accountProof: readonly string[];
        readonly storageHash: string;
        readonly storageProof: readonly {
          readonly key: string;
          readonly value: string;
          readonly proof: readonly string[];
        }[];
      }>('eth_getProof', account, keys, block);
    const { blockNumber } = await placeOf(transferHash);
    const [contract, stranger] = [
      await proofOf(token, ['0x0', `0x${'00'.repeat(31)}01`], blockNumber),
      await proofOf(`0x${'99'.repeat(20)}`, [], blockNumber),
    ];
    expect(keccak256(contract.accountProof[0] ?? '0x')).toBe(keccak256(stranger.accountProof[0] ?? '0x'));
    expect(contract.storageProof.map(({ key }) => key)).toEqual(['0x0', `0x${'00'.repeat(31)}01`]);
    for (const { proof } of contract.storageProof) expect(keccak256(proof[0] ?? '0x')).toBe(contract.storageHash);
    const later = await proofOf(owner.address, []);
    expect(later.accountProof.length).toBeGreaterThan(0);
  });

  it('resends a pending transaction with another price', async () => {
    await ask('evm_setAutomine', false);
    const nonce = await ask<string>('eth_getTransactionCount', owner.address, 'pending');
    const asked = {
      from: owner.address,
      to: `0x${'44'.repeat(20)}`,
      gas: '0x186a0',
      nonce,
      gasPrice: '0x77359400',
      value: '0x0',
    };
    const first = await callEthereum<string>(url, 'eth_sendTransaction', [asked]);
    const second = await callEthereum<string>(url, 'eth_resend', [asked, '0xee6b2800', '0x186a1']);
    expect(await refusal('eth_resend', { ...asked, value: '0x1' }, '0xee6b2801')).toMatch(
      /transaction 0x\w+ not found/u,
    );
    expect(await refusal('eth_resend', { ...asked, nonce: undefined })).toContain('missing transaction nonce');
    await ask('evm_mine');
    expect(await ask('eth_getTransactionReceipt', first)).toBeNull();
    expect(await ask('eth_getTransactionByHash', second)).toMatchObject({
      gasPrice: '0xee6b2800',
      gas: '0x186a1',
      nonce,
    });
    await ask('evm_setAutomine', true);
  });

  it('filters return full pending transactions', async () => {
    const filter = await ask<string>('eth_newPendingTransactionFilter', true);
    const { hash } = await owner.sendTransaction({ to: Wallet.createRandom().address, value: 3n });
    const changes = await callEthereum<readonly { readonly hash: string; readonly value: string }[]>(
      url,
      'eth_getFilterChanges',
      [filter],
    );
    expect(changes).toMatchObject([{ hash, value: '0x3', blockHash: null }]);
    expect(await callEthereum(url, 'eth_getFilterChanges', [filter])).toEqual([]);
    await provider.waitForTransaction(hash);
  });

  it('subscriptions deliver all receipts of a block in one notification', async () => {
    const socket = new WebSocket(ws);
    const frames: { readonly id?: number; readonly result?: string; readonly params?: { readonly result: unknown } }[] =
      [];
    let heard = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      frames.push(JSON.parse(data.toString()) as (typeof frames)[number]);
      heard();
    });
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => (frames.length >= count ? resolve() : undefined);
        heard();
      });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["transactionReceipts"]}');
    await until(1);
    const sent = await owner.sendTransaction({ to: owner.address });
    await until(2);
    expect(frames[1]?.params?.result).toMatchObject([{ transactionHash: sent.hash, status: '0x1' }]);
    socket.send(
      '{"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["transactionReceipts",{"transactionHashes":["0x1"]}]}',
    );
    await until(3);
    expect(frames[2]).toMatchObject({ id: 2, error: { code: -32602 } });
    socket.close();
  });
});

describe('debug', () => {
  it('encodes headers and blocks, and traces a block from its bytes', async () => {
    const { blockNumber, blockHash } = await placeOf(transferHash);
    const raw = await ask<string>('debug_getRawBlock', blockNumber);
    expect(raw).toContain((await ask<string>('debug_getRawHeader', blockNumber)).slice(2));
    expect(await ask('debug_getBlockRlp', Number(blockNumber))).toBe(raw);
    const traced = await ask<unknown[]>('debug_traceBlock', raw, { tracer: 'callTracer' });
    expect(traced).toEqual(await ask('debug_traceBlockByHash', blockHash, { tracer: 'callTracer' }));
    expect(await ask('debug_traceBlockByNumber', '0x0', { tracer: 'callTracer' })).toEqual([]);
    expect(await refusal('debug_traceBlock', '0xc0')).toContain('only blocks of this chain can be traced');
    expect(await refusal('debug_getRawTransaction', '1000000')).toContain('-32602');
  });

  it('sends from imported keys and answers with the receipt, and reverts to a block number', async () => {
    const given = HDNodeWallet.createRandom();
    const from = await ask<string>('personal_importRawKey', given.privateKey.slice(2), '');
    expect(from).toBe(given.address.toLowerCase());
    const [rich] = await ask<readonly string[]>('eth_accounts');
    const value = '0xde0b6b3a7640000';
    const funded = { from: rich, to: from, value };
    expect(await ask('eth_sendTransactionSync', funded)).toMatchObject({ status: '0x1', to: from });
    const head = await ask<string>('eth_blockNumber');
    const made = await ask<string>('personal_newAccount', 'password');
    const spent = { from, to: made, value: '0x1' };
    expect(await ask('eth_sendTransactionSync', spent, 10_000)).toMatchObject({ status: '0x1', from });
    expect(await ask('eth_getBalance', made)).toBe('0x1');
    expect(await ask('personal_sendTransaction', spent, 'password')).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await refusal('eth_sendTransactionSync', { from: `0x${'aa'.repeat(20)}`, to: from })).toContain('-32');
    await ask('debug_setHead', head);
    expect(await ask('eth_getBalance', made)).toBe('0x0');
    expect(await refusal('debug_setHead', '0xffff')).toContain('block #65535 not found');
    expect(await ask('debug_clearTxpool')).toBeNull();
  });

  it('has the tracers of geth', async () => {
    const trace = <Result>(tracer: string, tracerConfig?: object | null) =>
      ask<Result>('debug_traceTransaction', transferHash, { tracer, tracerConfig });
    const { blockHash, blockNumber } = await placeOf(transferHash);
    expect(await trace('flatCallTracer')).toMatchObject([
      {
        blockHash,
        blockNumber: Number(blockNumber),
        transactionHash: transferHash,
        transactionPosition: 0,
        type: 'call',
      },
    ]);
    const preimages = await trace<Record<string, string>>('keccak256PreimageTracer');
    expect(Object.keys(preimages).length).toBeGreaterThan(0);
    for (const [hash, preimage] of Object.entries(preimages)) expect(keccak256(preimage)).toBe(hash);
    expect(await trace('erc7562Tracer')).toMatchObject({
      type: 'CALL',
      keccak: expect.arrayContaining(Object.values(preimages)),
    });
    expect(await trace('muxTracer', { callTracer: null, noopTracer: null })).toMatchObject({
      callTracer: { type: 'CALL' },
      noopTracer: {},
    });
    const failed = await ask<Record<string, unknown>>('debug_traceTransaction', refusedHash, {
      tracer: 'callTracer',
      tracerConfig: { withLog: true },
    });
    expect(failed).toMatchObject({ error: 'execution reverted' });
    expect(failed['logs']).toBeUndefined();
  });

  it('estimates gas in a block with overrides of the request', async () => {
    // Reverts unless the time of the block is 0x77777777.
    const code = { [token]: { code: '0x42637777777714600d575f5ffd5b00' } };
    const estimate = ['eth_estimateGas', { to: token }, 'latest', code] as const;
    expect(await refusal(...estimate)).toContain('execution reverted');
    expect(Number(await ask<string>(...estimate, { time: '0x77777777' }))).toBeGreaterThan(21_000);
    expect(await refusal(...estimate, { time: '0x77777778' })).toContain('execution reverted');
    expect(await refusal(...estimate, { beaconRoot: `0x${'00'.repeat(32)}` })).toContain('beaconRoot');
  });

  it('pages through the storage of a contract as it was before a transaction', async () => {
    const { blockHash } = await placeOf(refusedHash);
    const whole = await ask<{ readonly storage: Record<string, { readonly key: string }>; readonly nextKey: null }>(
      'debug_storageRangeAt',
      blockHash,
      0,
      token,
      '0x',
      100,
    );
    const hashes = Object.keys(whole.storage);
    expect(hashes.length).toBeGreaterThan(1);
    for (const [hash, { key }] of Object.entries(whole.storage)) expect(keccak256(key)).toBe(hash);
    const first = await ask<{ readonly storage: object; readonly nextKey: string }>(
      'debug_storageRangeAt',
      blockHash,
      0,
      token,
      '0x',
      1,
    );
    expect([Object.keys(first.storage), first.nextKey]).toEqual([[hashes[0]], hashes[1]]);
    const { blockNumber } = await placeOf(refusedHash);
    for (const block of [blockNumber, { blockHash }, { blockNumber }])
      expect(await ask('debug_storageRangeAt', block, 0, token, '0x', 100)).toEqual(whole);
    const atGenesis = await ask('debug_storageRangeAt', '0x0', 0, token, '0x', 1);
    expect(atGenesis).toEqual({ storage: {}, nextKey: null });
    expect(await refusal('debug_storageRangeAt', '0xffffff', 0, token, '0x', 1)).toContain('block #16777215 not found');
  });
});

interface VmTrace {
  readonly code: string;
  readonly ops: readonly {
    readonly pc: number;
    readonly ex: { readonly push: readonly string[]; readonly store: object | null } | null;
  }[];
}

describe('trace and ots', () => {
  it('trace_* agree with each other', async () => {
    const { blockNumber } = await placeOf(transferHash);
    const traces = await ask<readonly object[]>('trace_transaction', transferHash);
    expect(await ask('trace_block', blockNumber)).toEqual(traces);
    expect(await ask('trace_get', transferHash, [])).toEqual(traces[0]);
    expect(await ask('trace_filter', { fromBlock: blockNumber, toBlock: blockNumber, toAddress: [token] })).toEqual(
      traces,
    );
    expect(await ask('trace_filter', { fromBlock: blockNumber, toBlock: blockNumber, after: 1 })).toEqual([]);
    const replayed = await ask<{ readonly stateDiff: Record<string, { readonly nonce: unknown }> }>(
      'trace_replayTransaction',
      transferHash,
      ['trace', 'stateDiff'],
    );
    expect(replayed.stateDiff[owner.address.toLowerCase()]?.nonce).toEqual({ '*': { from: '0x1', to: '0x2' } });
    expect(await ask('trace_replayBlockTransactions', blockNumber, ['trace', 'stateDiff'])).toEqual([
      { ...replayed, transactionHash: transferHash },
    ]);
    expect(await ask('trace_call', { to: token }, ['trace'])).toMatchObject({
      trace: [{ type: 'call' }],
      stateDiff: null,
    });
    const [states, called] = [
      await ask<{ readonly vmTrace: VmTrace }>('trace_replayTransaction', transferHash, ['vmTrace']),
      await ask<{ readonly vmTrace: VmTrace }>('trace_call', { to: token }, ['vmTrace']),
    ];
    const { structLogs } = await ask<{
      readonly structLogs: readonly { readonly pc: number; readonly stack: readonly string[] }[];
    }>('debug_traceTransaction', transferHash, {});
    const { code, ops } = states.vmTrace;
    expect([code, called.vmTrace.code]).toEqual([await ask('eth_getCode', token), code]);
    expect(ops.map(({ pc }) => pc)).toEqual(structLogs.map(({ pc }) => pc));
    expect(ops.flatMap(({ ex }) => ex?.push ?? []).length).toBeGreaterThan(10);
    for (const [index, { ex }] of ops.slice(0, -1).entries()) {
      const stack = structLogs[index + 1]?.stack ?? [];
      const pushed = ex?.push ?? [];
      expect(pushed).toEqual(stack.slice(stack.length - pushed.length));
    }
    expect(ops.filter(({ ex }) => ex?.store !== null)).toHaveLength(2);
    expect(await ask('trace_replayBlockTransactions', blockNumber, ['vmTrace'])).toEqual([
      { ...states, transactionHash: transferHash },
    ]);
    expect(await ask('trace_transaction', `0x${'11'.repeat(32)}`)).toBeNull();
  });

  it('the top call has its execution gas in trace_*, and the gas of the transaction in flatCallTracer', async () => {
    const { gas, input } = await ask<{ readonly gas: string; readonly input: string }>(
      'eth_getTransactionByHash',
      transferHash,
    );
    const { gasUsed } = await ask<{ readonly gasUsed: string }>('eth_getTransactionReceipt', transferHash);
    const intrinsic = getBytes(input).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
    type Calls = readonly {
      readonly action: { readonly gas: string };
      readonly result: { readonly gasUsed: string };
    }[];
    const gasOf = ([first]: Calls) => [BigInt(first?.action.gas ?? 0), BigInt(first?.result.gasUsed ?? 0)];
    const executed = [BigInt(gas) - intrinsic, BigInt(gasUsed) - intrinsic];
    expect(gasOf(await ask<Calls>('trace_transaction', transferHash))).toEqual(executed);
    const { trace } = await ask<{ readonly trace: Calls }>('trace_replayTransaction', transferHash, ['trace']);
    expect(gasOf(trace)).toEqual(executed);
    expect(gasOf(await ask<Calls>('debug_traceTransaction', transferHash, { tracer: 'flatCallTracer' }))).toEqual([
      BigInt(gas),
      BigInt(gasUsed),
    ]);
  });

  it('answers the requests of Otterscan', async () => {
    const { blockNumber } = await placeOf(transferHash);
    expect(await ask('ots_getApiLevel')).toBe(8);
    expect(await ask('erigon_getHeaderByNumber', blockNumber)).toMatchObject({ number: blockNumber });
    expect([await ask('ots_hasCode', token, 'latest'), await ask('ots_hasCode', owner.address, 'latest')]).toEqual([
      true,
      false,
    ]);
    expect(await ask('ots_getContractCreator', token)).toMatchObject({ creator: owner.address.toLowerCase() });
    expect(await ask('ots_getContractCreator', owner.address)).toBeNull();
    expect(await ask('ots_getTransactionBySenderAndNonce', owner.address, 1)).toBe(transferHash);
    expect(await ask('ots_getBlockDetails', blockNumber)).toMatchObject({
      block: { number: blockNumber, transactionCount: 1, logsBloom: null },
      issuance: { issuance: '0x0' },
    });
    expect(await ask('ots_getBlockTransactions', blockNumber, 0, 25)).toMatchObject({
      fullblock: { transactions: [{ hash: transferHash, input: '0xa9059cbb' }] },
      receipts: [{ transactionHash: transferHash, logs: null }],
    });
    expect(await ask('ots_traceTransaction', transferHash)).toMatchObject([{ type: 'CALL', depth: 0, to: token }]);
    expect(await ask('ots_getInternalOperations', transferHash)).toEqual([]);
    expect(await ask<string>('ots_getTransactionError', refusedHash)).toMatch(/^0x[0-9a-f]{8}/u);
    expect(await refusal('ots_searchTransactionsBefore', token, 0, 101)).toContain('limit otsPage');
    const page = await ask<{ readonly txs: readonly { readonly hash: string }[]; readonly lastPage: boolean }>(
      'ots_searchTransactionsBefore',
      token,
      0,
      1,
    );
    expect([page.txs.map(({ hash }) => hash), page.lastPage]).toEqual([[refusedHash], false]);
    const rest = await ask<{ readonly txs: readonly { readonly hash: string }[] }>(
      'ots_searchTransactionsAfter',
      token,
      Number(blockNumber) - 1,
      10,
    );
    expect(rest.txs.map(({ hash }) => hash)).toEqual([refusedHash, transferHash]);
    const { hash: created } = await ask<{ readonly hash: string }>('ots_getContractCreator', token);
    const all = await ask<{ readonly txs: readonly { readonly hash: string }[]; readonly lastPage: boolean }>(
      'ots_searchTransactionsBefore',
      token,
      0,
      10,
    );
    expect([all.txs.map(({ hash }) => hash), all.lastPage]).toEqual([[refusedHash, transferHash, created], true]);
  });

  it('rpc_discover lists the methods of the registry that dispatches calls', async () => {
    const { methods } = await ask<{
      readonly methods: readonly { readonly name: string; readonly params: readonly { readonly name: string }[] }[];
    }>('rpc_discover');
    for (const { name, params } of methods)
      expect(new Set(params.map((param) => param.name)).size, name).toBe(params.length);
    const names = methods.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['eth_simulateV1', 'rpc_discover', 'trace_filter']));
    for (const name of names)
      expect(await refusal(name, ...Array<unknown>(9).fill({}))).not.toContain('does not exist');
  });
});
