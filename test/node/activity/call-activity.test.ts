/** Calls are logged after they are answered; a node that stops first finishes the lines of queued calls. */
import { expect, test } from 'vitest';
import { Interfaces } from '../../../src/core/abi/interfaces.js';
import { lineText } from '../../../src/core/activity/line.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { Budget } from '../../../src/node/activity/budget.js';
import { CallActivity } from '../../../src/node/activity/call-activity.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';

/** A log of calls whose traces the test completes, with texts of `console.log`, or fails. */
function calls() {
  const lines: string[] = [];
  const traces: { readonly come: (texts: readonly string[]) => void; readonly fail: (error: Error) => void }[] = [];
  const activity = new CallActivity({
    names: {
      crypto: PURE_KEY_CRYPTO,
      interfaces: new Interfaces(PURE_KEY_CRYPTO),
      accounts: new Map(),
      contractAt: () => undefined,
    },
    output: {
      mayPrint: () => true,
      ofCall: () => new Promise((come, fail) => traces.push({ come, fail })),
    },
    budget: new Budget({ clock: { now: () => toTimeNs(0n) }, perSecond: 1, burst: 10 }),
    sink: { line: (line) => lines.push(lineText(line, false)), status: () => undefined },
    prepare: () => Promise.resolve(),
  });
  const heard = (): void =>
    activity.heard({
      rpc: 'eth_call',
      call: { to: new Uint8Array(20).fill(1) },
      height: toHeight(1n),
      overrides: [],
      block: {},
      result: { kind: 'success', output: new Uint8Array(), gasUsed: 1n, logs: [] },
    });
  return { activity, lines, traces, heard };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('calls are traced one after another, also after a failed trace, and idle() waits for all of them', async () => {
  const { activity, lines, traces, heard } = calls();
  await activity.idle();
  for (let call = 0; call < 3; call += 1) heard();
  let isIdle = false;
  const idle = activity.idle().then(() => (isIdle = true));
  await turn();
  expect(traces).toHaveLength(1);
  traces[0]?.come(['first']);
  await turn();
  expect({ isIdle, lines }).toEqual({ isIdle: false, lines: [expect.any(String), '     console.log  first'] });
  traces[1]?.fail(new Error('no trace'));
  await turn();
  expect(isIdle).toBe(false);
  traces[2]?.come(['third']);
  await idle;
  expect(lines.filter((line) => line.includes('console.log'))).toEqual([
    '     console.log  first',
    '     console.log  third',
  ]);
});

test('a call is neither traced nor logged when the trace queue is full', async () => {
  const { activity, traces, heard } = calls();
  for (let call = 0; call <= FIXED_LIMITS.activityCalls; call += 1) heard();
  const finish = async (): Promise<void> => {
    await turn();
    for (let before = 0; before < traces.length; await turn())
      for (; before < traces.length; before += 1) traces[before]?.come([]);
    await activity.idle();
  };
  await finish();
  expect(traces).toHaveLength(FIXED_LIMITS.activityCalls);
  heard();
  await finish();
  expect(traces).toHaveLength(FIXED_LIMITS.activityCalls + 1);
});
