/** `query ibc ...` with proofs, as another chain verifies them, and `tx ibc-transfer transfer`. */
import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { MerkleProofSchema } from '../../src/core/proto/ibc/core/commitment/v1/commitment_pb.js';
import { goldenLines, hasGolden } from '../support/golden.js';
import { type Answer, fakeNode, type Methods, runCli, txServices } from './support.js';

const NETWORK = (network: string): Answer => ({
  result: { node_info: { network }, sync_info: { latest_block_time: '2026-11-20T16:00:00.5Z' } },
});

/** A node that answers queries of its store. */
async function storeNode(
  answer: (key: string, params: Readonly<Record<string, unknown>>) => unknown,
  network = '9001',
) {
  return fakeNode({ status: () => NETWORK(network) }, {}, (params) => ({
    result: { response: answer(Buffer.from(String(params['data']), 'hex').toString(), params) },
  }));
}

const ask = (words: string, address: string) =>
  runCli(['query', 'ibc', ...words.split(' '), '--node', address, '-o', 'json']);

interface Recorded {
  readonly kind: string;
  readonly key?: string;
  readonly res?: { readonly body: string };
}

describe.skipIf(!hasGolden)('query ibc over a recorded store', () => {
  const recorded = new Map(
    (hasGolden ? goldenLines<Recorded>('faces/ibc.jsonl') : []).flatMap(({ kind, key, res }) =>
      kind === 'abci_query with proof' && key !== undefined
        ? [[key, JSON.parse(res?.body ?? '{}').result.response] as const]
        : [],
    ),
  );
  const recordedNode = () => storeNode((key) => recorded.get(key));
  const proofHeight = { revision_number: '0', revision_height: '27' };

  test.each([
    [
      'client state 07-tendermint-0',
      { client_state: { '@type': '/ibc.lightclients.tendermint.v1.ClientState', chain_id: 'counter-1' } },
    ],
    [
      'client consensus-state 07-tendermint-0 1-5',
      {
        consensus_state: {
          timestamp: '2026-11-20T16:07:44.208630505Z',
          next_validators_hash: '950ECE8B7B84A6E4A63468D026C4CB0516570D9891EF0D1F142B1993819B9513',
        },
      },
    ],
    ['connection end connection-0', { connection: { client_id: '07-tendermint-0', state: 'STATE_INIT' } }],
    ['channel end transfer channel-0', { channel: { connection_hops: ['connection-0'], version: 'ics20-1' } }],
    ['channel next-sequence-send transfer channel-0', { next_sequence_send: '1' }],
  ])('%s', async (words, fields) => {
    const run = await ask(words, (await recordedNode()).address);
    expect(run.stderr).toBe('');
    const { proof, ...answer } = JSON.parse(run.stdout);
    expect(answer).toMatchObject({ ...fields, proof_height: proofHeight });
    const { proofs } = fromBinary(MerkleProofSchema, Buffer.from(proof, 'base64'));
    expect(proofs.map((one) => one.proof.case)).toEqual(['exist', 'exist']);
  });

  test('a light client that does not exist', async () => {
    const run = await ask('client state 07-tendermint-9', (await recordedNode()).address);
    expect(run).toMatchObject({ code: 10, stdout: '', stderr: 'Error: 07-tendermint-9: light client not found\n' });
  });
});

const EMPTY = { code: 0, value: null, height: '41', proofOps: null };

test('packet-receipt answers received: false, with the revision of the chain, for a packet not received', async () => {
  const node = await storeNode(() => EMPTY, 'zone-7');
  const run = await ask('channel packet-receipt transfer channel-0 3 --height 42', node.address);
  expect(JSON.parse(run.stdout)).toEqual({
    received: false,
    proof: null,
    proof_height: { revision_number: '7', revision_height: '42' },
  });
  expect(node.asked.find(({ method }) => method === 'abci_query')?.params).toEqual({
    path: '/store/ibc/key',
    data: Buffer.from('receipts/ports/transfer/channels/channel-0/sequences/3').toString('hex'),
    prove: true,
    height: '41',
  });
});

test.each([
  ['channel end transfer channel-0', 'portID (transfer), channelID (channel-0): channel not found'],
  ['channel packet-ack transfer channel-0 3', 'channelID (channel-0), sequence (3): invalid acknowledgement'],
  ['channelv2 packet-commitment c-0 3', 'channelID (c-0), sequence (3): packet commitment not found'],
  ['channelv2 next-sequence-send c-0', 'channelID (c-0): sequence send not found'],
  ['connection path 07-tendermint-0', '07-tendermint-0: light client connection paths not found'],
  ['client state x-0 --height 2', 'proof queries at height <= 2 are not supported'],
  ['client consensus-state x-0', "must include a second 'height' argument"],
  ['client consensus-state x-0 5', 'expected height string format: {revision}-{height}. Got: 5: invalid height'],
  ['channel packet-ack transfer channel-0 x', 'sequence: "x" is not a whole number'],
])('query ibc %s fails: %s', async (words, reason) => {
  const run = await ask(words, (await storeNode(() => EMPTY)).address);
  expect(run.code).not.toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(reason);
});

const HEADER = {
  version: { block: '11' },
  chain_id: 'zone-7',
  height: '5',
  time: '2026-11-20T16:00:00.5Z',
  last_block_id: { hash: 'AA', parts: { total: 1, hash: 'BB' } },
  last_commit_hash: 'CC',
  data_hash: '',
  validators_hash: 'DD',
  next_validators_hash: 'EE',
  consensus_hash: '01',
  app_hash: 'ABCD',
  last_results_hash: '',
  evidence_hash: '',
  proposer_address: '02',
};
const VALIDATOR = {
  address: '0A',
  pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32, 1).toString('base64') },
  voting_power: '10',
  proposer_priority: '4',
};
const CHAIN: Methods = {
  abci_info: () => ({ result: { response: { last_block_height: '5' } } }),
  commit: ({ height }) => ({
    result: {
      signed_header: {
        header: { ...HEADER, height },
        commit: {
          height,
          round: 0,
          block_id: HEADER.last_block_id,
          signatures: [{ block_id_flag: 2, validator_address: '0A', timestamp: HEADER.time, signature: 'AQ==' }],
        },
      },
      canonical: false,
    },
  }),
  validators: () => ({ result: { block_height: '5', validators: [VALIDATOR], count: '1', total: '1' } }),
};

test('client header prints the header of this chain for a light client', async () => {
  const { address } = await fakeNode(CHAIN);
  const run = await ask('client header', address);
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout)).toMatchObject({
    signed_header: {
      header: { height: '5', app_hash: 'q80=', last_block_id: { part_set_header: { total: 1 } } },
      commit: { signatures: [{ block_id_flag: 'BLOCK_ID_FLAG_COMMIT', signature: 'AQ==' }] },
    },
    validator_set: { validators: [{ voting_power: '10' }], proposer: { voting_power: '10' }, total_voting_power: '10' },
    trusted_height: { revision_number: '0', revision_height: '0' },
    trusted_validators: null,
  });
});

test('client self-consensus-state prints the consensus state of a block of this chain', async () => {
  const { address } = await fakeNode(CHAIN);
  const run = await ask('client self-consensus-state --height 3', address);
  expect(JSON.parse(run.stdout)).toEqual({
    timestamp: '2026-11-20T16:00:00.500Z',
    root: { hash: 'q80=' },
    next_validators_hash: 'EE',
  });
});

test('client header ends with 8 when the node answers a malformed header', async () => {
  const { address } = await fakeNode({ ...CHAIN, commit: () => ({ result: { signed_header: 5 } }) });
  expect(await ask('client header', address)).toMatchObject({ code: 8, stdout: '' });
});

const PRINTED = ['--from', 'dev0', '--generate-only', '--gas', '200000'];
const transfer = (words: readonly string[], address: string) =>
  runCli(['tx', 'ibc-transfer', 'transfer', ...words, ...PRINTED, '--node', address]);

test.each([
  [
    [],
    {
      token: { denom: 'achr', amount: '5' },
      memo: '',
      timeout_timestamp: `${1795190400_500000000n + 600_000_000_000n}`,
    },
  ],
  [['--memo', 'hello', '--note', 'of the transaction'], { memo: 'hello' }],
  [
    ['--absolute-timeouts', '--packet-timeout-height', '1-5', '--packet-timeout-timestamp', '0'],
    { timeout_height: { revision_number: '1', revision_height: '5' }, timeout_timestamp: '0' },
  ],
])('tx ibc-transfer transfer %j makes its message', async (words, fields) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await transfer(['transfer', 'channel-0', 'cosmos1x', '5achr', ...words], address);
  expect(run.stderr).toBe('');
  const [message] = JSON.parse(run.stdout).body.messages;
  expect(message).toMatchObject({
    '@type': '/ibc.applications.transfer.v1.MsgTransfer',
    source_port: 'transfer',
    source_channel: 'channel-0',
    receiver: 'cosmos1x',
    ...fields,
  });
});

test.each([
  ['dev1', 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9'],
  ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ['alice.example', 'alice.example'],
])('the receiver %s becomes %s', async (typed, receiver) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await transfer(['transfer', 'channel-0', typed, '5achr'], address);
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout).body.messages[0].receiver).toBe(receiver);
});

test('a token with a transfer path is sent by its ibc/ denom', async () => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await transfer(['transfer', 'channel-0', 'cosmos1x', '5transfer/channel-0/uatom'], address);
  expect(JSON.parse(run.stdout).body.messages[0].token.denom).toBe(
    'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
  );
});

test.each([
  [['5achr,6b12'], 'is not one coin'],
  [['5achr', '--packet-timeout-height', '0-9'], 'relative timeouts using block height is not supported'],
  [['5achr', '--packet-timeout-timestamp', '0'], 'relative timeouts must provide a non zero value timestamp'],
])('tx ibc-transfer transfer %j is refused before anything is signed', async (words, reason) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await transfer(['transfer', 'channel-0', 'cosmos1x', ...words], address);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(reason);
});

const TENDERMINT = '/ibc.lightclients.tendermint.v1';
const STATE = JSON.stringify({
  '@type': `${TENDERMINT}.ClientState`,
  chain_id: 'counter-1',
  trust_level: { numerator: '1', denominator: '3' },
  trusting_period: '60s',
  latest_height: { revision_number: '1', revision_height: '5' },
});
const HASH = '950ECE8B7B84A6E4A63468D026C4CB0516570D9891EF0D1F142B1993819B9513';
const KNOWN = JSON.stringify({
  '@type': `${TENDERMINT}.ConsensusState`,
  timestamp: '2026-11-20T16:07:44.208630505Z',
  root: { hash: 'q80=' },
  next_validators_hash: HASH,
});
const NEW_HEADER = JSON.stringify({
  '@type': `${TENDERMINT}.Header`,
  trusted_height: { revision_number: '1', revision_height: '4' },
});

test.each([
  ['channel-0', `${1795190400_500000000n + 600_000_000_000n}`],
  ['07-tendermint-3', `${1795190400n + 600n}`],
])('a packet from %s has the timeout timestamp %s', async (source, timeout) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await transfer(
    ['transfer', source, 'cosmos1x', '5achr', '--encoding', 'application/x-solidity-abi'],
    address,
  );
  expect(run.stderr).toBe('');
  const [message] = JSON.parse(run.stdout).body.messages;
  expect(message).toMatchObject({ source_channel: source, timeout_timestamp: timeout });
  expect(message).toMatchObject({ encoding: 'application/x-solidity-abi' });
});

test.each<[string, readonly string[], object]>([
  [
    'add-counterparty',
    ['07-tendermint-0', '07-tendermint-3', 'aWJj', ''],
    {
      '@type': '/ibc.core.client.v2.MsgRegisterCounterparty',
      client_id: '07-tendermint-0',
      counterparty_merkle_prefix: ['aWJj', ''],
      counterparty_client_id: '07-tendermint-3',
    },
  ],
  [
    'update-client-config',
    ['07-tendermint-0', 'dev1'],
    {
      '@type': '/ibc.core.client.v2.MsgUpdateClientConfig',
      config: { allowed_relayers: [expect.stringMatching(/^chron1/)] },
    },
  ],
  ['update-client-config', ['07-tendermint-0'], { config: { allowed_relayers: [] } }],
  [
    'create',
    [STATE, KNOWN],
    {
      '@type': '/ibc.core.client.v1.MsgCreateClient',
      client_state: { '@type': `${TENDERMINT}.ClientState`, chain_id: 'counter-1', trusting_period: '60s' },
      consensus_state: { '@type': `${TENDERMINT}.ConsensusState`, next_validators_hash: HASH },
    },
  ],
  [
    'update',
    ['07-tendermint-0', NEW_HEADER],
    {
      '@type': '/ibc.core.client.v1.MsgUpdateClient',
      client_id: '07-tendermint-0',
      client_message: { '@type': `${TENDERMINT}.Header`, trusted_height: { revision_height: '4' } },
    },
  ],
  [
    'misbehaviour',
    ['07-tendermint-0', JSON.stringify({ '@type': `${TENDERMINT}.Misbehaviour`, client_id: 'x' })],
    { '@type': '/ibc.core.client.v1.MsgSubmitMisbehaviour', misbehaviour: { client_id: 'x' } },
  ],
  [
    'upgrade',
    ['07-tendermint-0', STATE, KNOWN, 'AQ==', 'AgM='],
    {
      '@type': '/ibc.core.client.v1.MsgUpgradeClient',
      proof_upgrade_client: 'AQ==',
      proof_upgrade_consensus_state: 'AgM=',
    },
  ],
  [
    'delete-client-creator',
    ['07-tendermint-0'],
    { '@type': '/ibc.core.client.v1.MsgDeleteClientCreator', client_id: '07-tendermint-0' },
  ],
  [
    'recover-client',
    ['07-tendermint-0', '07-tendermint-1', '--title', 'clients'],
    {
      '@type': '/cosmos.gov.v1.MsgSubmitProposal',
      messages: [{ '@type': '/ibc.core.client.v1.MsgRecoverClient', substitute_client_id: '07-tendermint-1' }],
    },
  ],
  [
    'schedule-ibc-upgrade',
    ['five', '90', STATE, '--title', 'five'],
    {
      messages: [
        {
          '@type': '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
          plan: { name: 'five', height: '90' },
          upgraded_client_state: { chain_id: 'counter-1' },
        },
      ],
    },
  ],
])('tx ibc client %s makes its message', async (name, words, fields) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await runCli(['tx', 'ibc', 'client', name, ...words, ...PRINTED, '--node', address]);
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout).body.messages[0]).toMatchObject(fields);
});

test.each([
  ['create', ['{"@type":"/x.Y"}', KNOWN], 'client state: '],
  ['upgrade', ['07-tendermint-0', STATE, KNOWN, 'not base64!', 'AQ=='], 'a proof in base64 is needed here'],
])('tx ibc client %s is refused before anything is signed', async (name, words, reason) => {
  const { address } = await fakeNode({ status: () => NETWORK('9001') }, txServices());
  const run = await runCli(['tx', 'ibc', 'client', name, ...words, ...PRINTED, '--node', address]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(reason);
});
