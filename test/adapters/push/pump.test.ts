import { describe, expect, it } from 'vitest';
import { createPump, type DeliveryTarget, type SocketWriter, type Pump } from '../../../src/adapters/push/pump.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import { toPosition, toTimeNs } from '../../../src/core/primitives.js';
import type { RingFrame } from '../../../src/core/subscriptions/ring.js';
import type { Unread } from '../../../src/core/subscriptions/index.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { FakeSocket } from './engine-node.js';

interface Reader {
  readonly socket: FakeSocket;
  readonly writer: SocketWriter;
  readonly target: DeliveryTarget;
  slow: number | undefined;
  behind: readonly Unread<DeliveryTarget>[] | undefined;
  failed: unknown;
}

function reader(pump: Pump<DeliveryTarget>, number: number): Reader {
  const socket = new FakeSocket();
  const made: Reader = {
    socket,
    writer: pump.attach(socket, {
      slow: (pending) => (made.slow = pending),
      behind: (unread) => (made.behind = unread),
      failed: (error) => (made.failed = error),
    }),
    target: { prefix: `${number}:`, open: true, sent: 0 },
    slow: undefined,
    behind: undefined,
    failed: undefined,
  };
  return made;
}

let position = 0n;

/** Publishes the same bodies to every reader. */
function publish(pump: Pump<DeliveryTarget>, readers: readonly Reader[], ...bodies: readonly string[]): void {
  const encoded = bodies.map((text, index) => ({ text, index }));
  position += 1n;
  pump.publish({
    kind: 'commits',
    position: toPosition(position),
    frames: new Map(
      readers.map(({ writer, target }): [SocketWriter, readonly RingFrame<DeliveryTarget>[]] => [
        writer,
        encoded.map((body) => ({ target, body })),
      ]),
    ),
  });
}

function setUp(count: number, limits: Partial<Limits> = {}, tick = 0n) {
  const time = new VirtualTime();
  let reads = 0n;
  // Every reading of the clock advances it by `tick`.
  const clock = { now: () => toTimeNs(time.now() + (reads += 1n) * tick) };
  const pump = createPump<DeliveryTarget>({ limits: { ...DEFAULT_LIMITS, ...limits }, timers: time, clock });
  return { time, pump, readers: Array.from({ length: count }, (_, number) => reader(pump, number)) };
}

describe('delivery pump', () => {
  it('writes at once to few sockets, one cork each', () => {
    const { pump, readers } = setUp(64);
    publish(pump, readers, 'a', 'b');
    for (const [number, { socket }] of readers.entries()) {
      expect(socket.frames).toEqual([`${number}:a`, `${number}:b`]);
      expect(socket.corks).toBe(1);
    }
    expect(pump.counters()).toMatchObject({ ringCommits: 0, ringBytes: 0 });
  });

  it('collects commits for many sockets and writes them with one cork each', async () => {
    const { time, pump, readers } = setUp(65);
    publish(pump, readers, 'a');
    publish(pump, readers, 'b');
    expect(readers[0]?.socket.frames).toEqual([]);
    expect(pump.counters().ringCommits, 'held once for all').toBe(2);
    await time.runUntilIdle();
    for (const [number, { socket }] of readers.entries()) {
      expect(socket.frames).toEqual([`${number}:a`, `${number}:b`]);
      expect(socket.corks).toBe(1);
    }
  });

  it('wakes a writer that waits for room when it closes, and cancels the pause on stop', async () => {
    const { time, pump, readers } = setUp(65, { socketPauseBytes: 0 });
    let woken = 0;
    const rooms = readers.map(({ writer }) => writer.room().then(() => (woken += 1)));
    await time.settle();
    expect(woken, 'there is no room').toBe(0);
    readers[0]?.writer.close();
    await rooms[0];
    expect(woken).toBe(1);
    pump.stop();
    await Promise.all(rooms);
    const busy = setUp(65);
    publish(busy.pump, busy.readers, 'a');
    expect(busy.time.waiting).toBe(1);
    busy.pump.stop();
    expect([time.waiting, busy.time.waiting]).toEqual([0, 0]);
  });

  it('yields to the event loop after 2 ms and continues with the waiting sockets', async () => {
    const { time, pump, readers } = setUp(100, {}, 500_000n);
    publish(pump, readers, 'a');
    const served = (): number => readers.filter(({ socket }) => socket.frames.length > 0).length;
    const steps: number[] = [];
    const rest = time.yield.bind(time);
    time.yield = () => {
      steps.push(served());
      return rest();
    };
    await time.runUntilIdle();
    expect(steps.length, 'one turn for every four looks at the clock').toBe(24);
    expect(steps[0]).toBe(4);
    expect(served()).toBe(100);
  });

  it('writes while fewer bytes than the pause limit are buffered, and continues when the socket drains', () => {
    const { pump, readers } = setUp(1, { socketPauseBytes: 5 });
    const [one] = readers;
    if (one === undefined) throw new Error('no reader');
    one.socket.stalled = true;
    publish(pump, readers, 'aaa', 'bbb', 'ccc');
    expect(one.socket.frames).toEqual(['0:aaa']);
    expect(one.writer.backlog()).toBe(6);
    one.socket.release();
    one.writer.drained();
    expect(one.socket.frames).toEqual(['0:aaa', '0:bbb', '0:ccc']);
    expect(one.writer.backlog()).toBe(0);
  });

  it('cuts off a client that does not read with the number of pending bytes, without delaying others', () => {
    const { pump, readers } = setUp(2, { socketPauseBytes: 10, socketCutoffBytes: 20 });
    const [slow, good] = readers;
    if (slow === undefined || good === undefined) throw new Error('no readers');
    slow.socket.stalled = true;
    const bodies = ['12345678', 'abcdefgh', 'ABCDEFGH', '!!!!!!!!'];
    for (const body of bodies) publish(pump, readers, body);
    expect(slow.slow).toBe(undefined);
    expect(slow.writer.backlog()).toBe(24);
    publish(pump, readers, 'last');
    expect(slow.slow).toBe(24);
    expect(slow.socket.frames, 'nothing after the end').toEqual(['0:12345678']);
    expect(good.socket.frames).toEqual([...bodies, 'last'].map((body) => `1:${body}`));
    expect(pump.counters()).toMatchObject({ slow: 1, sockets: 1, ringCommits: 0, ringBytes: 0 });
  });

  it('treats no reading client as slow, even after a large commit or when the pump is late', async () => {
    const { time, pump, readers } = setUp(65, { socketPauseBytes: 10, socketCutoffBytes: 20 });
    for (let commit = 0; commit < 10; commit += 1) publish(pump, readers, 'x'.repeat(50));
    await time.runUntilIdle();
    expect(readers.filter(({ slow }) => slow !== undefined)).toEqual([]);
    expect(readers.every(({ socket }) => socket.frames.length === 10)).toBe(true);
  });

  it('limits the ring: a socket that holds its oldest commit is cut off with the number of unread bytes', () => {
    const { pump, readers } = setUp(2, { socketPauseBytes: 4, ringCommits: 3 });
    const [slow, good] = readers;
    if (slow === undefined || good === undefined) throw new Error('no readers');
    slow.socket.stalled = true;
    for (let commit = 0; commit < 4; commit += 1) publish(pump, readers, `${commit}a`, `${commit}b`);
    expect(slow.socket.frames, 'half of the first commit').toEqual(['0:0a']);
    expect([slow.slow, slow.writer.backlog()]).toEqual([undefined, 0]);
    expect(slow.behind?.map(({ offset, frames }) => [offset, frames.map(({ body }) => body.text)])).toEqual([
      [1, ['0a', '0b']],
      [0, ['1a', '1b']],
      [0, ['2a', '2b']],
      [0, ['3a', '3b']],
    ]);
    expect(good.socket.frames).toHaveLength(8);
    expect(pump.counters()).toMatchObject({ ringCommits: 0, ringBytes: 0, behind: 1, sockets: 2 });
    slow.socket.release();
    publish(pump, readers, 'next');
    expect(slow.socket.frames.at(-1), 'it may come back').toBe('0:next');
  });

  it('removes a socket that throws and tells its owner, and serves the others', () => {
    const { pump, readers } = setUp(2);
    const [broken, good] = readers;
    if (broken === undefined || good === undefined) throw new Error('no readers');
    broken.socket.closed = { code: 1006, reason: 'gone without notice' };
    publish(pump, readers, 'a');
    expect(broken.failed).toBeInstanceOf(Error);
    expect(good.socket.frames).toEqual(['1:a']);
    expect(pump.counters()).toMatchObject({ failed: 1, sockets: 1, ringCommits: 0 });
  });

  it('skips pending notifications of a subscription that ended', () => {
    const { pump, readers } = setUp(1, { socketPauseBytes: 3 });
    const [one] = readers;
    if (one === undefined) throw new Error('no reader');
    one.socket.stalled = true;
    publish(pump, readers, 'aaa', 'bbb');
    one.target.open = false;
    one.socket.release();
    one.writer.drained();
    expect(one.socket.frames).toEqual(['0:aaa']);
  });

  it('continues when the kernel takes bytes at the end of a cork that were buffered inside it', () => {
    const { pump, readers } = setUp(1, { socketPauseBytes: 4 });
    const [one] = readers;
    if (one === undefined) throw new Error('no reader');
    one.socket.cork = (run) => {
      one.socket.stalled = true;
      run();
      one.socket.release();
    };
    publish(pump, readers, 'aaa', 'bbb', 'ccc');
    expect(one.socket.frames).toEqual(['0:aaa', '0:bbb', '0:ccc']);
  });

  it('shares a turn: a socket that takes everything does not keep the others waiting', () => {
    const { pump, readers } = setUp(2, { socketPauseBytes: 4 });
    const order: number[] = [];
    for (const [number, { socket }] of readers.entries()) {
      const send = socket.send.bind(socket);
      socket.send = (text) => {
        order.push(number);
        return send(text);
      };
    }
    publish(pump, readers, 'aa', 'bb');
    expect(order).toEqual([0, 1, 0, 1]);
  });
});
