/**
 * Answers of a Go node on every face before, at and after an upgrade (upgrade/transcript.jsonl), by request.
 * The differences are those that docs/UPGRADES.md lists.
 */
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import WebSocket from 'ws';
import { beforeAll, describe, expect, test } from 'vitest';
import { asObject } from '../../src/core/text/json-object.js';
import { goldenLines, goldenPath, hasGolden } from '../support/golden.js';
import {
  type Asked,
  type CommandAnswer,
  type HttpAnswer,
  type Line,
  recordedHome,
  RecordedUpgradeNode,
  transcript,
  withoutTimes,
} from './recorded-upgrade.js';

const PLAN = 'golden-v2';
const HALT = 173;
/** The last block before the first stop of the recorded node. */
const FIRST_STOP = 148;
const NEEDED = `UPGRADE "${PLAN}" NEEDED at height: ${HALT}: info text of ${PLAN}`;
const TOO_EARLY = `BINARY UPDATED BEFORE TRIGGER! UPGRADE "${PLAN}" - in binary but not executed on chain.`;
const TOO_OLD = `wrong app version 1, upgrade handler is missing for ${PLAN} upgrade plan`;

type Answer = HttpAnswer | CommandAnswer;

/** A request with a different answer here: its line in the table of docs/UPGRADES.md, and our answer. */
interface Difference {
  readonly listed: string;
  readonly matches: (asked: Asked, ours: Answer) => void;
}

const SDK_NAMES: Difference = {
  listed: '`sdk.upgrade.v1beta1`, `/sdk/upgrade/v1beta1`',
  matches: (asked, ours) => {
    if (asked.face === 'grpcurl') return expect(outputOf(ours)).toMatch(/^\{/);
    expect(ours).toMatchObject({ status: 200, body: expect.stringMatching(/^\{"plan":/) });
  },
};
const NO_PLAN: Difference = {
  listed: '`query upgrade plan`, none scheduled',
  matches: (_, ours) => expect(ours).toEqual({ exit: 1, stdout: '', stderr: 'Error: no upgrade scheduled\n' }),
};
const PLAN_FIELDS: Difference = {
  listed: '`query upgrade plan`',
  matches: (asked, ours) => {
    const name = /name"?: "?([\w-]+)/.exec(outputOf(asked))?.[1];
    expect(outputOf(ours)).toMatch(new RegExp(`^(height: |\\{"name":"${name}",)`));
    expect(outputOf(ours)).toContain(name);
  },
};
const NOT_APPLIED: Difference = {
  listed: '`query upgrade applied`, never applied',
  matches: (_, ours) => expect(ours).toEqual({ exit: 1, stdout: '', stderr: 'Error: no upgrade found\n' }),
};
const APPLIED: Difference = {
  listed: '`query upgrade applied`',
  matches: (_, ours) => expect(JSON.parse(outputOf(ours))).toMatchObject({ header: { height: String(HALT) } }),
};
const NET_INFO: Difference = {
  listed: '`net_info`',
  matches: (_, ours) => expect(bodyOf(ours)).toMatchObject({ result: { listening: false, n_peers: '0' } }),
};
const PARAMS: Difference = {
  listed: '`consensus_params` at a halt',
  matches: (_, ours) => expect(bodyOf(ours)).toMatchObject({ result: { block_height: String(HALT) } }),
};
const ROUND: Difference = {
  listed: '`consensus_state`, `dump_consensus_state` at a halt',
  matches: (asked, ours) => {
    const { round_state: round } = JSON.parse(JSON.stringify(bodyOf(ours))).result;
    const place = round['height/round/step'] ?? `${round.height}/${round.round}/${round.step}`;
    expect(place).toBe(`${HALT}/0/8`);
    expect(asked.face).toBe('comet');
  },
};
const QUEUE: Difference = {
  listed: 'transactions at a halt',
  matches: (_, ours) => expect(bodyOf(ours)).toMatchObject({ result: { n_txs: '0' } }),
};

function differenceOf(asked: Asked): Difference | undefined {
  const request = asked.face === 'eth' ? '' : asked.face === 'cli' ? asked.args.join(' ') : asked.req;
  if (/^(\/sdk\/|sdk\.)/.test(request)) return SDK_NAMES;
  if (request === '/net_info') return NET_INFO;
  if (request.startsWith('query upgrade plan')) return outputOf(asked) === '{}\n' ? NO_PLAN : PLAN_FIELDS;
  if (request.startsWith('query upgrade applied')) return outputOf(asked) === '{}\n' ? NOT_APPLIED : APPLIED;
  if (asked.phase !== 'halted') return undefined;
  if (request === '/consensus_params') return PARAMS;
  if (request.endsWith('consensus_state')) return ROUND;
  return request === '/unconfirmed_txs' || request === '/num_unconfirmed_txs' ? QUEUE : undefined;
}

const outputOf = (answer: Answer | Asked): string => ('stdout' in answer ? answer.stdout : '');
const bodyOf = (answer: Answer): unknown => ('body' in answer ? JSON.parse(answer.body) : undefined);

/** Part of an answer that two nodes share: without times, node names, versions and addresses. */
function common(answer: Answer | Asked): unknown {
  if ('res' in answer) return common(answer.res);
  if ('body' in answer) return { status: answer.status, body: json(named(withoutTimes(answer.body))) };
  return { exit: answer.exit, output: json(named(withoutTimes(answer.stdout))), error: answer.stderr };
}

function named(text: string): string {
  return text
    .replace(/"id":"[0-9a-f]{40}"/, '"id":""')
    .replace(/"(listen_addr|rpc_address)":"[^"]*"/g, '"$1":""')
    .replace(/"version":"0\.38\.\d+"/, '"version":""')
    .replace(/"data":"\w+","version":"[^"]*"/, '"data":"","version":""')
    .replace(/"(miner|size|block_size)":"\w*"/g, '"$1":""')
    .replace(/"totalDifficulty":"0x0",?/, '')
    .replace(/,"SyncInfo":\{[^}]*\}/, '');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutGas(included: unknown): unknown {
  return { ...asObject(asObject(included)?.['tx_result']), gas_used: '' };
}

/** Error messages of grpcurl and of its stand-in. */
function grpcError(answer: CommandAnswer): CommandAnswer {
  const [, code, message] =
    /^ERROR:\s+(?:Code: )?(\w+)\s+(?:Message: )?(.*?)\s*$/s.exec(answer.stdout || answer.stderr) ?? [];
  return code === undefined ? answer : { exit: 0, stdout: `${code.replace('Unknown', '2')} ${message}`, stderr: '' };
}

describe.skipIf(!hasGolden)('a recorded upgrade', { timeout: 180_000 }, () => {
  const lines: readonly Line[] = hasGolden ? transcript() : [];
  const stops = hasGolden
    ? goldenLines<{ readonly kind?: string; readonly label?: string }>('upgrade/transcript.jsonl')
    : [];
  const after = (label: string): number => stops.findIndex((line) => line.kind === 'stop' && line.label === label);
  const phase = (name: string): readonly Asked[] =>
    lines.filter(
      (line): line is Asked => 'phase' in line && line.phase === name && ['req', 'args'].some((key) => key in line),
    );
  const listed = new Set<string>();
  let home: string;
  let node: RecordedUpgradeNode;

  async function compare(asked: Asked): Promise<void> {
    const answered = await node.ask(asked);
    const name = `${asked.phase}: ${JSON.stringify('args' in asked ? asked.args : asked.req)}`;
    const difference = differenceOf(asked);
    if (difference !== undefined) {
      listed.add(difference.listed);
      return difference.matches(asked, answered);
    }
    const [theirs, ours] =
      asked.face === 'grpcurl' && 'stdout' in answered ? [grpcError(asked), grpcError(answered)] : [asked, answered];
    expect(common(ours), name).toEqual(common(theirs));
  }

  async function follow(line: Line, index: number): Promise<void> {
    if ('phase' in line) return compare(line);
    if (line.kind === 'tx') {
      const { broadcast, included } = await node.send(line);
      expect(broadcast).toEqual(asObject(line.broadcast)?.['result']);
      // The encoding of a time is shorter if it has few digits of nanoseconds, and then costs less gas.
      expect({ ...asObject(included), tx_result: withoutGas(included) }).toEqual({
        ...line.included,
        tx_result: withoutGas(line.included),
      });
    } else if (line.kind === 'proposal') {
      const text = withoutTimes(JSON.stringify(await node.end(line)));
      expect(JSON.parse(text)).toEqual(JSON.parse(withoutTimes(JSON.stringify(line.proposal))));
      const results = lines[index + 1];
      if (results === undefined || !('height' in results)) throw new Error(`line ${index + 1} has no results`);
      const ours = withoutTimes(JSON.stringify(await node.comet(`/block_results?height=${results.height}`)));
      expect(JSON.parse(ours)).toEqual(JSON.parse(withoutTimes(JSON.stringify(results.res))));
    }
  }

  beforeAll(() => {
    const [first] = phase('before');
    const status = first === undefined || !('res' in first) ? {} : JSON.parse(first.res.body);
    home = recordedHome(status.result.sync_info.earliest_block_time);
  });

  test('plans are scheduled, replaced, cancelled and refused by votes', async () => {
    node = await RecordedUpgradeNode.start(home);
    for (const [index, line] of lines.slice(0, after('v1')).entries()) await follow(line, index);
    await node.mineTo(FIRST_STOP);
    await node.stop();
  });

  test('a version that is too early halts, and keeps serving', async () => {
    const copy = `${home}-early`;
    cpSync(home, copy, { recursive: true });
    node = await RecordedUpgradeNode.start(copy, '--app-version', PLAN);
    await expect(node.mine()).rejects.toThrow('halted');
    expect(node.daemon.stderr()).toContain(TOO_EARLY);
    expect(await node.comet('/status')).toMatchObject({ sync_info: { latest_block_height: String(FIRST_STOP + 1) } });
    await node.stop();
  });

  test('the node halts at the height with the recorded text, file and websocket frames, and serves every face', async () => {
    node = await RecordedUpgradeNode.start(home);
    const frames = await framesUntilHalt(node);
    const recorded = goldenLines<{ readonly kind?: string; readonly frames?: readonly { readonly frame: string }[] }>(
      'upgrade/transcript.jsonl',
    ).find(({ kind }) => kind === 'ws frames around the halt');
    for (const query of ['NewBlockHeader', 'NewRoundStep']) {
      const theirs = (recorded?.frames ?? []).map(({ frame }) => frame).filter((frame) => frame.includes(query));
      const ours = frames.filter((frame) => frame.includes(query));
      expect(ours.slice(-theirs.length).map(placeOf)).toEqual(theirs.map(placeOf));
    }
    expect(node.daemon.stderr()).toContain(NEEDED);
    const info = join(home, 'data', 'upgrade-info.json');
    expect(readFileSync(info, 'utf8')).toBe(readFileSync(goldenPath('upgrade/upgrade-info.json'), 'utf8'));
    expect(statSync(info).mode & 0o777).toBe(0o600);
    for (const asked of phase('halted')) await compare(asked);
    await expectRefusals();
    await node.stop();
  });

  /** Transactions that the recorded node accepted at the halt; here they are refused with its message. */
  async function expectRefusals(): Promise<void> {
    const queue = phase('halted').find((asked) => asked.face === 'comet' && asked.req === '/unconfirmed_txs');
    const { txs }: { readonly txs: readonly string[] } = JSON.parse(
      queue?.face === 'comet' ? queue.res.body : '',
    ).result;
    expect(txs).toHaveLength(2);
    for (const tx of txs) {
      for (const method of ['broadcast_tx_sync', 'broadcast_tx_async', 'broadcast_tx_commit'])
        expect(
          JSON.stringify(await node.comet(`/${method}?tx=0x${Buffer.from(tx, 'base64').toString('hex')}`)),
        ).toContain(JSON.stringify(NEEDED).slice(1, -1));
      const sent = await fetch(`${node.daemon.endpoints.rest}/cosmos/tx/v1beta1/txs`, {
        method: 'POST',
        body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
      });
      expect(sent.status).not.toBe(200);
      expect(await sent.text()).toContain(PLAN);
    }
  }

  test('the old version starts again at the halt, and goes on when the height is skipped', async () => {
    node = await RecordedUpgradeNode.start(home);
    expect(node.daemon.stderr()).toContain(NEEDED);
    await node.stop();
    const copy = `${home}-skip`;
    cpSync(home, copy, { recursive: true });
    node = await RecordedUpgradeNode.start(copy, '--unsafe-skip-upgrades', String(HALT));
    for (const asked of phase('after-skip')) await compare(asked);
    await node.stop();
  });

  test('the new version applies the plan, and the old version halts after it', async () => {
    node = await RecordedUpgradeNode.start(home, '--app-version', PLAN);
    for (const asked of phase('after-upgrade')) await compare(asked);
    expect(statSync(join(home, 'data', 'upgrade-info.json')).isFile()).toBe(true);
    const [first, last] = [lines.length, after('v2')];
    expect(last).toBeLessThan(first);
    for (const [index, line] of lines.entries())
      if (index > after('skip') && index < last && !('phase' in line)) await follow(line, index);
    await node.stop();
    node = await RecordedUpgradeNode.start(home, '--app-version', 'v1');
    await expect(node.mine()).rejects.toThrow('halted');
    expect(node.daemon.stderr()).toContain(TOO_OLD);
    expect(await node.comet('/status')).toMatchObject({ sync_info: { latest_block_height: '198' } });
    await node.stop();
  });

  test('docs/UPGRADES.md lists every difference that the test met', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/UPGRADES.md'), 'utf8');
    const lacking = [...listed].filter((one) => !document.includes(`\n| ${one} |`));
    expect(lacking).toEqual([]);
    expect(listed.size).toBe(9);
  });
});

/** WebSocket frames of block headers and round steps, from the blocks before the halt to the last block. */
async function framesUntilHalt(node: RecordedUpgradeNode): Promise<readonly string[]> {
  await node.mineTo(HALT - 4);
  const socket = new WebSocket(`${node.daemon.endpoints.comet.replace('http', 'ws')}/websocket`);
  const frames: string[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  let answered: () => void = () => undefined;
  const acknowledged = new Promise<void>((resolve) => (answered = resolve));
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString());
    if (frames.length === 2) answered();
  });
  for (const [id, event] of [
    [1, 'NewBlockHeader'],
    [2, 'NewRoundStep'],
  ] as const)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: [`tm.event='${event}'`] }));
  await acknowledged;
  await expect(node.mineTo(HALT)).rejects.toThrow('halted');
  // The node answers a request after the earlier frames of the same socket.
  const last = new Promise((resolve) => socket.on('message', (data: Buffer) => data.includes('"id":3') && resolve(0)));
  socket.send('{"jsonrpc":"2.0","id":3,"method":"health"}');
  await last;
  socket.terminate();
  return frames.filter((frame) => frame.includes('"data"'));
}

/** Kind, height and step of a frame; the recording has only the beginnings of long ones. */
function placeOf(frame: string): readonly (string | undefined)[] {
  return [/"type":"([^"]+)"/, /"height":"(\d+)"/, /"step":"(\w+)"/].map((part) => part.exec(frame)?.[1]);
}
