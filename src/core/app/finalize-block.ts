import type {
  BlockFacts,
  FinalizeBlockRequest,
  FinalizeBlockResult,
  PrepareProposalRequest,
  PrepareProposalResult,
} from '../application.js';
import type { StateReader } from '../state/state.js';
import type { Assembly } from './assembly.js';
import { RunningBlock } from './running-block.js';

/**
 * Executes blocks: hooks of the modules before, the transactions, hooks after (SDK `baseapp` FinalizeBlock). The
 * transactions of a proposal that was prepared here are not executed again when its block is decided.
 */
export class BlockExecution {
  /** Height of the block whose state the engine's cache holds; undefined when it holds none. */
  #last: bigint | undefined;
  /** The proposal that was prepared last, and the block whose execution waits for its hash. */
  #prepared: { readonly height: bigint; readonly block: RunningBlock } | undefined;

  constructor(private readonly assembly: Assembly) {}

  finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult {
    const begun = this.#begin(state, request, request.hash);
    if (begun.kind === 'halted') return begun;
    begun.block.run(request.txs.map((tx, index) => ({ tx, verified: request.verified?.has(index) ?? false })));
    return this.#end(request.height, begun.block, request.hash);
  }

  prepareProposal(
    state: StateReader,
    request: PrepareProposalRequest,
    isLate: () => boolean = () => false,
  ): PrepareProposalResult {
    const begun = this.#begin(state, request, undefined);
    if (begun.kind === 'halted') return begun;
    const { block } = begun;
    const taken: number[] = [];
    /** Accounts with a transaction that did not fit. */
    const closed = new Set<number>();
    const fitting = function* () {
      for (const [place, { tx, gasLimit, verified, accounts }] of request.txs.entries()) {
        if (isLate()) return;
        if (!block.hasRoom(gasLimit) || accounts.some((account) => closed.has(account))) {
          for (const account of accounts) closed.add(account);
          continue;
        }
        taken.push(place);
        yield { tx, verified };
      }
    };
    block.run(fitting());
    this.#prepared = { height: request.height, block };
    return { kind: 'prepared', taken };
  }

  finalizePrepared(height: bigint, hash: Uint8Array): FinalizeBlockResult | undefined {
    const prepared = this.#prepared;
    return prepared?.height === height ? this.#end(height, prepared.block, hash) : undefined;
  }

  /** Forgets the height of the engine's cache and what was prepared, because the state was set back. */
  forget(): void {
    this.#last = undefined;
    this.#prepared = undefined;
  }

  #begin(
    state: StateReader,
    facts: BlockFacts,
    hash: Uint8Array | undefined,
  ): { readonly kind: 'begun'; readonly block: RunningBlock } | Extract<FinalizeBlockResult, { kind: 'halted' }> {
    const follows = this.#last !== undefined && facts.height === this.#last + 1n;
    if (!follows) this.assembly.contexts.blockEvm?.clear();
    this.forget();
    const block = new RunningBlock(this.assembly, state, facts, hash);
    return block.begin(follows) ?? { kind: 'begun', block };
  }

  #end(height: bigint, block: RunningBlock, hash: Uint8Array): FinalizeBlockResult {
    const result = block.end(hash);
    this.#prepared = undefined;
    this.#last = height;
    return result;
  }
}
