/** Calls of clients in lines: the first of a kind at once, those like it as a count, and a bounded number of kinds. */
import { expect, test } from 'vitest';
import { agentOf } from '../../../src/core/activity/client-call.js';
import { lineText } from '../../../src/core/activity/line.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toTimeNs } from '../../../src/core/primitives.js';
import { ClientCalls } from '../../../src/node/activity/client-calls.js';

function activityCalls() {
  const lines: string[] = [];
  let now = 0n;
  let timers: (() => void)[] = [];
  const calls = new ClientCalls({
    clock: { now: () => toTimeNs(now) },
    timers: {
      after: (milliseconds, run) => {
        expect(milliseconds).toBe(FIXED_LIMITS.callFoldMs);
        timers.push(run);
        return () => {
          timers = timers.filter((timer) => timer !== run);
        };
      },
    },
    sink: { line: (line) => lines.push(lineText(line, false)) },
  });
  return {
    calls,
    call: (method: string, milliseconds: number, client = '', errorCode?: number): void => {
      const ended = calls.begun('face', method, client);
      now += BigInt(milliseconds * 1e6);
      ended(errorCode);
    },
    elapse: () => timers.splice(0).forEach((run) => run()),
    waiting: () => timers.length,
    lines: () => lines.splice(0),
  };
}

test('repeated calls are folded into a count for each client, method and outcome until they pause', () => {
  const { call, elapse, lines, waiting } = activityCalls();
  call('poll', 1.5, 'node');
  for (const milliseconds of [3, 0.25, 20]) call('poll', milliseconds, 'node');
  call('poll', 1, 'curl/8');
  call('poll', 1, 'node', -32_000);
  call('poll', 1, 'curl/8');
  expect(lines()).toEqual([
    'poll  1.50 ms  ok  face, node',
    'poll  1.00 ms  ok  face, curl/8',
    'poll  1.00 ms  error -32000  face, node',
  ]);
  elapse();
  expect(lines()).toEqual(['poll  3 more, 0.25 to 20 ms  ok  face, node', 'poll  1 more, 1.00 ms  ok  face, curl/8']);
  call('poll', 1, 'node');
  expect(lines()).toEqual([]);
  elapse();
  expect(lines()).toEqual(['poll  1 more, 1.00 ms  ok  face, node']);
  elapse();
  expect([lines(), waiting()]).toEqual([[], 0]);
  call('poll', 2, 'node');
  expect(lines()).toEqual(['poll  2.00 ms  ok  face, node']);
});

test('calls of more kinds than the limit are counted together, whatever their names', () => {
  const { call, elapse, lines } = activityCalls();
  for (let kind = 0; kind < FIXED_LIMITS.callKinds + 40; kind += 1) call(`${kind}\u001b[2J`, 1);
  expect(lines()).toHaveLength(FIXED_LIMITS.callKinds);
  elapse();
  expect(lines()).toEqual(['… 40 more calls of other methods and clients']);
});

test('a node that stops writes the pending counts at once and leaves no timer', () => {
  const { calls, call, lines, waiting } = activityCalls();
  for (let times = 0; times < 3; times += 1) call('m', 1);
  calls.end();
  expect(lines()).toEqual(['m  1.00 ms  ok  face', 'm  2 more, 1.00 ms  ok  face']);
  expect(waiting()).toBe(0);
});

test('names of methods and client programs are shown on one line with a maximum length', () => {
  const { call, lines } = activityCalls();
  call(`a\nb\u001b[2J${'x'.repeat(10_000)}`, 1);
  const [line = ''] = lines();
  expect(line).not.toMatch(/\p{Cc}/u);
  expect(line.length).toBeLessThan(2 * FIXED_LIMITS.shownCharacters);
  expect(agentOf('curl/8.5.0')).toBe('curl/8.5.0');
  expect(agentOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('Mozilla/5.0');
  expect(agentOf(undefined)).toBe('');
  expect(agentOf('x'.repeat(10_000))).toHaveLength(FIXED_LIMITS.agentCharacters);
});
