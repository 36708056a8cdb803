import { refusalOfFailure } from '../../core/errors.js';
import { fromCallback, setup, type AnyActorRef, type ActorRef, type EventObject, type Snapshot } from 'xstate';
import type { TxAdmitted } from '../../core/log-events.js';
import { fromHex } from '../../core/bytes/hex.js';
import type { AlreadyVerified } from '../../core/mempool/checks.js';
import type { ResponseCheckTx } from '../../core/proto/tendermint/abci/types_pb.js';
import { READY, type StopRequested } from '../shell/child.js';
import { heard, type Started } from '../shell/heard.js';
import type { Reply } from '../shell/inbox.js';
import type { PoolModel } from './pool-model.js';
import type { MempoolPorts, ModeChanged, PoolRecord } from './ports.js';

/** Requests the admission of a transaction. */
export interface Broadcast {
  readonly type: 'broadcast';
  readonly tx: Uint8Array;
  readonly verified: AlreadyVerified;
  readonly reply: Reply<ResponseCheckTx>;
}

/** Outcome of an append to the log. Written admissions are reported by the log itself. */
type AppendEnded =
  | { readonly type: 'admissionRefused'; readonly hash: string }
  | { readonly type: 'dropsAppended'; readonly refused: readonly Uint8Array[] }
  | { readonly type: 'storageFailed'; readonly error: unknown };

export type MempoolEvent =
  | Broadcast
  | PoolRecord
  | AppendEnded
  | StopRequested
  | Started
  | ModeChanged
  | { readonly type: 'unsettled' | 'turn' };

type Self = Pick<ActorRef<Snapshot<unknown>, MempoolEvent>, 'send'>;

/**
 * Statechart of admission. `open` admits transactions. `settling` restores the pending transactions from the log, and
 * later rechecks a large pool in steps, while commands wait in the inbox. `waiting`: the chain is being reverted,
 * commands wait in the inbox. `paused` refuses transactions. `closing` waits for outstanding appends. Log records are
 * handled in every state. `createModel` creates the model of each actor instance.
 */
export function mempoolLogic(ports: MempoolPorts, createModel: () => PoolModel) {
  const admit = (model: PoolModel, { tx, verified, reply }: Broadcast, self: Self): void => {
    const hadIncludable = model.pool.hasIncludable();
    const admitted = model.admit(tx, verified);
    if (!admitted.ok) return reply(admitted);
    const { check, transaction, displaced, place } = admitted.value;
    if (transaction === undefined) return reply({ ok: true, value: check });
    const left = displaced.map(({ hash }) => fromHex(hash));
    const event: TxAdmitted = { type: 'TxAdmitted', v: 2, data: { tx, left } };
    ports.append([event]).then(
      (result) => {
        reply(
          result === 'written' ? { ok: true, value: check } : { ok: false, error: { code: 'busy', what: 'the log' } },
        );
        if (result === 'refused') self.send({ type: 'admissionRefused', hash: transaction.hash });
      },
      (error: unknown) => {
        reply({ ok: false, error: refusalOfFailure(error) });
        self.send({ type: 'storageFailed', error });
      },
    );
    // Otherwise it was signalled already, or will be after the next block.
    if (place === 'pending' && !hadIncludable) ports.signalAvailable();
  };
  const appendDrops = (model: PoolModel, self: Self): void => {
    const drops = model.takeDrops();
    if (drops === undefined) return;
    ports.append([drops]).then(
      (result) => self.send({ type: 'dropsAppended', refused: result === 'refused' ? drops.data.hashes : [] }),
      (error: unknown) => self.send({ type: 'storageFailed', error }),
    );
  };
  /** Finishes a recheck: logs dropped transactions and signals pending ones. */
  const conclude = (model: PoolModel, self: Self): void => {
    appendDrops(model, self);
    if (model.pool.hasIncludable()) ports.signalAvailable();
  };
  /** Rechecks one step. Further steps are requested by an event, so that the hot path has no eventless transitions. */
  const recheckStep = (model: PoolModel, self: Self): void => {
    if (model.pool.settled) appendDrops(model, self);
    else if (model.pool.recheck(ports.limits.mempoolRecheckStep)) conclude(model, self);
    else self.send({ type: 'unsettled' });
  };
  const turns = fromCallback<EventObject, { readonly actor: AnyActorRef }>(({ sendBack, input: { actor } }) => {
    let ended = false;
    const next = async (): Promise<void> => {
      await ports.turn();
      // xstate keeps the children of a failed actor running.
      if (ended || actor.getSnapshot().status !== 'active') return;
      sendBack({ type: 'turn' });
      return next();
    };
    void next();
    return () => {
      ended = true;
    };
  });

  return setup({
    types: { context: {} as { readonly model: PoolModel }, events: {} as MempoolEvent },
    actors: {
      heard: heard<PoolRecord | ModeChanged>(),
      turns,
    },
    actions: {
      recheckStep: ({ context, self }) => recheckStep(context.model, self),
      fail: ({ event }) => {
        throw 'error' in event ? event.error : new Error(event.type);
      },
    },
    guards: {
      isSettled: ({ context }) => context.model.pool.settled,
      isSettledAndPaused: ({ context }) => context.model.pool.settled && ports.mode().kind === 'paused',
      isSettledAndWaiting: ({ context }) => context.model.pool.settled && ports.mode().kind === 'waiting',
      isOpen: () => ports.mode().kind === 'open',
      isPaused: () => ports.mode().kind === 'paused',
      isWaiting: () => ports.mode().kind === 'waiting',
      isQuiet: ({ context }) => context.model.quiet,
    },
  }).createMachine({
    context: () => {
      const model = createModel();
      model.restore();
      model.pool.recheck(ports.limits.mempoolRecheckStep);
      return { model };
    },
    invoke: {
      src: 'heard',
      input: ({ self }) => ({ sources: [ports.stream.live, ports.modes], consumer: self }),
      onError: { actions: 'fail' },
    },
    on: {
      started: {
        actions: ({ context, self }) => {
          if (context.model.pool.settled) conclude(context.model, self);
        },
      },
      admitted: {
        actions: ({ context: { model }, event, self }) => {
          model.admitted(event);
          recheckStep(model, self);
        },
      },
      dropped: { actions: [({ context, event }) => context.model.dropped(event), 'recheckStep'] },
      executed: {
        actions: ({ context: { model }, event, self }) => {
          model.executed(event);
          recheckStep(model, self);
        },
      },
      reverted: { actions: [({ context }) => context.model.reverted(), 'recheckStep'] },
      admissionRefused: { actions: [({ context, event }) => context.model.refused(event.hash), 'recheckStep'] },
      dropsAppended: { actions: ({ context, event }) => context.model.dropsAppended(event.refused) },
      storageFailed: { actions: 'fail' },
      stopRequested: '.closing',
    },
    initial: 'settling',
    states: {
      settling: {
        invoke: {
          src: 'turns',
          input: ({ self }) => ({ actor: self }),
          onError: { actions: 'fail' },
        },
        on: { turn: { actions: 'recheckStep' } },
        always: [
          { guard: 'isSettledAndPaused', target: 'paused' },
          { guard: 'isSettledAndWaiting', target: 'waiting' },
          { guard: 'isSettled', target: 'open' },
        ],
      },
      open: {
        tags: [READY],
        on: {
          broadcast: {
            actions: ({ context: { model }, event, self }) => {
              admit(model, event, self);
              recheckStep(model, self);
            },
          },
          unsettled: 'settling',
          modeChanged: [
            { guard: 'isPaused', target: 'paused' },
            { guard: 'isWaiting', target: 'waiting' },
          ],
        },
      },
      // Not READY, so the inbox is closed.
      waiting: {
        on: {
          unsettled: 'settling',
          modeChanged: [
            { guard: 'isPaused', target: 'paused' },
            { guard: 'isOpen', target: 'open' },
          ],
        },
      },
      paused: {
        tags: [READY],
        on: {
          broadcast: {
            actions: ({ event }) => {
              const mode = ports.mode();
              if (mode.kind === 'paused') event.reply({ ok: false, error: mode.error });
            },
          },
          unsettled: 'settling',
          modeChanged: [
            { guard: 'isOpen', target: 'open' },
            { guard: 'isWaiting', target: 'waiting' },
          ],
        },
      },
      closing: { always: { guard: 'isQuiet', target: 'stopped' } },
      stopped: { type: 'final' },
    },
  });
}
