import { callFrameOf } from '../../core/activity/call-frame.js';
import { consoleTexts } from '../../core/activity/call-tree.js';
import type { Names } from '../../core/activity/names.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import type { EthereumBlockTransaction } from '../../core/ethereum/block-view.js';
import type { EvmOverride } from '../../core/evm/state.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';
import type { ChainContracts } from './contracts.js';

const CALLS = JSON.stringify({ tracer: 'callTracer' });

/**
 * Finds the output of Solidity's `console.log`. The console address has no code, so execution leaves no trace of it:
 * transactions whose contracts contain the address are executed again with a tracer, on a thread of the pool.
 */
export class ConsoleOutput {
  readonly #ethereum: Pick<EthereumApi, 'traceTransactions' | 'traceCall'>;
  readonly #contracts: ChainContracts;
  readonly #names: Names;

  constructor(ethereum: Pick<EthereumApi, 'traceTransactions' | 'traceCall'>, contracts: ChainContracts, names: Names) {
    this.#ethereum = ethereum;
    this.#contracts = contracts;
    this.#names = names;
  }

  /** Output of each of these transactions of one block; empty if the pool is busy. */
  async ofTransactions(
    transactions: readonly EthereumBlockTransaction[],
  ): Promise<ReadonlyMap<EthereumBlockTransaction, readonly string[]>> {
    const logging = transactions.filter(({ transaction: { to, data } }) => this.#contracts.mayLog(to, data));
    if (logging.length === 0) return new Map();
    const hashes = logging.map(({ hash }) => hash);
    const traces = await this.#ethereum.traceTransactions(hashes, CALLS, FIXED_LIMITS.consoleTraceBytes);
    if (!traces.ok || traces.value === undefined) return new Map();
    return new Map(
      traces.value.flatMap((trace, index) => {
        const transaction = logging[index];
        return transaction === undefined || !trace.ok ? [] : [[transaction, this.#texts(trace.json)] as const];
      }),
    );
  }

  /** True if a call may print. It is cheap until a contract that uses `console.log` was seen. */
  mayPrint({ to, data }: EthereumCall): boolean {
    return this.#contracts.isConsoleUsed && this.#contracts.mayLog(to, data ?? EMPTY);
  }

  /** Output of a call. */
  async ofCall(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): Promise<readonly string[]> {
    if (!this.mayPrint(call)) return [];
    const trace = await this.#ethereum.traceCall(call, height, overrides, block, CALLS);
    return trace.ok && trace.value.ok ? this.#texts(trace.value.json) : [];
  }

  #texts(json: string): readonly string[] {
    const frame = callFrameOf(JSON.parse(json));
    return frame === undefined ? [] : consoleTexts(frame, this.#names);
  }
}
