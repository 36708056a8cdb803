/** Answers of the node as the explorer shows them: rows of transactions, changes, methods, metrics. */
import { describe, expect, it } from 'vitest';
import {
  argumentsOf,
  consensusMethods,
  requestPath,
  restMethods,
  rpcMethods,
  searchMethods,
} from '../../../src/adapters/pages/browser/data/catalogue.js';
import { logBounds } from '../../../src/adapters/pages/browser/data/ethereum.js';
import { secondsUntil, statusOf } from '../../../src/adapters/pages/browser/data/governance.js';
import { NO_FILTER, optionsOf } from '../../../src/adapters/pages/browser/data/log.js';
import { metricsOf, valueOfMetric } from '../../../src/adapters/pages/browser/data/metrics.js';
import { rowOf } from '../../../src/adapters/pages/browser/data/recent.js';
import { roundsOf } from '../../../src/adapters/pages/browser/data/rounds.js';
import { changesOf } from '../../../src/adapters/pages/browser/data/state-diff.js';
import { pictureOf } from '../../../src/adapters/pages/browser/data/wiring.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';

const event = (type: string, attributes: Readonly<Record<string, string>>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
});
const tx = { hash: 'AB', height: '7', code: 0, gasUsed: '21000' };

describe('the row of a transaction', () => {
  it('shows hash, value and failure of an Ethereum transaction', () => {
    const events = [
      event('message', { action: '/cosmos.evm.vm.v1.MsgEthereumTx', sender: 'chron1a' }),
      event('ethereum_tx', { amount: '5', ethereumTxHash: '0xcd', recipient: '0xBB' }),
      event('message', { module: 'evm', sender: '0xaa' }),
    ];
    expect(rowOf({ ...tx, events }, 'achr')).toEqual({
      hash: '0xcd',
      world: 'ethereum',
      height: '7',
      gasUsed: '21000',
      ok: true,
      what: 'transfer',
      from: '0xaa',
      to: '0xBB',
      value: { denom: 'achr', amount: '5' },
    });
    const failed = [...events, event('ethereum_tx', { ethereumTxFailed: 'execution reverted' })];
    expect(rowOf({ ...tx, events: failed }, 'achr').ok).toBe(false);
  });

  it('shows the messages of a Cosmos transaction, and the transfer of a message instead of the fee', () => {
    const events = [
      event('transfer', { recipient: 'chron1fees', amount: '9achr' }),
      event('message', { action: '/cosmos.bank.v1beta1.MsgSend', sender: 'chron1a', msg_index: '0' }),
      event('transfer', { recipient: 'chron1b', sender: 'chron1a', amount: '4ibc/AB', msg_index: '0' }),
    ];
    expect(rowOf({ ...tx, code: 5, events }, 'achr')).toEqual({
      hash: '0xab',
      world: 'cosmos',
      height: '7',
      gasUsed: '21000',
      ok: false,
      what: 'MsgSend',
      from: 'chron1a',
      to: 'chron1b',
      value: { denom: 'ibc/AB', amount: '4' },
    });
  });
});

it('a height is shown by its rounds, with their steps and votes in order', () => {
  const vote = (round: number, type: number, hash: string) => ({
    type: 'Vote',
    value: { Vote: { type, round, timestamp: 't', validator_address: 'V', block_id: { hash } } },
  });
  const trace = [
    { type: 'NewRoundStep', value: { round: 0, step: 'RoundStepPropose' } },
    { type: 'CompleteProposal', value: { round: 0 } },
    vote(0, 1, ''),
    { type: 'NewRound', value: { round: 1 } },
    vote(1, 2, 'AB'),
  ];
  expect(roundsOf(trace)).toEqual([
    {
      round: 0,
      marks: [
        { kind: 'step', label: 'complete proposal', by: '' },
        { kind: 'nil', label: 'prevote', by: 'V at t' },
      ],
    },
    {
      round: 1,
      marks: [
        { kind: 'step', label: 'new round', by: '' },
        { kind: 'vote', label: 'precommit', by: 'V at t' },
      ],
    },
  ]);
});

it('a log filter contains the typed values, or is refused with a reason', () => {
  const hash = 'AB'.repeat(32);
  expect(optionsOf({ stream: 'chain', type: '', height: ' 1,234', tx: hash, cause: '' })).toEqual({
    streams: ['chain'],
    height: 1234,
    tx: `0x${hash.toLowerCase()}`,
  });
  expect(optionsOf(NO_FILTER)).toEqual({});
  expect(() => optionsOf({ ...NO_FILTER, height: 'x' })).toThrow('x is no height');
  expect(() => optionsOf({ ...NO_FILTER, tx: '0x12' })).toThrow('0x12 is not the hash of a transaction');
});

it('the wiring diagram has a line for each stream that a part of the node consumes', () => {
  const { streams, consumers, lines, height } = pictureOf([
    { consumer: 'ledger', phase: 'applied', hears: ['executed', 'reverts'] },
    { consumer: 'feeds', phase: 'published', hears: ['executed'] },
  ]);
  expect(lines.map(({ from, to }) => `${from.name} ${to.name}`)).toEqual([
    'executed ledger',
    'reverts ledger',
    'executed feeds',
  ]);
  for (const { y } of [...streams, ...consumers]) expect(y > 0 && y < height).toBe(true);
});

it('account changes are those of prestateTracer', () => {
  const changes = changesOf({
    pre: { '0xb': { balance: '0x5', nonce: 1, storage: { '0x1': '0xa', '0x2': '0xb' } }, '0xc': { balance: '0x1' } },
    post: { '0xa': { balance: '0x1', code: '0x60' }, '0xb': { balance: '0x4', storage: { '0x1': '0xc' } } },
  });
  expect(changes).toEqual([
    { address: '0xa', part: 'balance', slot: '', before: undefined, after: '0x1' },
    { address: '0xa', part: 'code', slot: '', before: undefined, after: '0x60' },
    { address: '0xb', part: 'balance', slot: '', before: '0x5', after: '0x4' },
    { address: '0xb', part: 'slot', slot: '0x1', before: '0xa', after: '0xc' },
    { address: '0xb', part: 'slot', slot: '0x2', before: '0xb', after: undefined },
    { address: '0xc', part: 'balance', slot: '', before: '0x1', after: undefined },
  ]);
});

it('a tip that the tracer credits to the proposer is left out, as the fee collector gets all fees', () => {
  const traced = {
    pre: { '0xb': { balance: '0x5' }, '0xc': { balance: '0x9' } },
    post: { '0xa': { balance: '0x3' }, '0xb': { balance: '0x9' }, '0xc': { balance: '0x4' } },
  };
  const balances = (proposer: string): readonly unknown[] =>
    changesOf(traced, { proposer, amount: 3n }).map(({ address, before, after }) => [address, before, after]);
  const [sender, other] = [
    ['0xc', '0x9', '0x4'],
    ['0xb', '0x5', '0x9'],
  ];
  expect(balances('0xA')).toEqual([other, sender]);
  // A proposer that also received coins.
  expect(balances('0xb')).toEqual([['0xa', undefined, '0x3'], ['0xb', '0x5', '0x6'], sender]);
  expect(balances('0xd')).toEqual([['0xa', undefined, '0x3'], other, sender]);
});

describe('the list of API methods', () => {
  const rpc = rpcMethods({
    methods: [
      {
        name: 'eth_getBalance',
        summary: 'Balance',
        params: [
          { name: 'address', required: true, schema: { $ref: '#/components/schemas/Address' } },
          { name: 'block', schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] } },
        ],
      },
    ],
  });

  it('joins OpenRPC, OpenAPI and the index of the consensus RPC, and is searched by words', () => {
    expect(rpc[0]?.parameters.map(({ type }) => type)).toEqual(['Address', 'string | list of integer']);
    const [get, post] = restMethods({
      paths: {
        '/a/{denom=**}/b': {
          get: {
            tags: ['A'],
            parameters: [
              { name: 'denom', in: 'path', required: true, schema: { type: 'string' } },
              { name: 'limit', in: 'query', schema: { type: 'string', format: 'uint64' } },
            ],
          },
          post: {},
        },
      },
    });
    expect([get?.id, get?.canTry, post?.canTry]).toEqual(['GET /a/{denom=**}/b', true, false]);
    expect(get && requestPath(get, ['ibc/x', '5'])).toBe('/a/ibc%2Fx/b?limit=5');
    const consensus = consensusMethods(
      '<a href="//h:1/status?">//h:1/status?</a></br><a href="//h:1/block?height=_">//h:1/block?height=_</a>',
    );
    expect(consensus.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)])).toEqual([
      ['consensus status', []],
      ['consensus block', ['height']],
    ]);
    expect(searchMethods([...rpc, ...consensus], 'BAL eth').map(({ id }) => id)).toEqual(['eth_getBalance']);
  });

  it('reads a typed parameter as JSON if it is JSON, else as text, and drops empty ones at the end', () => {
    expect(argumentsOf(['0x1', '', '{"a":1}', ' '])).toEqual(['0x1', null, { a: 1 }]);
    expect(argumentsOf(['latest'])).toEqual(['latest']);
  });
});

it('metrics are parsed from the Prometheus text format', () => {
  const metrics = metricsOf('# HELP a Height.\n# TYPE a gauge\na 5\nb{x="1"} 2\nb{x="2"} NaN\nnothing\n# HELP c C.\n');
  expect(metrics).toEqual([
    { name: 'a', help: 'Height.', samples: [{ labels: '', value: 5 }] },
    { name: 'b', help: '', samples: [{ labels: 'x="1"', value: 2 }] },
  ]);
  expect([valueOfMetric(metrics, 'a'), valueOfMetric(metrics, 'c')]).toEqual([5, undefined]);
});

it('proposals show their status in words, and the end of a period', () => {
  expect(statusOf('PROPOSAL_STATUS_VOTING_PERIOD')).toEqual({ text: 'voting period', kind: 'warn' });
  expect(statusOf('PROPOSAL_STATUS_PASSED').kind).toBe('good');
  expect([secondsUntil('1970-01-01T00:01:40.5Z', 90), secondsUntil('1970-01-01T00:01:40Z', 500)]).toEqual([12, 0]);
});

it('a log search goes back no further than the node searches', () => {
  const most = BigInt(DEFAULT_LIMITS.ethLogsBlockRange);
  expect(logBounds(5n)).toEqual({ fromBlock: '0x1', toBlock: '0x5' });
  const { fromBlock, toBlock } = logBounds(1_000_000n);
  expect([BigInt(toBlock), BigInt(toBlock) - BigInt(fromBlock)]).toEqual([1_000_000n, most]);
});

it('a log search begins no earlier than the oldest block, except at a pruned height', () => {
  expect(logBounds(40n, 32n)).toEqual({ fromBlock: '0x20', toBlock: '0x28' });
  expect(logBounds(1_000_000n, 32n)).toEqual(logBounds(1_000_000n));
  expect(logBounds(5n, 32n)).toEqual({ fromBlock: '0x5', toBlock: '0x5' });
  expect(logBounds(5n, 0n)).toEqual(logBounds(5n));
});
