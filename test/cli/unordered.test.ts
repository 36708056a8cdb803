/** `--unordered` and `--timeout-duration`: transactions without an order, valid until a timeout. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { fakeNode, runCli, txServices } from './support.js';

const SEND = ['tx', 'bank', 'send', 'dev0', 'dev1', '7achr'];

/** A node whose last block has this time, and which admits every transaction. */
function nodeAt(time: string) {
  return fakeNode(
    {
      status: () => ({
        result: {
          node_info: { network: 'chronicle_271828-1' },
          sync_info: { latest_block_height: '41', latest_block_time: time },
        },
      }),
      broadcast_tx_sync: () => ({ result: { code: 0, data: '', log: '', codespace: '', hash: 'AB'.repeat(32) } }),
    },
    txServices(),
  );
}

test('an unordered transaction has sequence 0 and a timeout relative to the last block', async () => {
  const node = await nodeAt('2026-01-02T03:04:05.5Z');
  const flags = ['--unordered', '--timeout-duration', '1m30s', '-y', '--node', node.address];
  expect(await runCli([...SEND, ...flags])).toMatchObject({ code: 0, stderr: '' });
  const sent = node.asked.find(({ method }) => method.startsWith('broadcast'));
  const { bodyBytes, authInfoBytes } = fromBinary(TxRawSchema, Buffer.from(String(sent?.params['tx']), 'base64'));
  const { unordered, timeoutTimestamp } = fromBinary(TxBodySchema, bodyBytes);
  expect({ unordered, timeoutTimestamp }).toMatchObject({
    unordered: true,
    timeoutTimestamp: { seconds: BigInt(Date.UTC(2026, 0, 2, 3, 5, 35) / 1000), nanos: 500_000_000 },
  });
  expect(fromBinary(AuthInfoSchema, authInfoBytes).signerInfos).toMatchObject([{ sequence: 0n }]);
});

test('tx sign signs an unordered transaction with sequence 0', async () => {
  const node = await nodeAt('2026-01-02T03:04:05Z');
  const terms = ['--unordered', '--timeout-duration', '30s', '--gas', '200000', '--generate-only'];
  const { stdout } = await runCli([...SEND, ...terms, '--node', node.address]);
  expect(JSON.parse(stdout)).toMatchObject({
    body: { unordered: true, timeout_timestamp: '2026-01-02T03:04:35Z', timeout_height: '0' },
  });
  const signed = await runCli(['tx', 'sign', 'u.json', '--from', 'dev0', '--node', node.address], {
    texts: new Map([['u.json', stdout]]),
  });
  expect(JSON.parse(signed.stdout)).toMatchObject({ auth_info: { signer_infos: [{ sequence: '0' }] } });
});

test.each([
  [['--unordered'], '--unordered needs --timeout-duration'],
  [['--timeout-duration', 'soon'], '--timeout-duration: "soon" is not a duration'],
  [['--timeout-duration', '30s'], '--offline: --timeout-duration asks a node for its time'],
])('tx bank send %j is refused', async (flags, reason) => {
  const run = await runCli([...SEND, '--generate-only', '--gas', '200000', '--fees', '1achr', '--offline', ...flags]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(reason);
});
