/**
 * Any actor fails at any message, also in the middle of a block: the chain continues, no acknowledged send is lost.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import type { ChildSpec } from '../../../src/actors/shell/child.js';
import { MemoryStore } from '../../support/memory-store.js';
import type { ActorId } from '../../../src/node/compose/actor-ids.js';
import { propertyRuns } from '../../support/property-runs.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';

const ACTORS: readonly ActorId[] = ['consensus', 'mempool', 'upgradeKeeper', 'filterManager', 'subscriptionRegistry'];
/** An armed actor fails within this time, or not at all. */
const ARMED_MS = 30_000;
/** Empty blocks come twice while an actor is armed. */
const HEARTBEAT_MS = 15_000;
/** With this, three failures need more than the minute in which the supervisor counts them. */
const UNARMED_MS = 30_000;

/** Fails the armed actor at one of its next messages. */
class Saboteur {
  #armed: { readonly actor: ActorId; left: number } | undefined;
  failures = 0;

  arm(actor: ActorId, messages: number): void {
    this.#armed = { actor, left: messages };
  }

  disarm(): void {
    this.#armed = undefined;
  }

  wrap(child: ChildSpec<ActorId>): ChildSpec<ActorId> {
    const { logic } = child;
    const transition: typeof logic.transition = (snapshot, event, scope) => {
      const armed = this.#armed;
      if (armed?.actor === child.id && event.type !== 'xstate.stop' && (armed.left -= 1) < 0) {
        this.#armed = undefined;
        this.failures += 1;
        throw new Error(`${child.id} fails at ${event.type}`);
      }
      return logic.transition(snapshot, event, scope);
    };
    return { ...child, logic: Object.create(logic, { transition: { value: transition } }) as typeof logic };
  }
}

interface Step {
  readonly actor: ActorId;
  readonly messages: number;
  readonly sends: number;
}

/** Sends until the node takes it: an actor that failed at a command answers that it is busy. */
async function admitted({ node, time }: SimulatedNode, tx: Uint8Array): Promise<void> {
  for (;;) {
    const answering = node.api.commands.broadcastTx(tx);
    await time.advance(0);
    const answer = await answering;
    // A transaction whose answer was lost may have been taken.
    if (answer.ok ? answer.value.code === 0 : answer.error.code === 'tx-in-cache') return;
    if (answer.ok) throw new Error(answer.value.log);
    if (answer.error.code !== 'busy') throw new Error(answer.error.code);
  }
}

test(
  'an actor that fails is restarted, and no transaction or block is lost, doubled or out of order',
  { timeout: 240_000 },
  async () => {
    let failures = 0;
    const step = fc.record<Step>({
      actor: fc.constantFrom(...ACTORS),
      messages: fc.nat({ max: 6 }),
      sends: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        const saboteur = new Saboteur();
        const simulated = await simulate({
          store: new MemoryStore(),
          mining: { kind: 'instant', heartbeatMs: HEARTBEAT_MS },
          wrapActor: (child) => saboteur.wrap(child),
        });
        const { node, time } = simulated;
        const { chain } = node.api.queries;
        const heights: bigint[] = [];
        node.api.feeds.onCommit(({ events }) => heights.push(events.at(-1)?.height ?? 0n));
        const first = chain.head().height;
        const sent: Uint8Array[] = [];
        for (const { actor, messages, sends } of steps) {
          saboteur.arm(actor, messages);
          for (let one = 0; one < sends; one += 1) {
            const tx = send(0, 1, 1n, BigInt(sent.length));
            await admitted(simulated, tx);
            sent.push(tx);
          }
          await time.advance(ARMED_MS);
          saboteur.disarm();
          await time.advance(UNARMED_MS);
        }
        await time.advance(5_000);
        failures += saboteur.failures;
        expect(simulated.errors.filter((error) => error !== 'actor restarted')).toEqual([]);
        for (const tx of sent) expect(chain.tx(node.crypto.sha256(tx))?.result.code, upperHex(tx)).toBe(0);
        const last = chain.head().height;
        expect(heights).toEqual(Array.from({ length: Number(last - first) }, (_, index) => first + BigInt(index + 1)));
        await node.stop();
      }),
      { numRuns: propertyRuns(15) },
    );
    expect(failures).toBeGreaterThan(20);
  },
);
