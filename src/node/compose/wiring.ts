import type { Available, Decision, Preparation, PreparationEnded } from '../../actors/consensus/index.js';
import type { ModeChanged } from '../../actors/mempool/mempool.js';
import type { ProposedBlock } from '../../core/consensus/block-key.js';
import type { EventLog } from '../../store/log/event-log.js';
import {
  admissions,
  createRecordStreams,
  createSignal,
  drops,
  executed,
  halts,
  reverts,
  type ConsumerStream,
  type MessageOf,
  type Message,
  type Phase,
  type Projection,
  type RecordStreams,
  type Signal,
} from '../../streams/index.js';

/** The streams derived from the log, by name. */
export const STREAMS = { admissions, drops, executed, halts, reverts } as const;

type StreamName = keyof typeof STREAMS;

interface Row {
  /** A view of the node, an actor, or a part of the runtime. */
  readonly consumer: string;
  readonly phase: Phase;
  readonly hears: readonly StreamName[];
}

/**
 * The consumers of the log's streams, in the order in which each receives a record. Consumers in the phase `applied`
 * come first, so that a consumer in the phase `published` can read the block from every view. docs/ARCHITECTURE.md
 * has this table.
 */
export const WIRING = [
  { consumer: 'ledger', phase: 'applied', hears: ['executed', 'halts', 'reverts'] },
  { consumer: 'stateCaches', phase: 'applied', hears: ['executed', 'reverts'] },
  { consumer: 'pendingTransactions', phase: 'applied', hears: ['admissions', 'drops', 'executed', 'reverts'] },
  { consumer: 'mempool', phase: 'applied', hears: ['admissions', 'drops', 'executed', 'reverts'] },
  { consumer: 'upgradeKeeper', phase: 'applied', hears: ['executed', 'halts', 'reverts'] },
  { consumer: 'filterManager', phase: 'applied', hears: ['admissions'] },
  { consumer: 'evidence', phase: 'applied', hears: ['executed', 'reverts'] },
  { consumer: 'followers', phase: 'applied', hears: ['executed', 'reverts'] },
  { consumer: 'supervisor', phase: 'applied', hears: ['halts'] },
  { consumer: 'consensus', phase: 'applied', hears: ['executed', 'halts', 'reverts'] },
  { consumer: 'subscriptionRegistry', phase: 'published', hears: ['admissions', 'executed', 'halts', 'reverts'] },
  { consumer: 'feeds', phase: 'published', hears: ['executed', 'halts'] },
  { consumer: 'relay', phase: 'published', hears: ['admissions', 'executed'] },
  { consumer: 'activityLog', phase: 'published', hears: ['executed', 'reverts'] },
] as const satisfies readonly Row[];

/** Signals: messages that are not in the log, each with its senders and receivers. */
export const SIGNALS = [
  { signal: 'available', says: 'mempool', hears: 'consensus' },
  { signal: 'preparations', says: 'consensus', hears: 'pipeline' },
  { signal: 'prepared', says: 'pipeline', hears: 'consensus' },
  { signal: 'proposals', says: 'consensus', hears: 'pipeline' },
  { signal: 'decisions', says: 'consensus', hears: 'pipeline' },
  { signal: 'modes', says: 'supervisor', hears: 'mempool, dev commands' },
] as const;

export type Consumer = (typeof WIRING)[number]['consumer'];

export interface NodeSignals {
  readonly available: Signal<Available>;
  readonly preparations: Signal<Preparation>;
  readonly prepared: Signal<PreparationEnded>;
  readonly proposals: Signal<ProposedBlock>;
  readonly decisions: Signal<Decision>;
  readonly modes: Signal<ModeChanged>;
}

/** Creates the signals: streams of messages that are not stored in the log. */
export function createSignals(): NodeSignals {
  return {
    available: createSignal(),
    preparations: createSignal(),
    prepared: createSignal(),
    proposals: createSignal(),
    decisions: createSignal(),
    modes: createSignal(),
  };
}

/** The messages that a consumer receives. */
export type HeardBy<Name extends Consumer> = MessageOf<
  (typeof STREAMS)[Extract<(typeof WIRING)[number], { readonly consumer: Name }>['hears'][number]]
>;

/** The streams of a node, for the consumers in the table. */
export interface NodeStreams extends Pick<RecordStreams<Consumer>, 'executed' | 'head' | 'shown' | 'reached'> {
  /** The messages of a consumer that is an actor. */
  of<Name extends Consumer>(consumer: Name): ConsumerStream<HeardBy<Name>>;
  /** Calls `next` with each message of a consumer that is not an actor. An exception from `next` is a bug. */
  subscribe<Name extends Consumer>(consumer: Name, next: (message: HeardBy<Name>) => void): void;
}

/**
 * Connects the log to the consumers of the table. If a consumer throws, `onDefect` gets the error, and the others
 * still receive the record.
 */
export function connectLog(log: EventLog, onDefect: (consumer: Consumer, error: unknown) => void): NodeStreams {
  const streams = createRecordStreams<Consumer>({
    slots: WIRING,
    shown: log.head().position,
    async *read({ from, through }) {
      for await (const events of log.read({ from })) {
        const shown = events.filter(({ position }) => position <= through);
        const last = shown.at(-1);
        if (last === undefined) return;
        yield { position: last.position, events: shown };
      }
    },
  });
  log.listen((record) => streams.written(record));
  const of = <Name extends Consumer>(consumer: Name): ConsumerStream<HeardBy<Name>> => {
    const row = WIRING.find((one) => one.consumer === consumer);
    const projections = (row?.hears ?? []).map((name): Projection<Message> => STREAMS[name]);
    return streams.of(consumer, projections) as ConsumerStream<HeardBy<Name>>;
  };
  return {
    executed: (execution) => streams.executed(execution),
    head: () => streams.head(),
    shown: () => streams.shown(),
    reached: (position) => streams.reached(position),
    of,
    subscribe(consumer, next) {
      of(consumer).live.subscribe((message) => {
        try {
          next(message);
        } catch (error) {
          onDefect(consumer, error);
        }
      });
    },
  };
}
