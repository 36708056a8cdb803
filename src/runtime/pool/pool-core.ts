import type { Application } from '../../core/application.js';
import type { BlockContext } from '../../core/application-requests.js';
import { createApplication } from '../../core/app/create-application.js';
import { invariant } from '../../core/errors.js';
import type { TracePart } from '../../core/ethereum/api.js';
import type { EvmEngineFactory } from '../../core/evm/engine.js';
import type { EvmTrace } from '../../core/evm/outcome.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { stateOver } from '../../core/state/state-over.js';
import type { StateReader } from '../../core/state/state.js';
import { heightOfHash } from '../../store/log/block-index.js';
import { ByteReader } from '../../store/bytes.js';
import { writtenRows } from '../../store/state/difference.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { unpackWrites } from '../../store/codec/state-writes.js';
import { loadVersion } from '../load-preset.js';
import { collectTraces, type TraceSink, WholeTraces } from './collect-traces.js';
import { PartSender } from './part-sender.js';
import { type ProvedStates, Proofs } from '../../core/chain/state-proofs.js';
import { nextBlockOf } from './next-block.js';
import { runSequence } from './run-sequence.js';
import { runUnlessLate, runSimulation } from './run-simulation.js';
import type { PoolReply, PoolRequest, PoolTask, PoolValues } from './protocol.js';
import type { StreamFlow } from './stream-flow.js';

export interface PoolCoreOptions {
  readonly crypto: Crypto;
  readonly openStore: (location: string) => Promise<Pick<KeyValueStore, 'get' | 'range'>>;
  readonly evm: EvmEngineFactory;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Flow control of trace streaming; without it traces are returned whole. */
  readonly flow?: StreamFlow;
}

interface Opened {
  readonly application: Application;
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
}

/** The pool thread without its thread: a read-only application with its own engine. */
export class PoolCore {
  readonly #options: PoolCoreOptions;
  #opened: Opened | undefined;
  readonly #proofs: Proofs;
  #deadline = 0;
  /** Overlays the last received writes on a state. */
  #over: ((below: StateReader) => StateReader) | undefined;
  /** Receives the traces of the running task. */
  #sink: TraceSink | undefined;

  constructor(options: PoolCoreOptions) {
    this.#options = options;
    this.#proofs = new Proofs(options.crypto, () => this.#isLate());
  }

  /** Handles a request; `send` passes trace parts to the main thread before the reply. */
  async handle(request: PoolRequest, send: (part: TracePart) => void): Promise<PoolReply> {
    if (request.kind === 'open') {
      this.#opened = await this.#open(request);
      return { kind: 'opened' };
    }
    invariant(this.#opened !== undefined, 'a thread of the pool is opened first');
    const { elapsed, flow } = this.#options;
    this.#deadline = elapsed() + request.milliseconds;
    const { task, changed } = request;
    if (changed?.writes !== undefined) this.#over = stateOver(unpackWrites(new ByteReader(changed.writes)));
    if (task.kind !== 'trace-call' && task.kind !== 'trace-transactions') this.#sink = undefined;
    else if (request.inParts === undefined || flow === undefined) this.#sink = new WholeTraces(task.maxBytes);
    else this.#sink = new PartSender(send, flow, () => this.#deadline - elapsed());
    const value = await this.#run(this.#opened, task, request.context, changed?.base);
    return this.#isLate() ? { kind: 'interrupted' } : { kind: 'value', value };
  }

  async #open({ options, location }: Extract<PoolRequest, { kind: 'open' }>): Promise<Opened> {
    const { crypto, openStore, evm } = this.#options;
    const version = await loadVersion(options);
    const application = createApplication({
      version,
      chain: options.chain,
      crypto,
      handlers: new Set(options.handlers),
      evm: (hooks) =>
        evm({
          ...hooks,
          interrupted: () => this.#isLate() || this.#sink?.isEnded === true,
          tracePiece: (text) => this.#tookPiece(text),
        }),
    });
    return { application, store: await openStore(location) };
  }

  #isLate(): boolean {
    return this.#options.elapsed() >= this.#deadline;
  }

  #tookPiece(text: Uint8Array): boolean {
    if (this.#sink === undefined) return false;
    this.#sink.give({ kind: 'piece', text: text.slice() });
    return true;
  }

  #collect(executed: Iterable<EvmTrace | undefined>): readonly EvmTrace[] | undefined {
    invariant(this.#sink !== undefined, 'a task of traces has a sink');
    collectTraces(executed, this.#sink, () => this.#isLate());
    return this.#sink.value;
  }

  #run(
    { application, store }: Opened,
    task: PoolTask,
    context: BlockContext,
    base: Height | undefined,
  ): Promise<Outcome<PoolValues[PoolTask['kind']]>> {
    const over = base === undefined ? undefined : this.#over;
    const read = <Value>(run: (state: StateReader) => Value): Promise<Outcome<Value>> =>
      readStateAt(store, base ?? context.height, over === undefined ? run : (state) => run(over(state)), {
        ...DEFAULT_LIMITS,
        isLate: () => this.#isLate(),
      });
    if (task.kind === 'query' || task.kind === 'list')
      return read((state) => application.query(state, context, task.path, task.data));
    if (task.kind === 'simulate') return read((state) => application.simulate(state, context, task.tx));
    if (task.kind === 'next-block') return read(nextBlockOf(application, task, this.#options.elapsed, this.#deadline));
    const { ethereum } = application;
    invariant(ethereum !== undefined, 'an application without an EVM makes no calls');
    const isLate = (): boolean => this.#isLate();
    switch (task.kind) {
      case 'call':
        return read((state) => ethereum.call(state, context, task.call, task.overrides, task.block));
      case 'estimate':
        return read((state) => ethereum.estimateGas(state, context, task.call, task.overrides, task.block));
      case 'access-list':
        return read((state) => ethereum.createAccessList(state, context, task.call, task.overrides));
      case 'trace-call':
        return read((state) =>
          this.#collect(
            lazily(() => {
              const { within, call, overrides, block, options } = task;
              return within === undefined
                ? ethereum.traceCall(state, context, call, overrides, block, options)
                : ethereum.traceCallWithin(state, within.block, within.index, call, overrides, block, options);
            }),
          ),
        );
      case 'eth-proof':
        return timeoutIfUndefined(
          this.#proofs.prove(ethereum, this.#states(store, context, read, base), context, task),
        );
      case 'eth-slots':
        return timeoutIfUndefined(
          read((state) => runUnlessLate(ethereum.slotsAt(state, task.block, task.index, task.address), isLate)),
        );
      case 'eth-account':
        return timeoutIfUndefined(
          read((state) => runUnlessLate(ethereum.accountAt(state, task.block, task.index, task.address), isLate)),
        );
      case 'changed-rows':
        return timeoutIfUndefined(
          read((state) => runUnlessLate(ethereum.changedBy(state, task.block, task.index), isLate)),
        );
      case 'eth-calls':
        return read((state) => {
          const sink = new WholeTraces(task.maxBytes);
          this.#sink = sink;
          return runSequence(ethereum.sequenceCalls(state, context, task.sequence), sink, isLate);
        });
      case 'eth-simulate':
        return read((state) => runSimulation(ethereum.simulate(state, context, task.simulation), task, isLate));
      case 'trace-transactions':
        return read((state) =>
          this.#collect(ethereum.traceTransactions(state, task.block, task.indices, task.options)),
        );
    }
  }

  /**
   * States for proofs. The task's own state is read with `read`; with a `base` it differs from the state of its block.
   */
  #states(
    store: Opened['store'],
    context: BlockContext,
    read: <Value>(run: (state: StateReader) => Value) => Promise<Outcome<Value>>,
    base: Height | undefined,
  ): ProvedStates {
    const limits = { ...DEFAULT_LIMITS, isLate: () => this.#isLate() };
    return {
      read: (at, run) => (at === context ? read(run) : readStateAt(store, at.height, run, limits)),
      async written(from, to) {
        if (base !== undefined || from.height > to.height || heightOfHash(store, from.hash) !== from.height)
          return undefined;
        const rows = await writtenRows(store, { lower: from.height, upper: to.height });
        return rows === undefined || rows.length > FIXED_LIMITS.proofChanges ? undefined : rows;
      },
    };
  }
}

/** A generator of one item, created when it is read. */
function* lazily<Item>(make: () => Item): Generator<Item> {
  yield make();
}

/** Converts undefined (stopped because the time was up) to a timeout; the thread then replies `interrupted`. */
async function timeoutIfUndefined<Value>(stopped: Promise<Outcome<Value | undefined>>): Promise<Outcome<Value>> {
  const outcome = await stopped;
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  return value === undefined ? { ok: false, error: { code: 'timeout', milliseconds: 0 } } : { ok: true, value };
}
