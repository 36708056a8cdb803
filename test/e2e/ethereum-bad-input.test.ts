/** Broken, hostile and endless requests to the Ethereum face of a running daemon. The daemon survives them. */
import {
  createWalletClient,
  defineChain,
  encodeFunctionData,
  http,
  type Hex,
  parseGwei,
  parseTransaction,
  publicActions,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { Worker } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS, signEthereum, UNSIGNED } from './load.js';

const CHAIN = 271_828;
const NOBODY = '0x00000000000000000000000000000000000000aa';
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let daemon: DaemonProcess;
let url: string;
let worker: Hex;

const keyOf = (index: number): Hex => `0x${Buffer.from(ACCOUNTS[index]?.privateKey ?? []).toString('hex')}`;
const account = (index: number) => privateKeyToAccount(keyOf(index));

const rawOf = (unsigned: Parameters<typeof signEthereum>[1]): Hex =>
  `0x${signEthereum(1, unsigned).ethereum?.raw.slice(2)}`;

function client(index: number) {
  const chain = defineChain({
    id: CHAIN,
    name: 'Chronicle',
    nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  return createWalletClient({ chain, transport: http(url), account: account(index), pollingInterval: 20 }).extend(
    publicActions,
  );
}

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
  const deployer = client(0);
  const { contractAddress } = await deployer.waitForTransactionReceipt({
    hash: await deployer.deployContract({ ...Worker, args: [] }),
  });
  worker = contractAddress ?? '0x';
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** Error object of a call, as the node wrote it. */
async function refusal(
  method: string,
  params: readonly unknown[],
): Promise<{ readonly code: number; readonly message: string; readonly data?: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { readonly error?: { readonly code: number; readonly message: string } };
  if (answer.error === undefined) throw new Error(`${method} succeeded: ${JSON.stringify(answer)}`);
  return answer.error;
}

/** The error of the only call of a batch. */
async function batched(method: string, params: readonly unknown[]): Promise<{ readonly message: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params }]),
  });
  const [answer] = (await response.json()) as readonly { readonly error?: { readonly message: string } }[];
  if (answer?.error === undefined) throw new Error(`${method} succeeded`);
  return answer.error;
}

const WIDE = {
  type: 2,
  chainId: BigInt(CHAIN),
  nonce: 0n,
  gasLimit: 21_000n,
  to: new Uint8Array(20),
  value: 1n,
  data: new Uint8Array(),
  accessList: [],
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const;
const transfer = {
  chainId: CHAIN,
  type: 'eip1559',
  to: NOBODY,
  gas: 21_000n,
  maxFeePerGas: parseGwei('2'),
  maxPriorityFeePerGas: 1n,
  value: 1n,
} as const satisfies TransactionSerializable;

describe('eth_sendRawTransaction', () => {
  const signed = (change: Partial<TransactionSerializable>, index = 1): Promise<Hex> =>
    account(index).signTransaction({ ...transfer, nonce: 0, ...change } as TransactionSerializable);
  const cases: readonly (readonly [string, () => Promise<Hex>, RegExp])[] = [
    ['is no RLP', async () => '0x1234', /^transaction type not supported$/],
    ['is empty', async () => '0x', /^typed transaction too short$/],
    ['has bytes behind it', async () => `${await signed({})}00`, /^rlp: input contains more than one value$/],
    [
      'is for another chain',
      () => signed({ chainId: 1 }),
      /^invalid sender: invalid chain id for signer: have 1 want 271828$/,
    ],
    [
      "has a nonce below the account's",
      async () => account(0).signTransaction({ ...transfer, nonce: 0 }),
      /^nonce too low: next nonce 1, tx nonce 0$/,
    ],
    ['wants more gas than a block has', () => signed({ gas: 40_000_000n }), /^exceeds block gas limit$/],
    [
      'has too little gas for its bytes',
      () => signed({ gas: 20_000n }),
      /^intrinsic gas too low: gas 20000, minimum needed 21000$/,
    ],
    [
      'pays less than the base fee',
      () => signed({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }),
      /^max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: \d+$/,
    ],
    [
      'has a tip above its cap',
      async () =>
        rawOf({
          ...UNSIGNED,
          type: 2,
          chainId: BigInt(CHAIN),
          nonce: 0n,
          gasLimit: 21_000n,
          to: new Uint8Array(20),
          value: 1n,
          data: new Uint8Array(),
          accessList: [],
          maxFeePerGas: 2n,
          maxPriorityFeePerGas: 3n,
        }),
      /^max priority fee per gas higher than max fee per gas$/,
    ],
    [
      'can be replayed on other chains',
      async () =>
        rawOf({
          ...UNSIGNED,
          type: 0,
          chainId: undefined,
          nonce: 0n,
          gasLimit: 21_000n,
          to: new Uint8Array(20),
          value: 1n,
          data: new Uint8Array(),
          gasPrice: 2_000_000_000n,
        }),
      /^only replay-protected \(EIP-155\) transactions allowed over RPC$/,
    ],
    ['carries blobs', async () => '0x03c0', /^transaction type not supported$/],
    ['is of a type that nobody knows', async () => '0x05c0', /^transaction type not supported$/],
    ['has a nonce beyond 64 bits', async () => rawOf({ ...UNSIGNED, ...WIDE, nonce: 1n << 64n }), /^rlp: /],
    ['has a gas limit beyond 64 bits', () => signed({ gas: 1n << 64n }), /^rlp: /],
    ['has a value beyond 256 bits', async () => rawOf({ ...UNSIGNED, ...WIDE, value: 1n << 256n }), /^rlp: /],
    [
      'costs more than 256 bits can say',
      async () => rawOf({ ...UNSIGNED, ...WIDE, maxFeePerGas: (1n << 256n) - 1n }),
      /^insufficient funds for gas \* price \+ value: balance \d+, tx cost \d+, overshot \d+$/,
    ],
    [
      'is sent by somebody without money',
      () => privateKeyToAccount(`0x${'42'.repeat(32)}`).signTransaction({ ...transfer, nonce: 0 }),
      /^insufficient funds for gas \* price \+ value/,
    ],
    ['sends more than there is', () => signed({ value: 10n ** 30n }), /^insufficient funds for gas \* price \+ value/],
    [
      'creates a contract of too much code',
      () => signed({ to: null, value: 0n, gas: 8_000_000n, data: `0x${'00'.repeat(49_153)}` }),
      /^max initcode size exceeded: code size 49153, limit 49152$/,
    ],
  ];

  it.each(cases)('refuses a transaction: %s', async (_, make, text) => {
    const { code, message } = await refusal('eth_sendRawTransaction', [await make()]);
    expect(code).toBe(-32000);
    expect(message).toMatch(text);
  });

  it('refuses a signature with s in the upper half', async () => {
    const honest = parseTransaction(await signed({}));
    const s = SECP256K1_ORDER - BigInt(honest.s ?? 0);
    const flipped = serializeTransaction(
      { ...transfer, nonce: 0 },
      { r: honest.r ?? '0x', s: `0x${s.toString(16).padStart(64, '0')}`, yParity: 1 - (honest.yParity ?? 0) },
    );
    expect((await refusal('eth_sendRawTransaction', [flipped])).message).toMatch(
      /^invalid sender: invalid transaction v, r, s values$/,
    );
  });

  it('queues a transaction behind a nonce gap, and mines it when the gap is filled', async () => {
    const ahead = await callEthereum<Hex>(url, 'eth_sendRawTransaction', [await signed({ nonce: 1 }, 2)]);
    expect(await callEthereum(url, 'eth_getTransactionReceipt', [ahead])).toBeNull();
    expect(await callEthereum(url, 'eth_getTransactionByHash', [ahead])).toMatchObject({
      hash: ahead,
      blockNumber: null,
    });
    await callEthereum(url, 'eth_sendRawTransaction', [await signed({ nonce: 0 }, 2)]);
    expect(await client(2).waitForTransactionReceipt({ hash: ahead })).toMatchObject({ status: 'success' });
  });

  it('with Sync answers with the receipt, and with the expected nonce for a transaction behind a gap', async () => {
    expect(await callEthereum(url, 'eth_sendRawTransactionSync', [await signed({ nonce: 0 }, 6)])).toMatchObject({
      status: '0x1',
      from: account(6).address.toLowerCase(),
    });
    expect(await refusal('eth_sendRawTransactionSync', [await signed({ nonce: 5 }, 6), 10])).toMatchObject({
      code: 6,
      data: '0x1',
    });
  });

  it('refuses a replacement that pays less than 10 % more', async () => {
    const waiting = (fee: bigint) => signed({ nonce: 7, maxFeePerGas: fee, maxPriorityFeePerGas: fee }, 5);
    await callEthereum<Hex>(url, 'eth_sendRawTransaction', [await waiting(parseGwei('10'))]);
    expect((await refusal('eth_sendRawTransaction', [await waiting(parseGwei('10.9'))])).message).toBe(
      'replacement transaction underpriced',
    );
    const hash = await callEthereum<Hex>(url, 'eth_sendRawTransaction', [await waiting(parseGwei('11'))]);
    expect(await callEthereum(url, 'eth_getTransactionByHash', [hash])).toMatchObject({ hash, blockNumber: null });
  });

  it('refuses a transaction that is already mined', async () => {
    const raw = await signed({ nonce: 0 }, 3);
    const hash = await callEthereum<Hex>(url, 'eth_sendRawTransaction', [raw]);
    await client(3).waitForTransactionReceipt({ hash });
    expect((await refusal('eth_sendRawTransaction', [raw])).message).toBe('already known');
  });
});

describe('a call or trace without end', () => {
  const data = (functionName: string, args: readonly unknown[] = []): Hex =>
    encodeFunctionData({ abi: Worker.abi, functionName, args });

  it('ends by its gas or its timeout, and delays neither blocks nor other clients', async () => {
    const endless = Array.from({ length: 4 }, () =>
      refusal('eth_call', [{ to: worker, data: data('forEver'), gas: '0x2faf080' }, 'latest']),
    );
    const sender = client(4);
    // Meanwhile transactions are mined and cheap calls are answered.
    for (let sent = 0; sent < 3; sent += 1) {
      const hash = await sender.sendTransaction({ to: NOBODY, value: 1n });
      expect(await sender.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
      expect(await sender.readContract({ address: worker, abi: Worker.abi, functionName: 'counter' })).toBe(0n);
    }
    for (const { message } of await Promise.all(endless))
      expect(message).toMatch(/out of gas|execution aborted \(timeout = 5s\)/);
  });

  it('is refused as a trace that is too large while others are served; a limited trace succeeds', async () => {
    const endless = { to: worker, data: data('forEver'), gas: '0x2faf080' };
    // a batch, because a single trace would be streamed
    const traced = batched('debug_traceCall', [endless, 'latest', { enableMemory: true }]);
    const sender = client(4);
    expect(
      await sender.waitForTransactionReceipt({ hash: await sender.sendTransaction({ to: NOBODY, value: 1n }) }),
    ).toMatchObject({ status: 'success' });
    expect((await traced).message).toMatch(
      /^(trace too large: limit ethTraceBytes \(\d+\) exceeded|execution aborted \(timeout = 5s\))$/,
    );
    const { structLogs } = await callEthereum<{ readonly structLogs: readonly object[] }>(url, 'debug_traceCall', [
      { ...endless, gas: '0x30d40' },
      'latest',
      { limit: 50 },
    ]);
    expect(structLogs).toHaveLength(50);
  });

  it('is refused when the outputs of successive calls exceed the size limit of an answer', async () => {
    // returns 128 KiB of zeros
    const overrides = { [NOBODY]: { code: '0x620200005ff3' } };
    const many = (count: number) => [
      [{ transactions: Array.from({ length: count }, () => ({ to: NOBODY })) }],
      {},
      overrides,
    ];
    const [[output] = []] = await callEthereum<readonly (readonly { readonly value: string }[])[]>(
      url,
      'eth_callMany',
      many(1),
    );
    expect(output?.value).toHaveLength(2 + 2 * 0x2_00_00);
    const { ethTraceBytes } = DEFAULT_LIMITS;
    await expect(callEthereum(url, 'eth_callMany', many(ethTraceBytes / (2 * 0x2_00_00) + 1))).rejects.toThrow(
      `answer too large: limit ethTraceBytes (${ethTraceBytes}) exceeded`,
    );
  });

  it('cannot buy memory beyond the gas limit', async () => {
    expect((await refusal('eth_call', [{ to: worker, data: data('hugeMemory') }, 'latest'])).message).toMatch(
      /out of gas|gas uint64 overflow/,
    );
  });

  it('is answered with revert data that clients decode', async () => {
    expect(await refusal('eth_call', [{ to: worker, data: data('refuse', ['not today']) }, 'latest'])).toMatchObject({
      code: 3,
      message: 'execution reverted: not today',
    });
    expect(await refusal('eth_estimateGas', [{ to: worker, data: data('refuse', ['not today']) }])).toMatchObject({
      code: 3,
      message: 'execution reverted: not today',
    });
    expect(await refusal('eth_call', [{ to: worker, data: data('panic') }, 'latest'])).toMatchObject({ code: 3 });
  });
});

describe('an unknown block, transaction or method', () => {
  it('is answered with null at once for a block, a transaction or a receipt', async () => {
    const unknown = `0x${'ab'.repeat(32)}`;
    expect(await callEthereum(url, 'eth_getBlockByHash', [unknown, false])).toBeNull();
    expect(await callEthereum(url, 'eth_getBlockByNumber', ['0xffffff', false])).toBeNull();
    expect(await callEthereum(url, 'eth_getTransactionByHash', [unknown])).toBeNull();
    expect(await callEthereum(url, 'eth_getTransactionReceipt', [unknown])).toBeNull();
    expect(await callEthereum(url, 'eth_getBlockReceipts', ['0xffffff'])).toBeNull();
  });

  it('is refused with the error of geth for a state, a method or an address', async () => {
    expect((await refusal('eth_getBalance', [NOBODY, '0xffffff'])).message).toBe('header not found');
    expect((await refusal('eth_nothing', [])).code).toBe(-32601);
    expect((await refusal('eth_getBalance', ['0x12', 'latest'])).code).toBe(-32602);
  });
});
