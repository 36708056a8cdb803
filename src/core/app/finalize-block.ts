import type {
  BlockFacts,
  FinalizeBlockRequest,
  FinalizeBlockResult,
  PrepareProposalRequest,
  PrepareProposalResult,
} from '../application-requests.js';
import type { StateReader } from '../state/state.js';
import type { Assembly } from './assembly.js';
import { RunningBlock } from './running-block.js';
import type { ChainAssemblies } from './chain-assemblies.js';

/** A block whose transactions are partly executed. */
interface Begun {
  readonly kind: 'begun';
  readonly assembly: Assembly;
  readonly running: RunningBlock;
}

/**
 * Executes blocks: hooks before, transactions, hooks after (SDK `baseapp` FinalizeBlock). Transactions of a prepared
 * proposal are not executed again when its block is decided.
 */
export class BlockExecution {
  /**
   * Block whose state is in the engine's cache, and the assembly that executed it; undefined when the cache is empty.
   */
  #last: { readonly height: bigint; readonly assembly: Assembly } | undefined;
  /** Last prepared proposal; its block waits for its hash. */
  #prepared: { readonly height: bigint; readonly block: Begun } | undefined;

  constructor(private readonly stages: ChainAssemblies) {}

  finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult {
    const begun = this.#begin(state, request, request.hash);
    if (begun.kind === 'halted') return begun;
    begun.running.run(request.txs.map((tx, index) => ({ tx, verified: request.verified?.has(index) ?? false })));
    return this.#end(request.height, begun, request.hash);
  }

  prepareProposal(
    state: StateReader,
    request: PrepareProposalRequest,
    isLate: () => boolean = () => false,
  ): PrepareProposalResult {
    const begun = this.#begin(state, request, undefined);
    if (begun.kind === 'halted') return begun;
    const { running: block } = begun;
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
    this.#prepared = { height: request.height, block: begun };
    return { kind: 'prepared', taken };
  }

  finalizePrepared(height: bigint, hash: Uint8Array): FinalizeBlockResult | undefined {
    const prepared = this.#prepared;
    return prepared?.height === height ? this.#end(height, prepared.block, hash) : undefined;
  }

  /** Drops the engine's cache height and the prepared proposal, because the chain was reverted. */
  forget(): void {
    this.#last = undefined;
    this.#prepared = undefined;
  }

  #begin(
    state: StateReader,
    facts: BlockFacts,
    hash: Uint8Array | undefined,
  ): Begun | Extract<FinalizeBlockResult, { kind: 'halted' }> {
    const assembly = this.stages.ofBlock(state, facts.height);
    const last = this.#last;
    const follows = last !== undefined && facts.height === last.height + 1n;
    if (!follows || last.assembly !== assembly) assembly.contexts.blockEvm?.clear();
    this.forget();
    const running = new RunningBlock(assembly, state, facts, hash);
    return running.begin(follows) ?? { kind: 'begun', assembly, running };
  }

  #end(height: bigint, { assembly, running }: Begun, hash: Uint8Array): FinalizeBlockResult {
    const result = running.end(hash);
    this.#prepared = undefined;
    this.#last = { height, assembly };
    return result;
  }
}
