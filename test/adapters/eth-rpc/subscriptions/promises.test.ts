import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../support/property-runs.js';
import { parseCursor } from '../../../../src/core/subscriptions/index.js';
import { DeliveryNode, KINDS, settle, type Client } from './harness.js';
import { promised, type ModelKind, type ModelSubscription } from './model.js';
import type { SubscriptionRequest } from '../../../../src/adapters/eth-rpc/subscription-seam.js';

const logs = fc.array(fc.record({ address: fc.integer({ min: 1, max: 3 }), topic: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 5,
});
const client = fc.nat(2);
const kind = fc.nat(KINDS.length - 1);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('mine' as const, 'log' as const), logs }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { do: 'admit' as const },
      { do: 'show' as const },
      { do: 'settle' as const },
      { do: 'pump' as const },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('subscribe' as const, 'batch' as const), client, kind }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resume' as const), client, kind, cut: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'stall' as const, 'release' as const, 'close' as const),
      client,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), client, which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Watched {
  readonly peer: Client;
  readonly id: string;
  readonly model: ModelSubscription;
  answered: boolean;
  readonly answer: () => void;
}

/** The request with a cursor somewhere in what was shown, and the interval that it asks for. */
function resumed(
  node: DeliveryNode,
  { request }: ModelKind,
  cut: number,
): { readonly request: SubscriptionRequest; readonly begin: number; readonly seenOfFirst: number } {
  if (request.kind === 'syncing') return { request, begin: 0, seenOfFirst: 0 };
  const list = request.kind === 'newPendingTransactions' ? node.pending : node.blocks;
  const begin = cut % (list.length + 1);
  const before = list[begin - 1]?.position ?? 0n;
  const block = request.kind === 'logs' ? node.blocks[begin] : undefined;
  const seenOfFirst = block === undefined ? 0 : cut % (block.logs.length + 1);
  const text = seenOfFirst === 0 || block === undefined ? String(before) : `${block.position}.${seenOfFirst - 1}`;
  return { request: { ...request, cursor: parseCursor(text) }, begin, seenOfFirst };
}

async function play(
  steps: readonly Step[],
  limits: ConstructorParameters<typeof DeliveryNode>[0],
  atOnce: number,
): Promise<void> {
  const node = new DeliveryNode(limits, atOnce);
  const peers = [node.client(), node.client(), node.client()];
  const watched: Watched[] = [];
  const lengthOf = ({ request }: ModelKind): number =>
    (request.kind === 'newPendingTransactions' ? node.pending : node.blocks).length;
  const open = (peer: Client): readonly Watched[] =>
    watched.filter((one) => one.peer === peer && one.model.end === undefined);
  const begin = (peer: Client, model: ModelSubscription, request: SubscriptionRequest, inBatch: boolean): void => {
    const { id, answer } = peer.subscribe(request);
    const one: Watched = { peer, id, model, answered: !inBatch, answer };
    watched.push(one);
    if (!inBatch) answer();
  };
  for (const action of steps) {
    if (action.do === 'mine') node.mine(action.logs);
    if (action.do === 'log') node.log(action.logs);
    if (action.do === 'show') node.show();
    if (action.do === 'admit') node.admit();
    if (action.do === 'settle') await settle();
    if (action.do === 'pump') await node.time.runUntilIdle();
    if (action.do === 'restart') {
      for (const peer of peers) {
        for (const { model } of open(peer)) model.end = lengthOf(model.kind);
        peer.connection.closed();
      }
      node.restart();
      peers.splice(0, peers.length, node.client(), node.client(), node.client());
    }
    for (const [index, peer] of peers.entries()) {
      // The transport tells that a socket ended; the client comes back with a new one.
      if (peer.socket.closed === undefined) continue;
      peer.connection.closed();
      peers[index] = node.client();
    }
    if (!('client' in action)) continue;
    const peer = peers[action.client];
    if (peer === undefined) continue;
    if (action.do === 'stall') peer.socket.stalled = true;
    if (action.do === 'release') {
      peer.socket.release();
      peer.connection.drained();
    }
    if (action.do === 'close') {
      for (const { model } of open(peer)) model.end = lengthOf(model.kind);
      peer.connection.closed();
      peers[action.client] = node.client();
    }
    if (action.do === 'answer') {
      for (const one of open(peer)) {
        if (!one.answered) one.answer();
        one.answered = true;
      }
    }
    if (action.do === 'unsubscribe') {
      const all = open(peer);
      const one = all[action.which % Math.max(1, all.length)];
      if (one === undefined) continue;
      expect(peer.unsubscribe(one.id)).toBe(true);
      expect(peer.unsubscribe(one.id), 'an unknown id answers false').toBe(false);
      one.model.end = lengthOf(one.model.kind);
    }
    const asked = 'kind' in action ? KINDS[action.kind] : undefined;
    if (asked === undefined) continue;
    if (action.do === 'subscribe' || action.do === 'batch') {
      begin(
        peer,
        { kind: asked, begin: lengthOf(asked), seenOfFirst: 0, end: undefined },
        asked.request,
        action.do === 'batch',
      );
    }
    if (action.do === 'resume') {
      const { request, ...interval } = resumed(node, asked, action.cut);
      begin(peer, { kind: asked, ...interval, end: undefined }, request, false);
    }
  }
  for (const peer of peers) {
    peer.socket.release();
    peer.connection.drained();
    for (const one of open(peer)) if (!one.answered) one.answer();
  }
  for (let turn = 0; turn < 3; turn += 1) {
    await settle();
    await node.time.runUntilIdle();
  }
  expect(node.defects).toEqual([]);
  for (const { peer, id, model } of watched) {
    const got = peer.arrived(id);
    const all = promised(node.blocks, node.pending, model);
    expect(got, 'S1-S4: a prefix of what matches, in order').toEqual(all.slice(0, got.length));
    if (peer.socket.closed === undefined && model.end === undefined)
      expect(got, 'S7: whole while not ended').toEqual(all);
    const frames = peer.frames();
    const first = frames.findIndex(({ params }) => params?.subscription === id);
    const last = frames.findLastIndex(({ params }) => params?.subscription === id);
    const answer = frames.findIndex(({ subscribed }) => subscribed === id);
    const leave = frames.findIndex(({ unsubscribed }) => unsubscribed === id);
    if (first >= 0) expect(answer >= 0 && answer < first, 'S5: none before the subscribe answer').toBe(true);
    if (leave >= 0) expect(last, 'S6: none after the unsubscribe answer').toBeLessThan(leave);
    if (peer.socket.closed !== undefined)
      expect(peer.socket.closed, 'S7: ends with a reason').toMatchObject({
        code: 1013,
        reason: expect.stringMatching(/^slow consumer: [0-9]+ bytes pending$/u),
      });
  }
  for (const peer of peers) peer.connection.closed();
  expect(node.registry.counters(), 'S9: nothing is left').toMatchObject({ clients: 0, subscriptions: 0 });
  expect(node.pump.counters(), 'S9: the ring is empty').toMatchObject({ outlets: 0, ringCommits: 0, ringBytes: 0 });
  expect(node.hub.connections()).toBe(0);
}

describe('promises to subscribers of the Ethereum websocket (reliability-security.md S1-S12)', () => {
  it('hold for clients that read, leave, return and resume', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => play(steps, {}, 64)),
      { numRuns: propertyRuns(120) },
    );
  });
  it('hold when commits gather in the ring before they are written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => play(steps, {}, 0)),
      { numRuns: propertyRuns(120) },
    );
  });
  it('hold when sockets stall and small limits cut slow clients off', async () => {
    const limits = { socketPauseBytes: 2_000, socketCutoffBytes: 4_000, ringCommits: 6 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), fc.constantFrom(0, 64), (steps, atOnce) =>
        play(steps, limits, atOnce),
      ),
      { numRuns: propertyRuns(150) },
    );
  });
});
