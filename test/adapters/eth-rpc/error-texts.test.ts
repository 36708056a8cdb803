/**
 * Codes and texts of refused parameters, of what is not there and of reverts, as geth has them (v1.17
 * `common/hexutil`, `rpc/errors.go`, `internal/ethapi`, `accounts/abi/abi.go`). Those of envelopes are in
 * `envelope.test.ts`, of subscriptions in `session.test.ts`, of `eth_simulateV1` in `simulate.test.ts`, and of
 * transactions that a pool refuses in `test/e2e/ethereum-bad-input.test.ts`.
 */
import { expect, it, describe } from 'vitest';
import type { DomainError } from '../../../src/core/errors.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { revertMessage } from '../../../src/core/ethereum/revert-reason.js';
import { toHeight } from '../../../src/core/primitives.js';
import { rpcErrorOf } from '../../../src/adapters/eth-rpc/errors.js';
import { CONTRACT, OTHER, SENDER, TOPIC, bytes } from './fake-node.js';
import { openFace } from './face.js';

const [sender, other, contract, unknown] = [SENDER, OTHER, CONTRACT, TOPIC].map(hexData);
const json = (text: string, type: string): string => `json: cannot unmarshal ${text} into Go value of type ${type}`;
const field = (text: string, name: string, type: string): string =>
  `json: cannot unmarshal ${text} into Go struct field TransactionArgs.${name} of type ${type}`;
/** An authorization with all its members. */
const AUTHORIZATION = { chainId: '0x1', address: contract, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' };

describe('parameters of a wrong type: -32602 with the text of the decoder', () => {
  const cases: readonly (readonly [method: string, params: readonly unknown[], text: string])[] = [
    // Addresses and hashes.
    ['eth_getBalance', [''], 'hex string has length 0, want 40 for common.Address'],
    ['eth_getBalance', ['0x'], 'hex string has length 0, want 40 for common.Address'],
    ['eth_getBalance', ['0x12'], 'hex string has length 2, want 40 for common.Address'],
    ['eth_getBalance', ['0x123'], json('hex string of odd length', 'common.Address')],
    ['eth_getBalance', [`0x${'zz'.repeat(20)}`], json('invalid hex string', 'common.Address')],
    ['eth_getBalance', ['12'.repeat(20)], json('hex string without 0x prefix', 'common.Address')],
    ['eth_getBalance', [5], json('non-string', 'common.Address')],
    ['eth_getTransactionByHash', ['0x12'], 'hex string has length 2, want 64 for common.Hash'],
    ['eth_getTransactionByHash', [`0x${'ab'.repeat(33)}`], 'hex string has length 66, want 64 for common.Hash'],
    // Bytes.
    ['eth_sendRawTransaction', ['f8'], json('hex string without 0x prefix', 'hexutil.Bytes')],
    ['eth_sendRawTransaction', ['0xf'], json('hex string of odd length', 'hexutil.Bytes')],
    ['eth_sendRawTransaction', ['0xgg'], json('invalid hex string', 'hexutil.Bytes')],
    ['eth_sendRawTransaction', [{}], json('non-string', 'hexutil.Bytes')],
    // Quantities.
    ['eth_call', [{ gas: '0x' }], field('hex string "0x"', 'gas', 'hexutil.Uint64')],
    ['eth_call', [{ gas: '0x01' }], field('hex number with leading zero digits', 'gas', 'hexutil.Uint64')],
    ['eth_call', [{ gas: '5208' }], field('hex string without 0x prefix', 'gas', 'hexutil.Uint64')],
    ['eth_call', [{ gas: '0xzz' }], field('invalid hex string', 'gas', 'hexutil.Uint64')],
    ['eth_call', [{ gas: `0x1${'0'.repeat(16)}` }], field('hex number > 64 bits', 'gas', 'hexutil.Uint64')],
    ['eth_call', [{ value: `0x1${'0'.repeat(64)}` }], field('hex number > 256 bits', 'value', 'hexutil.Big')],
    ['eth_call', [{ value: 1 }], field('non-string', 'value', 'hexutil.Big')],
    // Members of access lists and of authorizations.
    ['eth_call', [{ accessList: [{ address: 1 }] }], field('non-string', 'accessList.address', 'common.Address')],
    [
      'eth_call',
      [{ accessList: [{ address: other, storageKeys: ['x'] }] }],
      field('hex string without 0x prefix', 'accessList.storageKeys', 'common.Hash'),
    ],
    ['eth_call', [{ authorizationList: [1] }], field('number', 'authorizationList', 'types.SetCodeAuthorization')],
    ...(
      [
        ['chainId', '*uint256.Int'],
        ['nonce', 'hexutil.Uint64'],
        ['yParity', 'hexutil.Uint64'],
        ['v', 'hexutil.Uint64'],
        ['r', '*uint256.Int'],
        ['s', '*uint256.Int'],
      ] as const
    ).flatMap(([name, type]): readonly (readonly [string, readonly unknown[], string])[] => [
      [
        'eth_call',
        [{ authorizationList: [{ [name]: '0x01' }] }],
        field('hex number with leading zero digits', `authorizationList.${name}`, type),
      ],
      ['eth_call', [{ authorizationList: [{ [name]: 1 }] }], field('non-string', `authorizationList.${name}`, type)],
    ]),
    // Members that are required.
    ['eth_call', [{ accessList: [{ storageKeys: [] }] }], "missing required field 'address' for AccessTuple"],
    ['eth_call', [{ accessList: [{ address: other }] }], "missing required field 'storageKeys' for AccessTuple"],
    ...(['chainId', 'address', 'nonce', 'yParity', 'r', 's'] as const).flatMap((name) =>
      ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_sendTransaction', 'eth_fillTransaction'].map(
        (method): readonly [string, readonly unknown[], string] => [
          method,
          [{ from: other, to: other, authorizationList: [{ ...AUTHORIZATION, [name]: undefined }] }],
          `missing required field '${name}' for SetCodeAuthorization`,
        ],
      ),
    ),
    // Blocks.
    ['eth_getBlockByNumber', ['', false], 'empty hex string'],
    ['eth_getBlockByNumber', ['0x', false], 'hex string "0x"'],
    ['eth_getBlockByNumber', ['ff', false], 'hex string without 0x prefix'],
    ['eth_getBlockByNumber', ['0x00', false], 'hex number with leading zero digits'],
    ['eth_getBlockByNumber', ['0xg', false], 'invalid hex string'],
    ['eth_getBlockByNumber', [`0x1${'0'.repeat(16)}`, false], 'hex number > 64 bits'],
    ['eth_getBlockByNumber', [`0x8${'0'.repeat(15)}`, false], 'block number larger than int64'],
    // Storage keys.
    [
      'eth_getProof',
      [other, Array.from({ length: 1_025 }, () => '0x0')],
      'too many storage keys requested (max 1024, got 1025)',
    ],
  ];
  const face = openFace({ dev: true });

  it.each(cases)('%s %.60j', async (method, params, text) => {
    const position = method === 'eth_getProof' ? 1 : 0;
    expect((await face.call(method, ...params)).error).toEqual({
      code: -32602,
      message: `invalid argument ${position}: ${text}`,
    });
  });

  it('an empty text is zero or no bytes where geth accepts it', async () => {
    await face.callOtherwise('eth_call', { to: contract, value: '', gas: '', data: '' });
    expect(face.node.asked.calls.at(-1)?.[0]).toEqual({ to: CONTRACT, value: 0n, gas: 0n, data: bytes('') });
  });
});

describe('missing blocks and transactions: -32000 with the text of the handler', () => {
  const face = openFace({ dev: true });
  const cases: readonly (readonly [method: string, params: readonly unknown[], text: string])[] = [
    ['eth_getBalance', [sender, '0xff'], 'header not found'],
    ['eth_getCode', [sender, '0xff'], 'header not found'],
    ['eth_getBalance', [sender, { blockHash: unknown }], 'header for hash not found'],
    ['eth_getBalance', [sender, { blockHash: unknown, requireCanonical: true }], 'header for hash not found'],
    ['eth_getLogs', [{ blockHash: unknown }], 'unknown block'],
    ['debug_traceTransaction', [unknown], 'transaction not found'],
    ['debug_traceBlockByNumber', ['0xff'], 'block #255 not found'],
    ['debug_traceBlockByHash', [unknown], `block ${unknown} not found`],
    ['debug_traceCall', [{ to: other }, 'pending'], 'tracing on top of pending is not supported'],
    ['eth_sign', [other, '0x12'], 'unknown account'],
    ['eth_sendTransaction', [{ from: other, to: other }], 'unknown account'],
    ['eth_sendTransaction', [{ from: sender }], 'contract creation without any data provided'],
    ['eth_getFilterChanges', ['0x1'], 'filter not found'],
  ];

  it.each(cases)('%s %.60j', async (method, params, message) => {
    expect((await face.call(method, ...params)).error).toEqual({ code: -32000, message });
  });

  it('safe and finalized blocks always exist, and traces of block 0 are empty without an error', async () => {
    const { result: head } = await face.call('eth_getBlockByNumber', 'latest', false);
    for (const tag of ['safe', 'finalized'])
      expect((await face.call('eth_getBlockByNumber', tag, false)).result).toEqual(head);
    expect((await face.call('debug_traceBlockByNumber', '0x0')).result).toEqual([]);
  });
});

describe('failures of the node', () => {
  const cases: readonly (readonly [DomainError, code: number, text: string])[] = [
    [{ code: 'height-pruned', height: 1n, lowest: 2n }, 4444, 'pruned history unavailable'],
    [
      { code: 'state-pruned', height: 1n, lowest: 2n },
      -32000,
      'required historical state unavailable: that of block 1, the oldest is that of 2',
    ],
    [{ code: 'height-in-future', height: toHeight(9n), head: toHeight(1n) }, -32000, 'header not found'],
    [{ code: 'height-not-positive', height: 0n }, -32000, 'header not found'],
    [{ code: 'tx-in-cache' }, -32000, 'already known'],
    [{ code: 'mempool-full', txs: 1, bytes: 2, maximumTxs: 1, maximumBytes: 9 }, -32000, 'txpool is full'],
    [{ code: 'replacement-underpriced' }, -32000, 'replacement transaction underpriced'],
    [{ code: 'timeout', milliseconds: 5_000 }, -32000, 'execution aborted (timeout = 5s)'],
    [{ code: 'tx-too-large', bytes: 9, maximum: 8 }, -32000, 'oversized data: transaction size 9, limit 8'],
    [{ code: 'busy', what: 'subscription registry' }, -32005, 'subscription registry is busy'],
    [{ code: 'limit-exceeded', limit: 'searchRows', maximum: 5 }, -32005, 'limit searchRows (5) exceeded'],
    [{ code: 'halted', reason: 'an upgrade is due' }, -32000, 'node is halted: an upgrade is due'],
    [{ code: 'storage-failed' }, -32000, 'storage failed'],
  ];
  it.each(cases)('$code', (error, code, message) => expect(rpcErrorOf(error)).toEqual({ code, message }));
});

describe('reverts', () => {
  const panic = (code: string): Uint8Array => bytes(`4e487b71${code.padStart(64, '0')}`);
  it.each([
    ['00', 'generic panic'],
    ['01', 'assert(false)'],
    ['11', 'arithmetic underflow or overflow'],
    ['12', 'division or modulo by zero'],
    ['21', 'enum overflow'],
    ['22', 'invalid encoded storage byte array accessed'],
    ['31', 'out-of-bounds array access; popping on an empty array'],
    ['32', 'out-of-bounds access of an array or bytesN'],
    ['41', 'out of memory'],
    ['51', 'uninitialized function'],
    ['02', 'unknown panic code: 0x2'],
  ])('panic %s: code 3 with its text and the whole data', async (code, text) => {
    expect(revertMessage(panic(code))).toBe(`execution reverted: ${text}`);
    const face = openFace();
    const value = { kind: 'revert', output: panic(code), gasUsed: 1n } as const;
    face.node.call = () => Promise.resolve({ ok: true, value });
    face.node.estimate = { ok: true, value };
    const error = { code: 3, message: `execution reverted: ${text}`, data: hexData(panic(code)) };
    expect((await face.call('eth_call', { to: other })).error).toEqual(error);
    expect((await face.call('eth_estimateGas', { to: other })).error).toEqual(error);
  });
});
