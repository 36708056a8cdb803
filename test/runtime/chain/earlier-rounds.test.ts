/** A home of an earlier build, whose decisions hold the events of the rounds as text (BlockDecided version 1). */
import { expect, test } from 'vitest';
import { traceOf } from '../../../src/core/chain/decision.js';
import type { LogEvent } from '../../../src/core/log-events.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import type { ConsensusEvent } from '../../../src/core/comet/websocket-events.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { createPushHistory } from '../../../src/node/push/history.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { crypto } from '../../core/app/support.js';
import { simulate, type SimulatedNode } from '../../node/simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

/** The event as an earlier build wrote it. */
const asBefore = (event: LogEvent): LogEvent =>
  event.type === 'BlockDecided' && event.v === 3
    ? { type: 'BlockDecided', v: 1, data: { ...event.data, trace: traceOf(event) } }
    : event;

/** The log of a store, rewritten with the events that earlier builds wrote. */
async function writtenBefore(store: KeyValueStore): Promise<KeyValueStore> {
  const clock = { now: () => toTimeNs(0n) };
  const source = await openEventLog({ store, crypto, clock, sync: 'os' });
  const target = reopenable();
  const log = await openEventLog({ store: target, crypto, clock, sync: 'os' });
  for await (const events of source.read({ from: toPosition(1n) }))
    await log.append(events.map(({ event }) => ({ event: asBefore(event) })));
  return target;
}

/** Events for a subscriber that resumes at the first block. */
async function consensusEvents({ node }: SimulatedNode): Promise<readonly ConsensusEvent[]> {
  const history = createPushHistory({
    log: node.eventLog,
    chain: node.api.queries.chain,
    crypto,
    ethereumBlock: () => undefined,
    abandonedBy: () => [],
  });
  const events: ConsensusEvent[] = [];
  for await (const shown of history.read('commits', { height: toHeight(1n) }))
    if (shown.kind === 'commits') events.push(...shown.events());
  return events;
}

test('a home with BlockDecided version 1 is rebuilt and verified, publishes the same events, and continues', async () => {
  const present = reopenable();
  const first = await simulate({ store: present });
  await first.mineTo(4n);
  const events = await consensusEvents(first);
  const { appHash } = first.node.api.queries.chain.head();
  await first.node.stop();
  expect(events.filter(({ type }) => type === 'Vote')).toHaveLength(8);

  const before = await writtenBefore(present);
  const store = reopenable();
  await deriveDatabase({
    log: await wholeLogOf({ store: before, crypto, witnessed: undefined }),
    host: readHostRows(before, toTimeNs(0n)),
    target: store,
    crypto,
  });
  const second = await simulate({ store });
  expect(second.node.api.queries.chain.head()).toMatchObject({ height: 4n, appHash });
  expect(await consensusEvents(second)).toEqual(events);
  await second.mineTo(6n);
  const versions: (readonly [bigint, number])[] = [];
  for await (const recorded of second.node.eventLog.read({ from: toPosition(1n) }))
    for (const { event } of recorded) if (event.type === 'BlockDecided') versions.push([event.data.height, event.v]);
  expect(versions).toEqual([1n, 2n, 3n, 4n, 5n, 6n].map((height) => [height, height > 4n ? 3 : 1]));
  expect((await second.node.eventLog.verifyAll()).problems).toEqual([]);
  const { blocks, disagreements } = await reExecute(second.node.eventLog.read({ from: toPosition(1n) }), crypto);
  expect({ blocks, disagreements }).toEqual({ blocks: 6, disagreements: [] });
  await second.node.stop();
});
