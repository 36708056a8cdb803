/** An upgrade plan seen from outside: halt, restart, apply, cancel and skip (cosmos-sdk v0.53 `x/upgrade`). */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { compareChain } from '../../src/cli/compare/compare-chain.js';
import { openRecordedChain } from '../../src/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../../src/runtime/host/crypto.js';
import * as pb from '../../src/core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { verifyChain } from '../core/comet/outside-verifier.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { ACCOUNTS, signed, signedSend } from './load.js';
import { anyOf } from '../support/sign-tx.js';
import { encode } from '../support/encode.js';

const NAME = 'v2';
const FAST = ['--mining', 'instant', '--block-time', '0.1'];
const AUTHORITY = ACCOUNTS[0]?.bech32 ?? '';

it('a node halts at the height of a plan, serves queries, and continues with the version of the plan', async () => {
  const home = temporaryFolder();
  let daemon = await startDaemonProcess({ home, args: FAST });
  const halt = await schedule(daemon, 0n);
  const { plan } = await query(
    daemon,
    'CurrentPlan',
    pb.QueryCurrentPlanRequestSchema,
    {},
    pb.QueryCurrentPlanResponseSchema,
  );
  expect(plan).toMatchObject({ name: NAME, height: BigInt(halt), info: 'see notes' });
  const versions = await moduleVersions(daemon);
  expect(versions.length).toBeGreaterThan(0);
  await reach(daemon, halt);
  await expectHalted(daemon, home, halt);
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  daemon = await startDaemonProcess({ home, args: FAST });
  await expectHalted(daemon, home, halt);
  await daemon.kill('SIGKILL');

  daemon = await startDaemonProcess({ home, args: [...FAST, '--app-version', NAME] });
  await reach(daemon, halt + 2);
  expect(await applied(daemon)).toBe(BigInt(halt));
  expect(await moduleVersions(daemon)).toEqual(
    [...versions.filter((line) => line !== 'dev 1'), 'dev 2', 'sample 1'].toSorted(),
  );
  expect(
    (await query(daemon, 'CurrentPlan', pb.QueryCurrentPlanRequestSchema, {}, pb.QueryCurrentPlanResponseSchema)).plan,
  ).toBeUndefined();
  expect(await commit(daemon, signedSend(1, 0n).tx)).toBe(0);
  const { response } = await call<{ readonly response: { readonly app_version: string } }>(
    daemon.endpoints.comet,
    'abci_info',
  );
  expect(response.app_version).toBe('1');
  await daemon.kill('SIGTERM');

  daemon = await startDaemonProcess({ home, args: FAST });
  await reach(daemon, halt + 4);
  const height = await latestHeight(daemon.endpoints.comet);
  expect((await verifyChain((route) => getJson(daemon.endpoints.comet, route), 1, height)).headers).toBe(height);
  await expectComparedEqual(daemon);
  await daemon.kill('SIGTERM');
  // A re-execution uses the handlers of each start, and halts and continues at the same heights as the node.
  const verified = await chronicledHere(['log', 'verify', '--execute', '-o', 'text', '--home', home]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ 0 problems, \d+ blocks executed again, /),
  });
});

it('a node passes the height of a cancelled plan', async () => {
  const daemon = await startDaemonProcess({ args: FAST });
  const halt = await schedule(daemon, 0n);
  expect(await commit(daemon, signed(0, 1n, [anyOf(MsgCancelUpgradeSchema, { authority: AUTHORITY })]).tx)).toBe(0);
  expect(
    (await query(daemon, 'CurrentPlan', pb.QueryCurrentPlanRequestSchema, {}, pb.QueryCurrentPlanResponseSchema)).plan,
  ).toBeUndefined();
  await reach(daemon, halt + 1);
  expect(await applied(daemon)).toBe(0n);
  await daemon.kill('SIGTERM');
});

it('a node exits with 7 at a halt when its options say so, and passes a height that the operator skips', async () => {
  const home = temporaryFolder();
  let daemon = await startDaemonProcess({ home, args: FAST });
  const halt = await schedule(daemon, 0n);
  await reach(daemon, halt);
  await daemon.kill('SIGTERM');
  const ended = await chronicled(['dev', '--home', home, '--port-base', '0', '-q', ...FAST, '--exit-on-halt']);
  expect(ended.code).toBe(7);
  expect(ended.stderr).toContain(`E_UPGRADE_NEEDED: UPGRADE "${NAME}" NEEDED at height: ${halt}: see notes\n`);
  expect(ended.stderr).toContain(`--unsafe-skip-upgrades ${halt}`);
  daemon = await startDaemonProcess({ home, args: [...FAST, '--unsafe-skip-upgrades', String(halt)] });
  await reach(daemon, halt + 2);
  expect(await applied(daemon)).toBe(0n);
  expect(daemon.stderr()).toContain(`UPGRADE "${NAME}" SKIPPED at ${halt}: see notes`);
  await expectComparedEqual(daemon);
  await daemon.kill('SIGTERM');
});

/** Checks that `debug compare-chain` computes the hashes of the node when it executes the chain from its genesis. */
async function expectComparedEqual({ endpoints: { comet } }: DaemonProcess): Promise<void> {
  const folder = temporaryFolder();
  const { genesis } = await call<{ readonly genesis: object }>(comet, 'genesis');
  writeFileSync(join(folder, 'genesis.json'), JSON.stringify(genesis));
  const lines: string[] = [];
  for (let height = await latestHeight(comet); height > 0; height -= 1)
    lines.unshift(JSON.stringify({ height, block: await call(comet, 'block', { height: `${height}` }) }));
  writeFileSync(join(folder, 'blocks.jsonl'), lines.join('\n'));
  const recording = openRecordedChain(folder);
  const crypto = await createHostCrypto();
  expect(await compareChain({ recording, preset: 'chronicle', evmChainId: undefined, crypto })).toMatchObject({
    difference: undefined,
    equal: lines.length - 1,
    recorded: lines.length - 1,
  });
}

it('a node refuses a plan of an account that is not the authority', async () => {
  const daemon = await startDaemonProcess({ args: FAST });
  const stranger = ACCOUNTS[1]?.bech32 ?? '';
  const plan = { name: NAME, height: 1_000n, info: '' };
  expect(await commit(daemon, signed(1, 0n, [anyOf(MsgSoftwareUpgradeSchema, { authority: stranger, plan })]).tx)).toBe(
    6,
  );
  expect(
    (await query(daemon, 'CurrentPlan', pb.QueryCurrentPlanRequestSchema, {}, pb.QueryCurrentPlanResponseSchema)).plan,
  ).toBeUndefined();
  await daemon.kill('SIGTERM');
});

/** Schedules the upgrade some blocks ahead with account 0 and resolves with its height. */
async function schedule(daemon: DaemonProcess, sequence: bigint): Promise<number> {
  const height = (await latestHeight(daemon.endpoints.comet)) + 30;
  const plan = { name: NAME, height: BigInt(height), info: 'see notes' };
  const any: Any = anyOf(MsgSoftwareUpgradeSchema, { authority: AUTHORITY, plan });
  expect(await commit(daemon, signed(0, sequence, [any]).tx)).toBe(0);
  return height;
}

async function expectHalted(daemon: DaemonProcess, home: string, halt: number): Promise<void> {
  const { comet } = daemon.endpoints;
  const file = join(home, 'data', 'upgrade-info.json');
  expect(readFileSync(file, 'utf8')).toBe(
    `{"name":"${NAME}","time":"0001-01-01T00:00:00Z","height":${halt},"info":"see notes"}`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const route of [
    '/health',
    '/status',
    `/block?height=${halt}`,
    `/block_results?height=${halt - 1}`,
    `/commit?height=${halt}`,
    `/validators?height=${halt}`,
    '/consensus_params',
    '/genesis',
    '/blockchain',
    '/num_unconfirmed_txs',
    '/unconfirmed_txs',
    '/consensus_state',
    '/dump_consensus_state',
    '/net_info',
    '/tx_search?query="tx.height>0"',
    '/block_search?query="block.height>0"',
    '/abci_info',
  ]) {
    expect(await getJson(comet, route), route).not.toHaveProperty('error');
  }
  const { response } = await call<{ readonly response: { readonly last_block_height: string } }>(comet, 'abci_info');
  expect(response.last_block_height).toBe(String(halt - 1));
  expect(await applied(daemon)).toBe(0n);
}

async function reach(daemon: DaemonProcess, height: number): Promise<void> {
  for (;;) {
    const answer = await getJson(daemon.endpoints.comet, `/block?height=${height}`);
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return;
  }
}

/** Code of the transaction's result. */
async function commit(daemon: DaemonProcess, tx: string): Promise<number> {
  const { tx_result: result } = await call<{ readonly tx_result: { readonly code: number } }>(
    daemon.endpoints.comet,
    'broadcast_tx_commit',
    { tx },
  );
  return result.code;
}

async function applied(daemon: DaemonProcess): Promise<bigint> {
  return (
    await query(
      daemon,
      'AppliedPlan',
      pb.QueryAppliedPlanRequestSchema,
      { name: NAME },
      pb.QueryAppliedPlanResponseSchema,
    )
  ).height;
}

async function moduleVersions(daemon: DaemonProcess): Promise<readonly string[]> {
  const answer = await query(
    daemon,
    'ModuleVersions',
    pb.QueryModuleVersionsRequestSchema,
    {},
    pb.QueryModuleVersionsResponseSchema,
  );
  return answer.moduleVersions.map(({ name, version }) => `${name} ${version}`);
}

async function query<In extends DescMessage, Out extends DescMessage>(
  daemon: DaemonProcess,
  method: string,
  input: In,
  request: MessageInitShape<In>,
  output: Out,
): Promise<MessageShape<Out>> {
  const data = Buffer.from(encode(input, request)).toString('hex');
  const path = `/cosmos.upgrade.v1beta1.Query/${method}`;
  const { response } = await call<{
    readonly response: { readonly code: number; readonly log: string; readonly value: string | null };
  }>(daemon.endpoints.comet, 'abci_query', { path, data });
  if (response.code !== 0) throw new Error(response.log);
  return fromBinary(output, Buffer.from(response.value ?? '', 'base64'));
}
