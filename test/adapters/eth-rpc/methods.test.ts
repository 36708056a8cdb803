import { type Hex, keccak256, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import type { EthereumPendingTransaction, TracePart } from '../../../src/core/ethereum/api.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { Timers } from '../../../src/core/ports/time.js';
import { toHeight } from '../../../src/core/primitives.js';
import { decodeTransaction, encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { recoverSender } from '../../../src/core/ethereum/transaction-sender.js';
import { hexData, hexQuantity } from '../../../src/core/bytes/hex.js';
import {
  CHAIN_ID,
  CONTRACT,
  OTHER,
  SECOND_TOPIC,
  SENDER,
  TOPIC,
  bytes,
  crypto,
  transfer,
  signed,
} from './fake-node.js';
import { argumentProblem } from '../../support/discovered.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { type Answered, type Face, openFace, timers } from './face.js';

const refusal = ({ error }: Answered): readonly [number | undefined, string | undefined] => [
  error?.code,
  error?.message,
];
const ofLog = { address: CONTRACT, topics: [TOPIC, SECOND_TOPIC], data: bytes('01') };
const sender = hexData(SENDER);
const other = hexData(OTHER);

describe('eth_getLogs', () => {
  const face = openFace();
  const count = async (filter: object, over: Face = face): Promise<number | undefined> => {
    const { result } = await over.call('eth_getLogs', filter);
    return Array.isArray(result) ? result.length : undefined;
  };

  it('searches only the head when no bound is given', async () => expect(await count({})).toBe(1));
  it('returns the logs of a range in order, each with its position', async () => {
    const { result } = await face.call('eth_getLogs', { fromBlock: 'earliest', toBlock: 'latest' });
    const places = (result as { blockNumber: string; transactionIndex: string; logIndex: string }[]).map(
      ({ blockNumber, transactionIndex, logIndex }) => [blockNumber, transactionIndex, logIndex],
    );
    expect(places).toEqual([
      ['0x2', '0x0', '0x0'],
      ['0x3', '0x1', '0x0'],
      ['0x3', '0x1', '0x1'],
      ['0x4', '0x1', '0x0'],
    ]);
  });
  it.each([
    [{ address: hexData(CONTRACT) }, 3],
    [{ address: [hexData(CONTRACT), other] }, 4],
    [{ address: [] }, 4],
    [{ topics: [] }, 4],
    [{ topics: [null] }, 3],
    [{ topics: [hexData(TOPIC)] }, 3],
    [{ topics: [null, hexData(SECOND_TOPIC)] }, 2],
    [{ topics: [null, null] }, 2],
    [{ topics: [null, null, null] }, 0],
    [{ topics: [[hexData(SECOND_TOPIC), hexData(TOPIC)]] }, 3],
    [{ topics: [[hexData(SECOND_TOPIC), null]] }, 3],
    [{ topics: [[], []] }, 2],
  ])('%j matches %i logs', async (filter, expected) =>
    expect(await count({ fromBlock: '0x0', ...filter })).toBe(expected),
  );
  it('returns the logs of one block by its hash', async () =>
    expect(await count({ blockHash: hexData(face.node.blocks[3]?.hash ?? TOPIC) })).toBe(2));

  it.each([
    [{ blockHash: hexData(TOPIC) }, -32000, 'unknown block'],
    [{ fromBlock: '0x3', toBlock: '0x2' }, -32602, 'invalid block range params'],
    [{ fromBlock: '0x2', toBlock: '0xff' }, -32602, 'block range extends beyond current head block'],
    [{ fromBlock: '0xff' }, -32602, 'invalid block range params'],
    [{ toBlock: 'pending' }, -32602, 'pending logs are not supported'],
    [{ fromBlock: '0x01' }, -32602, 'invalid argument 0: hex number with leading zero digits'],
    [
      { address: ['0x12'] },
      -32602,
      'invalid argument 0: invalid address at index 0: hex has invalid length 1 after decoding; expected 20 for address',
    ],
    [{ address: [5] }, -32602, 'invalid argument 0: non-string address at index 0'],
    [{ address: 5 }, -32602, 'invalid argument 0: invalid addresses in query'],
    [{ topics: [5] }, -32602, 'invalid argument 0: invalid topic(s)'],
    [{ topics: Array.from({ length: 5 }, () => null) }, -32602, 'invalid argument 0: exceed max topics'],
    [
      { address: Array.from({ length: 1_001 }, () => other) },
      -32602,
      'invalid argument 0: exceed max addresses or topics per search position',
    ],
  ])('%.80j is refused', async (filter, code, message) =>
    expect(refusal(await face.call('eth_getLogs', filter))).toEqual([code, message]),
  );

  it('refuses too wide a range and too many results, and suggests a range that fits', async () => {
    const small = openFace({ limits: { ethLogsBlockRange: 2, ethLogsResults: 2 } });
    expect((await small.call('eth_getLogs', { fromBlock: '0x0' })).error).toEqual({
      code: -32602,
      message: 'maximum [from, to] blocks distance: 2',
      data: { from: '0x0', to: '0x2', cap: '2' },
    });
    expect((await small.call('eth_getLogs', { fromBlock: '0x2' })).error).toEqual({
      code: -32000,
      message: 'query returned more than 2 results',
      data: { from: '0x2', to: '0x2', cap: '2' },
    });
    expect(await count({ fromBlock: '0x2', toBlock: '0x2' }, small)).toBe(1);
  });

  it('returns all logs of a single block, however many it has', async () => {
    const small = openFace({ limits: { ethLogsResults: 1 } });
    expect(await count({ fromBlock: '0x3', toBlock: '0x3' }, small)).toBe(2);
    expect(
      (await small.call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x3', address: other })).error,
    ).toBeUndefined();
    expect((await small.call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x3' })).error?.data).toEqual({
      from: '0x1',
      to: '0x2',
      cap: '1',
    });
  });
});

describe('polling filters', () => {
  it('have ids as quantities: leading zeros are not shown and not needed', async () => {
    const face = openFace();
    const { result } = await face.call('eth_newBlockFilter');
    expect(result).toMatch(/^0x[1-9a-f][0-9a-f]*$/u);
    expect((await face.call('eth_getFilterChanges', `0x00${String(result).slice(2).toUpperCase()}`)).result).toEqual(
      [],
    );
  });
  it('end an answer that would be too long before the block that does not fit; the next poll continues there', async () => {
    const face = openFace({ limits: { ethLogsResults: 2 } });
    const { result: id } = await face.call('eth_newFilter', {});
    for (let block = 0; block < 3; block += 1) face.node.append([{ transaction: transfer, logs: [ofLog] }]);
    const poll = async (): Promise<unknown[]> => (await face.call('eth_getFilterChanges', id)).result as unknown[];
    expect([(await poll()).length, (await poll()).length, (await poll()).length]).toEqual([2, 1, 0]);
  });
  it('fail when blocks that they have not reported yet are pruned', async () => {
    const face = openFace();
    const polled = async (method: string, id: unknown): Promise<unknown> => {
      const { error, result } = await face.call(method, id);
      return error ?? result;
    };
    const { result: blocks } = await face.call('eth_newBlockFilter');
    const { result: logs } = await face.call('eth_newFilter', { fromBlock: '0x2' });
    const { result: open } = await face.call('eth_newFilter', {});
    for (let block = 0; block < 3; block += 1) face.node.append([{ transaction: transfer, logs: [ofLog] }]);
    face.node.lowest = toHeight(face.node.api.blockNumber() - 1n);
    const pruned = { code: 4444, message: 'pruned history unavailable' };
    for (const id of [blocks, logs, blocks, logs]) expect(await polled('eth_getFilterChanges', id)).toEqual(pruned);
    expect(await polled('eth_getFilterLogs', logs)).toEqual(pruned);
    expect(await polled('eth_getFilterLogs', open)).toHaveLength(1);
  });
  it('answer errors for unknown filters, and for eth_getFilterLogs of other filters', async () => {
    const face = openFace();
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs'])
      expect(refusal(await face.call(method, '0xdead'))).toEqual([-32000, 'filter not found']);
    const { result: id } = await face.call('eth_newBlockFilter');
    expect(refusal(await face.call('eth_getFilterLogs', id))).toEqual([-32000, 'filter not found']);
    expect(refusal(await face.call('eth_getFilterChanges', 5))).toEqual([
      -32602,
      'invalid argument 0: json: cannot unmarshal number into Go value of type rpc.ID',
    ]);
  });
  it.each([
    [{ fromBlock: '0x3', toBlock: '0x2' }, 'invalid block range params'],
    [{ fromBlock: 'latest', toBlock: '0x2' }, 'invalid block range params'],
    [{ toBlock: '0x2' }, 'invalid block range params'],
    [{ fromBlock: 'pending' }, 'pending logs are not supported'],
  ])('eth_newFilter refuses %j', async (filter, message) =>
    expect(refusal(await openFace().call('eth_newFilter', filter))).toEqual([-32602, message]),
  );
  it.each([
    [{}],
    [{ fromBlock: 'latest', toBlock: 'latest' }],
    [{ fromBlock: '0x1' }],
    [{ fromBlock: '0x1', toBlock: '0xff' }],
    [{ fromBlock: 'earliest', toBlock: 'latest' }],
    [{ toBlock: 'safe' }],
  ])('eth_newFilter accepts %j', async (filter) =>
    expect((await openFace().call('eth_newFilter', filter)).result).toMatch(/^0x/u),
  );
  it('cannot be created beyond the limit, with the code that means: try again', async () => {
    const face = openFace({ filterCap: 0 });
    for (const [method, ...params] of [
      ['eth_newFilter', {}],
      ['eth_newBlockFilter'],
      ['eth_newPendingTransactionFilter'],
    ] as const) {
      expect(refusal(await face.call(method, ...params))).toEqual([-32005, 'error creating filter: max limit reached']);
    }
  });
});

describe('eth_call and related methods', () => {
  it('pass arguments, block and overrides to the node in checked form; input wins over data', async () => {
    const face = openFace();
    const state = {
      [other]: { balance: '0x1', nonce: '0x2', code: '0x60', stateDiff: { [hexData(TOPIC)]: hexData(SECOND_TOPIC) } },
    };
    await face.call(
      'eth_call',
      { from: sender, to: other, gas: '0x5208', value: '0x1', data: '0x01', input: '0x02', unknown: 1 },
      '0x2',
      state,
      { time: '0x5', feeRecipient: other },
    );
    expect(face.node.asked.calls).toEqual([
      [
        { from: SENDER, to: OTHER, gas: 21_000n, value: 1n, data: bytes('02') },
        2n,
        [{ address: OTHER, balance: 1n, nonce: 2n, code: bytes('60'), slots: [{ slot: TOPIC, value: SECOND_TOPIC }] }],
        { timestamp: 5n, coinbase: OTHER },
      ],
    ]);
  });
  it('accept blob fields in calls, even an empty list, and refuse blobs in sent transactions', async () => {
    const face = openFace({ dev: true });
    const blobs = { to: hexData(OTHER), blobVersionedHashes: [hexData(TOPIC)], maxFeePerBlobGas: '0x5' };
    await face.call('eth_call', blobs);
    await face.call('eth_call', { to: hexData(OTHER), blobVersionedHashes: [] });
    expect(face.node.asked.calls.map(([call]) => call)).toEqual([
      { to: OTHER, blobHashes: [TOPIC], maxFeePerBlobGas: 5n },
      { to: OTHER, blobHashes: [] },
    ]);
    for (const [method, params] of [
      ['eth_sendTransaction', { ...blobs, from: hexData(SENDER) }],
      ['eth_fillTransaction', blobs],
    ] as const)
      expect(refusal(await face.call(method, params))).toEqual([-32000, 'transaction type not supported']);
  });
  it.each([
    [
      { gasPrice: '0x1', maxFeePerGas: '0x1' },
      -32000,
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    ],
    [{ chainId: '0x1' }, -32000, "chainId does not match node's (have=1, want=9000)"],
    [
      { blobVersionedHashes: hexData(TOPIC) },
      -32602,
      'invalid argument 0: json: cannot unmarshal string into Go struct field TransactionArgs.blobVersionedHashes of type []common.Hash',
    ],
    [{ blobVersionedHashes: ['0x01'] }, -32602, 'invalid argument 0: hex string has length 2, want 64 for common.Hash'],
    [
      { maxFeePerBlobGas: 5 },
      -32602,
      'invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.maxFeePerBlobGas of type hexutil.Big',
    ],
    [
      { gas: '0x10000000000000000' },
      -32602,
      'invalid argument 0: json: cannot unmarshal hex number > 64 bits into Go struct field TransactionArgs.gas of type hexutil.Uint64',
    ],
    [
      { value: `0x1${'0'.repeat(64)}` },
      -32602,
      'invalid argument 0: json: cannot unmarshal hex number > 256 bits into Go struct field TransactionArgs.value of type hexutil.Big',
    ],
    [
      { value: 5 },
      -32602,
      'invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.value of type hexutil.Big',
    ],
    ['x', -32602, 'invalid argument 0: json: cannot unmarshal string into Go value of type ethapi.TransactionArgs'],
  ])('%.60j is refused by call and estimate alike', async (args, code, message) => {
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(refusal(await openFace().call(method, args))).toEqual([code, message]);
  });
  it('refuse blocks that do not exist, and contradicting blocks and overrides', async () => {
    const face = openFace();
    expect(refusal(await face.call('eth_call', {}, '0xff'))).toEqual([-32000, 'header not found']);
    expect(refusal(await face.call('eth_call', {}, { blockHash: hexData(TOPIC) }))).toEqual([
      -32000,
      'header for hash not found',
    ]);
    expect(refusal(await face.call('eth_call', {}, { blockHash: hexData(TOPIC), blockNumber: '0x1' }))).toEqual([
      -32602,
      'invalid argument 1: cannot specify both BlockHash and BlockNumber, choose one or the other',
    ]);
    expect(refusal(await face.call('eth_call', {}, 'latest', { [other]: { state: {}, stateDiff: {} } }))).toEqual([
      -32000,
      `account ${other} has both 'state' and 'stateDiff'`,
    ]);
  });
  it('eth_createAccessList returns what the call touches with its error text, and refuses like geth', async () => {
    const face = openFace();
    expect(
      (await face.call('eth_createAccessList', { to: other }, 'latest', { [other]: { balance: '0x1' } })).result,
    ).toEqual({ accessList: [{ address: other, storageKeys: [hexData(TOPIC)] }], gasUsed: '0x7530' });
    expect(face.node.asked.calls[0]).toEqual([{ to: OTHER }, 4n, [{ address: OTHER, balance: 1n }]]);
    face.node.accessList = { kind: 'list', accessList: [], gasUsed: 21_000n, error: 'execution reverted' };
    expect((await face.call('eth_createAccessList', { to: other })).result).toEqual({
      accessList: [],
      error: 'execution reverted',
      gasUsed: '0x5208',
    });
    face.node.accessList = { kind: 'refused', message: 'no funds' };
    expect(refusal(await face.call('eth_createAccessList', { to: other }))).toEqual([-32000, 'no funds']);
    expect(refusal(await face.call('eth_createAccessList', { to: other }, '0xff'))).toEqual([
      -32000,
      'header not found',
    ]);
    expect(refusal(await face.call('eth_createAccessList'))[0]).toBe(-32602);
  });
  it('eth_getStorageValues returns the values of many slots, within limits', async () => {
    const face = openFace();
    expect((await face.call('eth_getStorageValues', { [other]: ['0x1', hexData(TOPIC)] }, 'latest')).result).toEqual({
      [other]: [`0x${'0'.repeat(63)}1`, hexData(TOPIC)],
    });
    expect(refusal(await face.call('eth_getStorageValues', {}))).toEqual([-32602, 'invalid argument 0: empty request']);
    expect(
      refusal(await face.call('eth_getStorageValues', { [other]: Array.from({ length: 1_025 }, () => '0x0') })),
    ).toEqual([-32602, 'invalid argument 0: too many slots (max 1024)']);
    for (const wrong of [[], 'x', { [other]: 1 }, { [other]: [true] }, { '0x12': ['0x0'] }])
      expect(refusal(await face.call('eth_getStorageValues', wrong))[0]).toBe(-32602);
    expect(refusal(await face.call('eth_getStorageValues', { [other]: ['0x0'] }, '0xff'))).toEqual([
      -32000,
      'header not found',
    ]);
  });
  it('suggest no gas price below the lowest that is admitted', async () => {
    const suggested = async (lowestGasPrice: bigint) => {
      const face = openFace({ lowestGasPrice });
      return [
        (await face.call('eth_gasPrice')).result,
        (await face.call('eth_maxPriorityFeePerGas')).result,
        (await face.call('eth_baseFee')).result,
      ];
    };
    expect(await suggested(1_125_000_000n)).toEqual(['0x430e2340', '0x7735940', '0x3b9aca00']);
    expect(await suggested(5_000_000_000n)).toEqual([
      hexQuantity(5_000_000_000n),
      hexQuantity(4_000_000_000n),
      '0x3b9aca00',
    ]);
  });
  it('suggest a gas price that survives the smallest rise of the base fee, also from zero', async () => {
    const face = openFace({ nextBaseFee: 0n });
    expect([(await face.call('eth_gasPrice')).result, (await face.call('eth_maxPriorityFeePerGas')).result]).toEqual([
      '0x1',
      '0x1',
    ]);
    expect((await face.call('eth_fillTransaction', { from: other, to: other })).result).toMatchObject({
      tx: { maxFeePerGas: '0x1' },
    });
  });
  it('suggest no tip below the lowest of the preset', async () => {
    const suggested = async (nextBaseFee: bigint) => {
      const face = openFace({ nextBaseFee, minTip: 1_000_000_000n });
      const prices = ['eth_gasPrice', 'eth_maxPriorityFeePerGas'].map(async (name) => (await face.call(name)).result);
      return Promise.all(prices);
    };
    expect(await suggested(0n)).toEqual(['0x3b9aca00', '0x3b9aca00']);
    expect(await suggested(8_000_000_000n)).toEqual([hexQuantity(9_000_000_000n), '0x3b9aca00']);
    expect(await suggested(16_000_000_000n)).toEqual([hexQuantity(18_000_000_000n), hexQuantity(2_000_000_000n)]);
  });
  it('show the pending block as the head with the base fee of the next block', async () => {
    const face = openFace({ nextBaseFee: 1_125_000_000n });
    const { result: head } = await face.call('eth_getBlockByNumber', 'latest', false);
    for (const tag of ['pending', '-0x2'])
      expect((await face.callOtherwise('eth_getBlockByNumber', tag, false)).result).toEqual({
        ...(head as object),
        baseFeePerGas: '0x430e2340',
      });
    expect((await face.call('eth_getHeaderByNumber', 'pending')).result).toMatchObject({ baseFeePerGas: '0x430e2340' });
    const { result: history } = await face.call('eth_feeHistory', 1, 'latest', []);
    expect((history as { baseFeePerGas: string[] }).baseFeePerGas.at(-1)).toBe('0x430e2340');
  });
  it('refuse block overrides above 64 bits before they reach the engine', async () => {
    const face = openFace();
    for (const field of ['number', 'time', 'gasLimit', 'baseFeePerGas']) {
      expect(refusal(await face.call('eth_call', {}, 'latest', {}, { [field]: '0x10000000000000000' }))[0]).toBe(
        -32602,
      );
    }
    expect(face.node.asked.calls).toHaveLength(0);
  });
  it('pass the authorizations of a call to the node, and refuse more than the limit', async () => {
    const face = openFace();
    const account = privateKeyToAccount(`0x${'07'.repeat(32)}`);
    const authorize = async (chainId: number, nonce: number): Promise<object> => {
      const {
        r,
        s,
        yParity = 0,
      } = await account.signAuthorization({ chainId, address: `0x${'cc'.repeat(20)}`, nonce });
      return {
        chainId: `0x${chainId.toString(16)}`,
        address: hexData(CONTRACT),
        nonce: `0x${nonce.toString(16)}`,
        r: hexQuantity(BigInt(r)),
        s: hexQuantity(BigInt(s)),
        yParity: hexQuantity(yParity),
      };
    };
    const valid = await authorize(9_000, 5);
    await face.call('eth_call', {
      to: sender,
      authorizationList: [valid, await authorize(1, 5), await authorize(0, 6)],
    });
    expect(face.node.asked.calls[0]?.[0]).toMatchObject({
      authorizations: [{ nonce: 5n, address: CONTRACT }, { chainId: 1n }, { chainId: 0n, nonce: 6n }],
    });
    expect(
      (
        await face.call('eth_estimateGas', { to: sender, authorizationList: [valid] }, 'latest', {
          [sender]: { balance: '0x1' },
        })
      ).result,
    ).toBe('0x5208');
    expect(face.node.asked.estimates[0]).toMatchObject([
      { authorizations: [{ nonce: 5n }] },
      4n,
      [{ address: SENDER, balance: 1n }],
      {},
    ]);
    expect(
      refusal(await face.call('eth_call', { authorizationList: Array.from({ length: 257 }, () => valid) })),
    ).toEqual([-32602, 'invalid argument 0: limit ethCallAuthorizations (256) exceeded']);
  });
  it('have an error for each way in which an execution ends', async () => {
    const face = openFace();
    const ends = [
      { kind: 'revert', output: bytes(''), gasUsed: 1n },
      { kind: 'halt', message: 'out of gas', gasUsed: 1n },
      { kind: 'refused', message: 'intrinsic gas too low' },
      { kind: 'timeout', message: 'execution aborted (timeout = 5s)' },
    ] as const;
    const errors: unknown[] = [];
    for (const value of ends) {
      face.node.call = () => Promise.resolve({ ok: true, value });
      face.node.estimate = { ok: true, value };
      errors.push((await face.call('eth_call', {})).error);
      expect((await face.call('eth_estimateGas', {})).error).toEqual(errors.at(-1));
    }
    expect(errors).toEqual([
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: -32000, message: 'out of gas' },
      { code: -32000, message: 'intrinsic gas too low' },
      { code: -32000, message: 'execution aborted (timeout = 5s)' },
    ]);
  });
});

it('eth_capabilities answers an error when the block of the head is missing', async () => {
  const face = openFace();
  vi.spyOn(face.node.api, 'block').mockReturnValue(undefined);
  expect(refusal(await face.call('eth_capabilities'))).toEqual([-32000, 'header not found']);
});

describe('sending transactions', () => {
  it("answers a raw transaction that the pool refuses with the pool's code and text", async () => {
    const face = openFace();
    face.node.sends = { ok: false, error: { code: 'tx-refused', message: 'nonce too low: next nonce 5, tx nonce 0' } };
    expect(refusal(await face.call('eth_sendRawTransaction', '0x01'))).toEqual([
      -32000,
      'nonce too low: next nonce 5, tx nonce 0',
    ]);
    expect(refusal(await face.call('eth_sendRawTransaction', 'zz'))).toEqual([
      -32602,
      'invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes',
    ]);
  });
  it('fills, signs and sends transactions of a held account, each with its own nonce', async () => {
    const face = openFace({ dev: true });
    await Promise.all([1, 2, 3].map(() => face.call('eth_sendTransaction', { from: sender, to: other, value: '0x1' })));
    const sent = face.node.asked.sent.map((raw) => decodeTransaction(raw));
    expect(sent.map((decoded) => decoded.ok && decoded.transaction.nonce)).toEqual([5n, 6n, 7n]);
    for (const decoded of sent) {
      if (!decoded.ok) throw new Error(decoded.message);
      expect(decoded.transaction).toMatchObject({
        type: 2,
        gasLimit: 21_000n,
        maxPriorityFeePerGas: 125_000_000n,
        maxFeePerGas: 2_125_000_000n,
        to: OTHER,
        value: 1n,
      });
      expect(recoverSender(crypto, decoded.transaction, CHAIN_ID)).toEqual({ ok: true, sender: SENDER });
    }
  });
  it.each([
    [{ to: other }, 'unknown account'],
    [{ from: other, to: other }, 'unknown account'],
    [{ from: sender }, 'contract creation without any data provided'],
    [
      { from: sender, to: other, data: '0x01', input: '0x02' },
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    ],
    [
      { from: sender, to: other, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      'maxFeePerGas (1) < maxPriorityFeePerGas (2)',
    ],
  ])('%.80j is refused', async (args, message) =>
    expect(refusal(await openFace({ dev: true }).call('eth_sendTransaction', args))).toEqual([-32000, message]),
  );
  it('signs nothing when the node holds no keys', async () => {
    expect(refusal(await openFace().call('eth_sign', sender, '0x12'))).toEqual([-32000, 'unknown account']);
    expect(refusal(await openFace().call('eth_sendTransaction', { from: sender, to: other }))).toEqual([
      -32000,
      'unknown account',
    ]);
  });
});

describe('reading state and blocks', () => {
  const face = openFace();
  it('accepts addresses and hashes in their Ethereum and Cosmos forms', async () => {
    const bech32 = encodeAddress('chron', SENDER);
    expect((await face.callOtherwise('eth_getBalance', bech32)).result).toBe('0x56bc75e2d63100000');
    expect(refusal(await face.call('eth_getBalance', bech32.slice(0, -1)))).toEqual([
      -32602,
      'invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Address',
    ]);
    const [transaction] = face.node.blocks[2]?.transactions ?? [];
    const upper = hexData(transaction?.consensusHash ?? TOPIC)
      .slice(2)
      .toUpperCase();
    expect((await face.callOtherwise('eth_getTransactionReceipt', upper)).result).toEqual(
      (await face.call('eth_getTransactionReceipt', hexData(transaction?.hash ?? TOPIC))).result,
    );
  });
  it('web3_sha3 hashes the decoded bytes', async () =>
    expect((await face.call('web3_sha3', '0x68656c6c6f')).result).toBe(
      '0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8',
    ));
  it('accepts short storage keys, and refuses keys longer than 32 bytes', async () => {
    expect((await face.call('eth_getStorageAt', other, '0x2')).result).toBe(`0x${'2'.padStart(64, '0')}`);
    expect((await face.call('eth_getStorageAt', other, '2')).result).toBe(`0x${'2'.padStart(64, '0')}`);
    expect(refusal(await face.call('eth_getStorageAt', other, `0x${'1'.repeat(66)}`))).toEqual([
      -32602,
      `invalid argument 1: storage key too long (want at most 32 bytes): "0x${'1'.repeat(66)}"`,
    ]);
    expect(refusal(await face.call('eth_getStorageAt', other, 'xyz'))).toEqual([
      -32602,
      'invalid argument 1: invalid hex in storage key: "xyz"',
    ]);
  });
  it('accepts JSON numbers as storage keys, like anvil', async () => {
    const word = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
    for (const number of [0, 300, Number.MAX_SAFE_INTEGER])
      expect((await face.call('eth_getStorageAt', other, number)).result).toBe(word(number));
    expect((await face.call('eth_getProof', other, [300])).error).toBeUndefined();
    for (const number of [-1, 0.5, 2 ** 53])
      expect(refusal(await face.call('eth_getStorageAt', other, number))).toEqual([
        -32602,
        'invalid argument 1: json: cannot unmarshal number into Go value of type string',
      ]);
  });
  it('answers uncle counts of zero for a block, and null for a missing block', async () => {
    expect((await face.call('eth_getUncleCountByBlockNumber', '0x1')).result).toBe('0x0');
    expect((await face.call('eth_getUncleCountByBlockNumber', '0xff')).result).toBeNull();
    expect((await face.call('eth_getUncleByBlockNumberAndIndex', '0x1', '0x0')).result).toBeNull();
  });
  it('returns raw transactions', async () => {
    const [transaction] = face.node.blocks[2]?.transactions ?? [];
    expect((await face.call('eth_getRawTransactionByHash', hexData(transaction?.hash ?? TOPIC))).result).toBe(
      hexData(transaction?.raw ?? TOPIC),
    );
    expect((await face.call('eth_getRawTransactionByHash', hexData(TOPIC))).result).toBe('0x');
  });
  it('eth_feeHistory returns gas ratios, tips by weight, and the base fee after the last block', async () => {
    expect((await face.call('eth_feeHistory', '0x2', 'latest', [0, 100])).result).toEqual({
      oldestBlock: '0x3',
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x3b9aca00'],
      gasUsedRatio: [0.0014, 0.0014],
      reward: [
        ['0x7', '0x7'],
        ['0x7', '0x3b9aca00'],
      ],
      baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
      blobGasUsedRatio: [0, 0],
    });
    expect((await face.call('eth_feeHistory', 100, 'latest')).result).toMatchObject({ oldestBlock: '0x0' });
  });
  it('eth_feeHistory yields a turn of the event loop after each large block that is not in memory', async () => {
    const turnsOf = async (isInMemory: boolean): Promise<number> => {
      let turns = 0;
      const counting: Timers = {
        ...timers,
        async yield() {
          turns += 1;
        },
      };
      const counted = openFace({ timers: counting });
      const { node } = counted;
      const [one] = node.blocks.flatMap(({ transactions }) => transactions);
      for (const block of node.blocks) Object.assign(block, { transactions: Array.from({ length: 200 }, () => one) });
      Object.assign(node.api, { isInMemory: () => isInMemory });
      const { result } = await counted.call('eth_feeHistory', '0x4', 'latest', [50]);
      expect(result).toMatchObject({ oldestBlock: '0x1' });
      return turns;
    };
    expect([await turnsOf(true), await turnsOf(false)]).toEqual([0, 3]);
  });
  it.each([
    [['0x1', '0xff', []], 'request beyond head block: requested 255, head 4'],
    [['0x1', 'latest', [101]], 'invalid reward percentile: 101.000000'],
    [['0x1', 'latest', [20, 10]], 'invalid reward percentile: #0:20.000000 >= #1:10.000000'],
    [
      ['0x1', 'latest', Array.from({ length: 101 }, (_, index) => index / 2)],
      'invalid reward percentile: over the query limit 100',
    ],
  ])('eth_feeHistory %.40j is refused', async (params, message) =>
    expect(refusal(await face.call('eth_feeHistory', ...params))).toEqual([-32000, message]),
  );
});

describe('RPC namespaces and their methods', () => {
  it('by default are the usual five, and in dev mode all', async () => {
    expect((await openFace().call('rpc_modules')).result).toEqual({
      eth: '1.0',
      net: '1.0',
      rpc: '1.0',
      txpool: '1.0',
      web3: '1.0',
    });
    expect(Object.keys((await openFace({ dev: true }).call('rpc_modules')).result as object)).toEqual([
      'anvil',
      'chronicle',
      'debug',
      'erigon',
      'eth',
      'evm',
      'ganache',
      'hardhat',
      'miner',
      'net',
      'ots',
      'personal',
      'rpc',
      'tenderly',
      'trace',
      'txpool',
      'web3',
    ]);
  });
  it('of dev mode do not exist outside dev mode, even if requested', async () => {
    const face = openFace({ namespaces: ['eth', 'evm', 'anvil'] });
    expect(refusal(await face.call('evm_mine'))).toEqual([
      -32601,
      'the method evm_mine does not exist/is not available',
    ]);
    expect(refusal(await face.call('debug_traceTransaction', hexData(TOPIC)))).toEqual([
      -32601,
      'the method debug_traceTransaction does not exist/is not available',
    ]);
  });
  it('accept the block names of geth, anvil and ethermint', async () => {
    const face = openFace();
    const numberOf = async (block: unknown) =>
      ((await face.callOtherwise('eth_getBlockByNumber', block, false)).result as { readonly number?: string } | null)
        ?.number;
    const { result: head } = await face.call('eth_blockNumber');
    expect(await Promise.all([2, '2', '0x2', -1, '-0x1', -2, '-0x2', '-2'].map(numberOf))).toEqual([
      '0x2',
      '0x2',
      '0x2',
      ...Array.from({ length: 5 }, () => head),
    ]);
    for (const wrong of ['ff', -3, 1.5, '0x02', '-0x3', true, [-1], ['-0x2'], [[-1]]])
      expect(refusal(await face.call('eth_getBlockByNumber', wrong, false))[0]).toBe(-32602);
  });
  it('call the dev commands by their aliases, each with the answer of its tool', async () => {
    const face = openFace({ dev: true });
    expect((await face.call('evm_mine')).result).toBe('0x0');
    expect((await face.call('evm_mine', { blocks: 3, timestamp: '0x77' })).result).toBe('0x0');
    expect((await face.call('anvil_mine', '0x2')).result).toBeNull();
    expect((await face.callOtherwise('evm_increaseTime', '60')).result).toBe(60);
    expect((await face.call('evm_snapshot')).result).toBe('0x1');
    expect((await face.call('evm_revert', '0x2')).result).toBe(false);
    for (const [name, answer] of [
      ['anvil_setBalance', null],
      ['hardhat_setBalance', true],
      ['evm_setAccountBalance', true],
    ] as const)
      expect((await face.callOtherwise(name, other, '0x00ff')).result).toBe(answer);
    expect(refusal(await face.call('evm_mine', { blocks: 1_000_000 }))).toEqual([
      -32602,
      'limit devMineBlocks (100000) exceeded',
    ]);
    expect(face.node.asked.dev).toEqual([
      ['mine', 1, undefined],
      ['mine', 3, 0x77n],
      ['mine', 2, undefined],
      ['increaseTime', 60n],
      ['setBalance', [OTHER], 255n],
      ['setBalance', [OTHER], 255n],
      ['setBalance', [OTHER], 255n],
    ]);
  });
  it("a dropped transaction answers true under hardhat's name, and its hash under anvil's", async () => {
    const face = openFace({ dev: true });
    const dropped = `0x${'1'.repeat(64)}`;
    expect((await face.call('hardhat_dropTransaction', dropped)).result).toBe(true);
    expect((await face.call('anvil_dropTransaction', dropped)).result).toBe(dropped);
  });
  it('mine blocks that are seconds apart on request', async () => {
    const face = openFace({ dev: true });
    for (const [name, ...params] of [
      ['anvil_mine', '0x3', '0x3c'],
      ['hardhat_mine', '0x3', '0x3c'],
      ['hardhat_mine', '0x3', '0x0'],
      ['hardhat_mine'],
    ] as const)
      expect((await face.call(name, ...params)).result).toBe(name === 'hardhat_mine' || null);
    expect(face.node.asked.dev).toEqual([
      ['mine', 3, undefined, { seconds: 60n, beforeFirst: true }],
      ['mine', 3, undefined, { seconds: 60n, beforeFirst: false }],
      ['mine', 3, undefined],
      ['mine', 1, undefined],
    ]);
    expect(refusal(await face.call('anvil_mine', '0x3', 'x'))[0]).toBe(-32602);
  });
  it('set code, nonce and storage of an account under the names of each tool', async () => {
    const face = openFace({ dev: true });
    for (const name of ['anvil_setCode', 'hardhat_setCode', 'evm_setAccountCode'])
      expect((await face.call(name, other, '0x6001')).result).toBe(name !== 'anvil_setCode' || null);
    for (const name of ['anvil_setNonce', 'hardhat_setNonce', 'evm_setAccountNonce'])
      expect((await face.call(name, other, '0x7')).result).toBe(name !== 'anvil_setNonce' || null);
    for (const name of ['anvil_setStorageAt', 'hardhat_setStorageAt'])
      for (const index of ['0x1', 1]) expect((await face.call(name, other, index, hexData(TOPIC))).result).toBe(true);
    const slot = Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? 1 : 0));
    expect(face.node.asked.dev).toEqual([
      ...Array.from({ length: 3 }, () => ['setAccount', OTHER, { code: bytes('6001') }]),
      ...Array.from({ length: 3 }, () => ['setAccount', OTHER, { nonce: 7n }]),
      ...Array.from({ length: 4 }, () => ['setAccount', OTHER, { slots: [{ slot, value: TOPIC }] }]),
    ]);
    for (const [name, ...params] of [
      ['anvil_setCode', other, '60'],
      ['anvil_setNonce', other, '0xffffffffffffffff'],
      ['anvil_setNonce', other, -1],
      ['anvil_setStorageAt', other, '0x1', `0x${'11'.repeat(33)}`],
      ['anvil_setStorageAt', other, '0x1'],
    ] as const) {
      expect(refusal(await face.call(name, ...params))[0]).toBe(-32602);
    }
    expect(refusal(await openFace().call('anvil_setCode', other, '0x'))[0]).toBe(-32601);
  });
  it('set block times and the mining rule under the names of each tool', async () => {
    const face = openFace({ dev: true });
    for (const name of ['evm_setNextBlockTimestamp', 'anvil_setNextBlockTimestamp'])
      expect((await face.call(name, '0x77')).result).toBeNull();
    expect((await face.call('evm_setTime', 1_700_000_000)).result).toBe(1_700_000_000);
    expect((await face.call('anvil_setTime', 1_700_000_000_999)).result).toBe(1_700_000_000);
    expect(face.node.asked.dev).toEqual([
      ['setNextBlockTimestamp', 0x77n],
      ['setNextBlockTimestamp', 0x77n],
      ['setTime', 1_700_000_000n],
      ['setTime', 1_700_000_000n],
    ]);
    const shown = async () => [
      (await face.call('anvil_getAutomine')).result,
      (await face.call('hardhat_getAutomine')).result,
      (await face.call('anvil_getIntervalMining')).result,
    ];
    expect(await shown()).toEqual([true, true, null]);
    expect((await face.call('evm_setIntervalMining', 5)).result).toBeNull();
    expect(await shown()).toEqual([false, false, 5]);
    expect((await face.call('evm_setAutomine', false)).result).toBeNull();
    expect(await shown()).toEqual([false, false, 5]);
    // Hardhat's tools count milliseconds.
    expect((await face.call('evm_setIntervalMining', 6_000)).result).toBeNull();
    expect(await shown()).toEqual([false, false, 6]);
    expect((await face.call('hardhat_setIntervalMining', 900)).result).toBe(true);
    expect(await shown()).toEqual([false, false, 0.9]);
    expect((await face.call('anvil_setIntervalMining', 0)).result).toBeNull();
    expect(await shown()).toEqual([false, false, null]);
    expect((await face.call('anvil_setAutomine', true)).result).toBeNull();
    expect(await shown()).toEqual([true, true, null]);
    expect((await face.call('evm_setAutomine', false)).result).toBeNull();
    expect(await shown()).toEqual([false, false, null]);
    for (const [name, param] of [
      ['evm_setIntervalMining', 3_000_000_000],
      ['anvil_setIntervalMining', 3_000_000],
      ['evm_setIntervalMining', -1],
      ['evm_setAutomine', 1],
      ['evm_setNextBlockTimestamp', 'x'],
    ] as const) {
      expect(refusal(await face.call(name, param))[0]).toBe(-32602);
    }
  });
  it('return the same by hash, by number and by index, and no uncles or peers', async () => {
    const face = openFace({ dev: true });
    const result = async (name: string, ...params: readonly unknown[]) => (await face.call(name, ...params)).result;
    const block = face.node.blocks[3];
    const [first] = block?.transactions ?? [];
    if (block === undefined || first === undefined) throw new Error('block 3 has transactions');
    const [number, hash] = ['0x3', hexData(block.hash)];
    expect(await result('eth_getBlockTransactionCountByHash', hash)).toBe('0x2');
    expect(await result('eth_getBlockTransactionCountByNumber', number)).toBe('0x2');
    expect(await result('eth_getBlockTransactionCountByHash', hexData(TOPIC))).toBeNull();
    expect(await result('eth_getRawTransactionByBlockHashAndIndex', hash, '0x0')).toBe(hexData(first.raw));
    expect(await result('eth_getRawTransactionByBlockNumberAndIndex', number, '0x0')).toBe(hexData(first.raw));
    expect(await result('eth_getRawTransactionByBlockNumberAndIndex', number, '0x9')).toBe('0x');
    expect(await result('eth_getTransactionLogs', hexData(first.hash))).toHaveLength(first.receipt.logs.length);
    expect(await result('eth_getTransactionLogs', hexData(TOPIC))).toBeNull();
    expect([
      await result('eth_getUncleCountByBlockHash', hash),
      await result('eth_getUncleByBlockHashAndIndex', hash, '0x0'),
    ]).toEqual(['0x0', null]);
    expect(await result('eth_getUncleCountByBlockHash', hexData(TOPIC))).toBeNull();
    expect([
      await result('eth_mining'),
      await result('eth_hashrate'),
      await result('net_peerCount'),
      await result('net_listening'),
    ]).toEqual([true, '0x0', '0x0', true]);
    expect(await result('eth_requestAccounts')).toEqual([sender]);
    expect(await result('eth_accounts')).toEqual([sender]);
    expect(await result('debug_traceBlockByHash', hash)).toEqual(await result('debug_traceBlockByNumber', number));
    expect(refusal(await face.call('debug_traceBlockByHash', hexData(TOPIC)))).toEqual([
      -32000,
      `block ${hexData(TOPIC)} not found`,
    ]);
  });
  it('fill transactions without a key or signature, and sign messages under both names', async () => {
    const face = openFace({ dev: true });
    const filled = (await face.call('eth_fillTransaction', { from: other, to: other, maxFeePerGas: '0x77359400' }))
      .result as { raw: `0x${string}`; tx: object };
    expect(filled.tx).toMatchObject({ maxFeePerGas: '0x77359400', gasPrice: '0x77359400', chainId: '0x2328' });
    // As in geth and anvil; alloy cannot decode a transaction without these members.
    expect(filled.tx).toMatchObject({ hash: keccak256(filled.raw), v: '0x0', r: '0x0', s: '0x0', yParity: '0x0' });
    for (const absent of ['from', 'blockHash']) expect(filled.tx).not.toHaveProperty(absent);
    const legacy = (await face.call('eth_fillTransaction', { from: other, to: other, gasPrice: '0x77359400' }))
      .result as { raw: `0x${string}`; tx: object };
    expect(legacy.tx).toMatchObject({ hash: keccak256(legacy.raw), v: '0x0', r: '0x0', s: '0x0' });
    expect(legacy.tx).not.toHaveProperty('yParity');
    expect(filled.raw).toMatch(/^0x02ec.*808080$/);
    expect(face.node.asked.sent).toHaveLength(0);
    expect(refusal(await face.call('eth_fillTransaction', { from: other }))).toEqual([
      -32000,
      'contract creation without any data provided',
    ]);
    const document = {
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      domain: { name: 'Chronicle' },
      message: { text: 'hi' },
    } as const;
    for (const [name, sent] of [
      ['eth_signTypedData_v4', document],
      ['eth_signTypedData', JSON.stringify(document)],
    ] as const) {
      const signature = (await face.callOtherwise(name, hexData(SENDER), sent)).result as Hex;
      expect((await recoverTypedDataAddress({ ...document, signature })).toLowerCase()).toBe(hexData(SENDER));
    }
    const { EIP712Domain: _, ...types } = document.types;
    const derived = { ...document, types };
    for (const version of ['', '_v3', '_v4']) {
      const signature = (await face.call(`eth_signTypedData${version}`, hexData(SENDER), derived)).result as Hex;
      expect((await recoverTypedDataAddress({ ...derived, signature })).toLowerCase()).toBe(hexData(SENDER));
    }
    const untyped = { ...document, types: {} };
    expect(refusal(await face.call('eth_signTypedData_v4', hexData(SENDER), untyped))).toEqual([
      -32602,
      'invalid argument 1: primaryType is not one of the types',
    ]);
    expect(argumentProblem('eth_signTypedData_v4', [hexData(SENDER), untyped])).toBe(
      `eth_signTypedData_v4: ${JSON.stringify(untyped)} as typed data`,
    );
    expect(
      refusal(await face.call('eth_signTypedData_v4', hexData(SENDER), { ...document, primaryType: 'Letter' })),
    ).toEqual([-32602, 'invalid argument 1: primaryType is not one of the types']);
    expect(refusal(await face.call('eth_signTypedData_v4', hexData(SENDER), '{'))[0]).toBe(-32602);
    const { jsonParts } = DEFAULT_LIMITS;
    expect(refusal(await face.call('eth_signTypedData_v4', hexData(SENDER), `[${'{},'.repeat(jsonParts)}{}]`))).toEqual(
      [-32602, `invalid argument 1: limit jsonParts (${jsonParts}) exceeded`],
    );
    expect(refusal(await face.call('eth_signTypedData_v4', other, document))).toEqual([-32000, 'unknown account']);
    const signed = (await face.call('eth_sign', hexData(SENDER), '0x12')).result;
    expect((await face.call('personal_sign', '0x12', hexData(SENDER))).result).toBe(signed);
    expect((await face.call('personal_sign', '0x12', hexData(SENDER), 'password')).result).toBe(signed);
    expect(refusal(await face.call('personal_sign', '0x12', other))).toEqual([-32000, 'unknown account']);
    expect(refusal(await openFace().call('personal_sign', '0x12', other))[0]).toBe(-32601);
    expect((await face.call('eth_protocolVersion')).result).toBe('0x41');
  });
  it('eth_sendRawTransactionSync answers the receipt, a timeout without a block, or the refusal', async () => {
    const face = openFace();
    const fresh = { ...transfer, value: 77n };
    const raw = hexData(encodeTransaction(fresh));
    const receipt = face.call('eth_sendRawTransactionSync', raw);
    await new Promise((resolve) => setImmediate(resolve));
    face.node.append([]);
    face.node.append([{ transaction: fresh }]);
    expect((await receipt).result).toMatchObject({
      blockNumber: '0x6',
      status: '0x1',
      transactionHash: hexData(crypto.keccak256(encodeTransaction(fresh))),
    });
    expect((await face.call('eth_sendRawTransactionSync', raw, 1)).result).toMatchObject({ blockNumber: '0x6' });
    expect((await face.call('eth_sendRawTransactionSync', '0x01', '0x1')).error).toEqual({
      code: 4,
      message: "The transaction was added to the transaction pool but wasn't processed in 1ms",
      data: hexData(crypto.keccak256(bytes('01'))),
    });
    face.node.sends = { ok: false, error: { code: 'tx-refused', message: 'nonce too low' } };
    expect(refusal(await face.call('eth_sendRawTransactionSync', raw))).toEqual([-32000, 'nonce too low']);
    expect(refusal(await face.call('eth_sendRawTransactionSync', raw, 'soon'))[0]).toBe(-32602);
    const full = openFace({ limits: { ethSyncWaiting: 1 } });
    const first = full.call('eth_sendRawTransactionSync', '0x01', 50);
    expect(refusal(await full.call('eth_sendRawTransactionSync', '0x02', 50))).toEqual([
      -32005,
      'limit ethSyncWaiting (1) exceeded',
    ]);
    expect((await first).error?.code).toBe(4);
    expect((await full.call('eth_sendRawTransactionSync', '0x02', 1)).error?.code).toBe(4);
  });
  it('eth_sendRawTransactionSync answers at once when no block can include the transaction, with the reason', async () => {
    const face = openFace();
    const ahead = { ...transfer, nonce: 9n };
    const raw = encodeTransaction(ahead);
    const hash = crypto.keccak256(raw);
    face.node.queued.push({ transaction: ahead, from: SENDER, hash });
    expect((await face.call('eth_sendRawTransactionSync', hexData(raw))).error).toEqual({
      code: 6,
      message: 'nonce gap: the transaction waits in the pool with nonce 9, the next nonce of its sender is 6',
      data: '0x6',
    });
    face.node.inBlock = Promise.resolve({ ok: false, error: { code: 'halted', reason: 'the disk is full' } });
    expect((await face.call('eth_sendRawTransactionSync', '0x01')).error).toEqual({
      code: 5,
      message: expect.stringContaining('the disk is full'),
      data: hexData(crypto.keccak256(bytes('01'))),
    });
  });
  it.each([
    ['20 s when it names no time', [], 20_000, '20s'],
    ['20 s when it names a time of nothing', [0], 20_000, '20s'],
    ['60 s however long it asks for', [60_001], 60_000, '1m0s'],
    ['60 s for a number beyond any clock', ['0xffffffffffffffff'], 60_000, '1m0s'],
    ['as long as it asks for', [1_500], 1_500, '1.5s'],
  ])('a client that waits for its receipt waits %s', async (_name, timeout, milliseconds, shown) => {
    const time = new VirtualTime();
    const face = openFace({ timers: time });
    let answered: Answered | undefined;
    void face.call('eth_sendRawTransactionSync', '0x01', ...timeout).then((answer) => (answered = answer));
    await time.advance(milliseconds - 1);
    face.node.append([]);
    await time.settle();
    expect(answered).toBeUndefined();
    await time.advance(1);
    expect(answered?.error).toMatchObject({
      code: 4,
      message: `The transaction was added to the transaction pool but wasn't processed in ${shown}`,
    });
    expect(time.waiting).toBe(0);
  });
  it('txpool_inspect describes each transaction in a line, and eth_pendingTransactions returns them', async () => {
    const face = openFace();
    const waiting = (nonce: bigint, to: Uint8Array | undefined) =>
      signed({
        type: 2,
        chainId: 9_000n,
        nonce,
        gasLimit: 21_000n,
        to,
        value: 1n,
        data: bytes(''),
        maxFeePerGas: 9n,
        maxPriorityFeePerGas: 1n,
        accessList: [],
      });
    face.node.pending.push({ hash: TOPIC, from: SENDER, transaction: waiting(5n, OTHER) });
    face.node.queued.push({ hash: TOPIC, from: SENDER, transaction: waiting(9n, undefined) });
    const { pending, queued } = (await face.call('txpool_inspect')).result as Record<
      string,
      Record<string, Record<string, string>>
    >;
    expect(Object.values(pending ?? {})).toEqual([
      { 5: expect.stringMatching(/^0x[0-9a-fA-F]{40}: 1 wei \+ 21000 gas × 9 wei$/) },
    ]);
    expect(Object.values(queued ?? {})).toEqual([{ 9: 'contract creation: 1 wei + 21000 gas × 9 wei' }]);
    for (const name of ['eth_pendingTransactions', 'eth_getPendingTransactions'])
      expect((await face.call(name)).result).toMatchObject([
        { nonce: '0x5', blockHash: null },
        { nonce: '0x9', blockHash: null },
      ]);
  });
  it('stream a long list of pending transactions in slices, and refuse it above the limit in a batch', async () => {
    const wide = (nonce: bigint): EthereumPendingTransaction => ({
      hash: TOPIC,
      from: SENDER,
      transaction: signed({
        type: 0,
        chainId: 9_000n,
        nonce,
        gasLimit: 21_000n,
        to: OTHER,
        value: 0n,
        data: new Uint8Array(20_000),
        gasPrice: 9n,
      }),
    });
    const waiting = Array.from({ length: 20 }, (_, index) => wide(BigInt(index)));
    let turns = 0;
    const yielding: Timers = {
      ...timers,
      yield() {
        turns += 1;
        return timers.yield();
      },
    };
    const face = openFace({ timers: yielding });
    face.node.pending.push(...waiting);
    for (const name of ['txpool_content', 'eth_pendingTransactions']) {
      turns = 0;
      const { result } = await face.call(name);
      expect([name, JSON.stringify(result).match(/"nonce"/g)?.length, turns]).toEqual([name, 20, 5]);
    }
    const narrow = openFace({ limits: { ethPoolBytes: 100_000 } });
    narrow.node.pending.push(...waiting);
    const call = { jsonrpc: '2.0', id: 1, method: 'txpool_content', params: [] };
    expect(JSON.parse((await narrow.post(JSON.stringify(call))).text)).toMatchObject({ result: { queued: {} } });
    expect(JSON.parse((await narrow.post(JSON.stringify([call]))).text)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32003, message: 'response too large: limit ethPoolBytes (100000) exceeded' },
      },
    ]);
  });
  it('trace_filter searches all blocks without bounds, a turn each, and refuses inverted or too wide ranges', async () => {
    let turns = 0;
    const yielding: Timers = {
      ...timers,
      yield() {
        turns += 1;
        return timers.yield();
      },
    };
    const face = openFace({ dev: true, timers: yielding });
    face.node.trace = '[{"type":"call","action":{"from":"0x01"},"subtraces":0,"traceAddress":[]}]';
    const all = face.node.blocks.flatMap(({ transactions }) => transactions);
    expect((await face.call('trace_filter', {})).result).toHaveLength(all.length);
    expect(turns).toBeGreaterThanOrEqual(face.node.blocks.length);
    expect((await face.call('trace_filter', { fromBlock: 'latest' })).result).toHaveLength(
      face.node.blocks.at(-1)?.transactions.length ?? 0,
    );
    expect(refusal(await face.call('trace_filter', { fromBlock: '0x2', toBlock: '0x1' }))).toEqual([
      -32602,
      'invalid block range params',
    ]);
    const small = openFace({ dev: true, limits: { ethLogsBlockRange: 2 } });
    small.node.trace = '[]';
    expect(refusal(await small.call('trace_filter', {}))).toEqual([-32602, 'maximum [from, to] blocks distance: 2']);
    expect((await small.call('trace_filter', { toBlock: '0x2' })).result).toEqual([]);
  });
  it('trace_filter executes at most traceFilterBlocks blocks with transactions', async () => {
    const face = openFace({ dev: true });
    const blocks = face.node.blocks.filter(({ transactions }) => transactions.length > 0).length;
    for (const traceFilterBlocks of [blocks, blocks - 1]) {
      const bounded = openFace({ dev: true, limits: { traceFilterBlocks } });
      bounded.node.trace = '[]';
      const answer = await bounded.call('trace_filter', {});
      if (traceFilterBlocks === blocks) expect(answer.result).toEqual([]);
      else expect(refusal(answer)).toEqual([-32602, `limit traceFilterBlocks (${traceFilterBlocks}) exceeded`]);
    }
  });
  it('pass the options of traces to the node, and return its refusals', async () => {
    const face = openFace({ dev: true });
    const hash = hexData(face.node.blocks[2]?.transactions[0]?.hash ?? TOPIC);
    expect((await face.call('debug_traceTransaction', hash, { tracer: 'callTracer' })).result).toEqual({
      type: 'CALL',
    });
    expect((await face.call('debug_traceBlockByNumber', '0x3', {})).result).toHaveLength(2);
    expect(refusal(await face.call('debug_traceCall', {}, 'latest', { tracer: 'noopTracer' }))).toEqual([
      -32000,
      'the engine refuses',
    ]);
    expect(refusal(await face.call('debug_traceTransaction', hexData(TOPIC)))).toEqual([
      -32000,
      'transaction not found',
    ]);
    expect((await face.call('debug_traceBlockByNumber', '0x0')).result).toEqual([]);
    expect(
      refusal(
        await face.call('debug_traceCall', {}, 'latest', { stateOverrides: { [other]: { state: {}, stateDiff: {} } } }),
      ),
    ).toEqual([-32000, `account ${other} has both 'state' and 'stateDiff'`]);
    expect(refusal(await face.call('debug_traceCall', {}, 'latest', { blockOverrides: { number: 'x' } }))[0]).toBe(
      -32602,
    );
    await face.call('debug_traceCall', { to: other }, '0x2', {
      tracer: 'noopTracer',
      stateOverrides: { [other]: { nonce: '0x7' } },
      blockOverrides: { number: '0x9' },
    });
    expect(face.node.asked.calls.at(-1)).toEqual([
      { to: OTHER },
      2n,
      [{ address: OTHER, nonce: 7n }],
      { number: 9n },
      '{"tracer":"noopTracer"}',
      undefined,
    ]);
    await face.call('debug_traceCall', { to: other }, '0x3', { tracer: 'noopTracer', txIndex: '0x0' });
    expect(face.node.asked.calls.at(-1)?.at(-1)).toEqual(face.node.blocks[3]?.transactions[0]?.hash);
    expect(face.node.asked.traces[0]).toBe('{"tracer":"callTracer"}');
  });
  it("decode trace options with geth's types, and refuse unsupported ones by name", async () => {
    const face = openFace({ dev: true });
    const hash = hexData(face.node.blocks[2]?.transactions[0]?.hash ?? TOPIC);
    const text = (field: string, got: string, type: string) =>
      `invalid argument 1: json: cannot unmarshal ${got} into Go struct field TraceConfig.${field} of type ${type}`;
    for (const [options, message] of [
      [{ tracer: 5 }, text('tracer', 'number 5', 'string')],
      [{ timeout: [] }, text('timeout', 'array', 'string')],
      [{ limit: -1 }, text('limit', 'number -1', 'int')],
      [{ reexec: 'x' }, text('reexec', 'string', 'uint64')],
      ...['enableMemory', 'disableStack', 'disableStorage', 'enableReturnData'].map(
        (name) => [{ [name]: 'x' }, text(name, 'string', 'bool')] as const,
      ),
      ['x', 'invalid argument 1: json: cannot unmarshal string into Go value of type tracers.TraceConfig'],
    ] as const)
      expect(refusal(await face.call('debug_traceTransaction', hash, options))).toEqual([-32602, message]);
    // Geth's answer to a name that is not a tracer, which it takes for a JavaScript program.
    const known =
      'it has callTracer, prestateTracer, 4byteTracer, flatCallTracer, muxTracer, noopTracer, erc7562Tracer, keccak256PreimageTracer';
    const undefinedIn = (name: string) =>
      `ReferenceError: ${name} is not defined at <eval>:1:2(0): this node has no such tracer; ${known}`;
    const noPrograms =
      'this node runs no tracers in JavaScript; it has callTracer, prestateTracer, 4byteTracer, flatCallTracer, ' +
      'muxTracer, noopTracer, erc7562Tracer, keccak256PreimageTracer';
    for (const [method, params] of [
      ['debug_traceTransaction', [hash]],
      ['debug_traceBlockByNumber', ['0x3']],
      ['debug_traceCall', [{}, 'latest']],
    ] as const) {
      for (const [tracer, message] of [
        ['nopeTracer', undefinedIn('nopeTracer')],
        ['accessListTracer', undefinedIn('accessListTracer')],
        ['opcountTracer', noPrograms],
        ['x'.repeat(65), noPrograms],
        ['{step:function(){}}', noPrograms],
      ] as const)
        expect(refusal(await face.call(method, ...params, { tracer }))).toEqual([-32000, message]);
      const within = { callTracer: null, muxTracer: { nopeTracer: {} } };
      expect(refusal(await face.call(method, ...params, { tracer: 'muxTracer', tracerConfig: within }))).toEqual([
        -32000,
        undefinedIn('nopeTracer'),
      ]);
      let deep: unknown = null;
      for (let count = 0; count < 16; count += 1) deep = { muxTracer: deep };
      expect(refusal(await face.call(method, ...params, { tracer: 'muxTracer', tracerConfig: deep }))).toEqual([
        -32000,
        'limit tracersAtOnce (16) exceeded',
      ]);
    }
    expect(refusal(await face.call('debug_traceCall', {}, '0x3', { txIndex: '0x9' }))).toEqual([
      -32000,
      `transaction index 9 out of range for block ${hexData(face.node.blocks[3]?.hash ?? TOPIC)}`,
    ]);
    expect(refusal(await face.call('debug_traceCall', {}, '0x3', { txIndex: {} }))[0]).toBe(-32602);
    expect(face.node.asked.traces).toEqual([]);
    await face.callOtherwise('debug_traceTransaction', hash, {
      tracer: null,
      tracerConfig: { onlyTopCall: true },
      limit: 2,
      somethingNew: 1,
    });
    expect(face.node.asked.traces).toEqual(['{"limit":2,"tracerConfig":{"onlyTopCall":true}}']);
  });
  it('return no traces of a block that was reverted while it was traced', async () => {
    const face = openFace({ dev: true });
    const hash = hexData(face.node.blocks[2]?.transactions[0]?.hash ?? TOPIC);
    face.node.traced = false;
    expect(refusal(await face.call('debug_traceBlockByNumber', '0x3'))).toEqual([-32000, 'transaction not found']);
    expect(refusal(await face.call('debug_traceTransaction', hash))).toEqual([-32000, 'transaction not found']);
  });
  it('limit the size of all traces of a block together', async () => {
    const both = '{"type":"CALL"}'.length * 2;
    const calls = { tracer: 'callTracer' };
    const enough = openFace({ dev: true, limits: { ethTraceBytes: both } });
    expect((await enough.call('debug_traceBlockByNumber', '0x3', calls)).result).toHaveLength(2);
    const small = openFace({ dev: true, limits: { ethTraceBytes: both - 1 } });
    expect(refusal(await small.call('debug_traceBlockByNumber', '0x3', calls))).toEqual([
      -32000,
      `trace too large: limit ethTraceBytes (${both - 1}) exceeded`,
    ]);
  });
});

describe('struct logs over HTTP', () => {
  const piece = (text: string): TracePart => ({ kind: 'piece', text: new TextEncoder().encode(text) });
  const end = (json: string): TracePart => ({ kind: 'end', trace: { ok: true, json } });
  const long = `{"structLogs":[${'1,'.repeat(700_000)}`;
  const streamed = [piece(long), piece('2,'), end('3]}')];
  const traceOf = (face: Face) => hexData(face.node.blocks[2]?.transactions[0]?.hash ?? TOPIC);
  const ask = (face: Face, method: string, ...params: readonly unknown[]) =>
    face.post(JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }));

  it('are streamed when they are long, with the same bytes as the whole answer', async () => {
    const face = openFace({ dev: true, limits: { ethTraceBytes: 10 } });
    face.node.parts = streamed;
    expect((await ask(face, 'debug_traceTransaction', traceOf(face))).text).toBe(
      `{"jsonrpc":"2.0","id":"a","result":${long}2,3]}}`,
    );
    const members = face.node.blocks[3]?.transactions.map(
      ({ hash }) => `{"txHash":"${hexData(hash)}","result":${long}2,3]}}`,
    );
    expect((await ask(face, 'debug_traceBlockByNumber', '0x3')).text).toBe(
      `{"jsonrpc":"2.0","id":"a","result":[${members?.join(',')}]}`,
    );
  });
  it('are not streamed in a batch, where the limit applies', async () => {
    const face = openFace({ dev: true, limits: { ethTraceBytes: 10 } });
    face.node.parts = streamed;
    const call = { jsonrpc: '2.0', id: 1, method: 'debug_traceTransaction', params: [traceOf(face)] };
    const [refused] = JSON.parse((await face.post(JSON.stringify([call]))).text) as readonly Answered[];
    expect(refused?.error).toEqual({
      code: -32000,
      message: 'trace too large: limit ethTraceBytes (10) exceeded',
    });
  });
  it('that fail before their first piece are errors; later the response breaks off', async () => {
    const face = openFace({ dev: true });
    face.node.parts = [{ kind: 'end', trace: { ok: false, message: 'execution timeout' } }];
    expect(refusal(await face.call('debug_traceTransaction', traceOf(face)))).toEqual([-32000, 'execution timeout']);
    const [first] = face.node.blocks[3]?.transactions ?? [];
    expect((await face.call('debug_traceBlockByNumber', '0x3')).result).toContainEqual({
      txHash: hexData(first?.hash ?? TOPIC),
      error: 'execution timeout',
    });
    face.node.parts = [piece(long), { kind: 'end', trace: { ok: false, message: 'execution timeout' } }];
    await expect(ask(face, 'debug_traceTransaction', traceOf(face))).rejects.toThrow('execution timeout');
  });
  it('of a notification are ended and not sent', async () => {
    const face = openFace({ dev: true });
    face.node.parts = streamed;
    let ends = 0;
    const streamTraces = face.node.api.streamTraces.bind(face.node.api);
    vi.spyOn(face.node.api, 'streamTraces').mockImplementation(async (...args) => {
      const started = await streamTraces(...args);
      if (!started.ok) return started;
      const { value } = started;
      return { ok: true, value: { next: () => value.next(), end: () => (ends += 1) } };
    });
    const call = { jsonrpc: '2.0', method: 'debug_traceTransaction', params: [traceOf(face)] };
    expect((await face.post(JSON.stringify(call))).text).toBe('');
    expect(ends).toBe(1);
  });
});
