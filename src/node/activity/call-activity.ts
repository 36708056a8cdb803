import { consoleLines } from '../../core/activity/block-lines.js';
import { callLine } from '../../core/activity/call-line.js';
import type { Names } from '../../core/activity/names.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ActivitySink } from './activity-log.js';
import type { Budget } from './budget.js';
import type { ConsoleOutput } from './console-output.js';
import type { AnsweredCall } from './watched-calls.js';

export interface CallActivityOptions {
  readonly names: Names;
  readonly output: Pick<ConsoleOutput, 'mayPrint' | 'ofCall'>;
  readonly budget: Budget;
  readonly sink: ActivitySink;
  /** Called before a call is logged. */
  readonly prepare: () => Promise<void>;
}

/**
 * Logs the `console.log` output of calls, and estimates that reverted, because clients do not send their
 * transactions.
 */
export class CallActivity {
  readonly #options: CallActivityOptions;
  #shown: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: CallActivityOptions) {
    this.#options = options;
  }

  /**
   * Queues a call for logging. Calls are traced one at a time, on at most one thread; a full queue drops them
   * silently.
   */
  heard(answered: AnsweredCall): void {
    const { output } = this.#options;
    const isFailedEstimate = answered.rpc === 'eth_estimateGas' && answered.result.kind === 'revert';
    if (!isFailedEstimate && !output.mayPrint(answered.call)) return;
    if (this.#waiting >= FIXED_LIMITS.activityCalls) return;
    this.#waiting += 1;
    this.#shown = this.#shown
      .then(() => this.#tell(answered))
      // A failed trace only loses its lines.
      .catch(() => undefined)
      .finally(() => (this.#waiting -= 1));
  }

  /** Resolves when every queued call is logged. */
  idle(): Promise<void> {
    return this.#shown;
  }

  async #tell({ rpc, call, height, overrides, block, result }: AnsweredCall): Promise<void> {
    const { names, output, budget, sink, prepare } = this.#options;
    const texts = await output.ofCall(call, height, overrides, block);
    const reverted = result.kind === 'revert' ? result.output : undefined;
    const isShown = texts.length > 0 || (rpc === 'eth_estimateGas' && reverted !== undefined);
    if (!isShown || budget.take(1 + texts.length) === 0) return;
    await prepare();
    for (const line of [callLine(rpc, call, reverted, names), ...consoleLines(texts, rpc)]) sink.line(line);
  }
}
