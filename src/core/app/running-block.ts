import type { BlockFacts, FinalizeBlockResult } from '../application-requests.js';
import type { Touched } from '../evm/touched.js';
import { ResultsWriter } from '../comet/results-writer.js';
import { toHeight } from '../primitives.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import { attribute, withAttribute } from '../sdk/module/abci-event.js';
import { BlockScope } from '../sdk/module/block-scope.js';
import type { Context } from '../sdk/module/context.js';
import { GasMeter } from '../sdk/module/gas.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader, StateStore } from '../state/state.js';
import { maxBlockGas, type Assembly } from './assembly.js';
import { HeaderOfExecution } from './header-of-execution.js';
import { toWritten } from './results.js';
import { runTx } from './run-tx.js';

type Halted = Extract<FinalizeBlockResult, { kind: 'halted' }>;

const UNKNOWN_HASH = new Uint8Array(32);

/**
 * A block in execution: call `begin`, `run`, `end`. Transactions do not see the block's hash, so it may become known
 * after them: responses of Ethereum transactions contain zeros until then.
 */
export class RunningBlock {
  readonly #assembly: Assembly;
  readonly #facts: BlockFacts;
  readonly #block: CacheStore;
  readonly #watched: StateStore;
  readonly #gas: GasMeter;
  readonly #scope: BlockScope;
  readonly #events: Event[] = [];
  readonly #results = new ResultsWriter();
  /** Result data whose block hash is still missing. */
  readonly #unhashed: Uint8Array[] = [];
  readonly #touched: Touched[] = [];
  #upgradeApplied: string | undefined;
  /** Ethereum header being computed; undefined on chains that do not use header hashes. */
  readonly #header: HeaderOfExecution | undefined;

  /** `hash` of the block; undefined when it is not known yet. */
  constructor(assembly: Assembly, state: StateReader, facts: BlockFacts, hash: Uint8Array | undefined) {
    this.#assembly = assembly;
    this.#facts = facts;
    this.#block = new CacheStore(state);
    this.#watched = assembly.contexts.blockEvm?.watch(this.#block) ?? this.#block;
    this.#gas = new GasMeter(maxBlockGas(assembly, this.#block));
    this.#scope = new BlockScope(hash ?? UNKNOWN_HASH, facts.proposerAddress, this.#gas, facts);
    this.#header = HeaderOfExecution.begin(assembly, this.#block, facts);
  }

  /** Runs the hooks before the transactions. `follows`: this process has just executed the previous block. */
  begin(follows: boolean): Halted | undefined {
    const { preBlockOrder, beginBlockOrder, build } = this.#assembly;
    for (const { preBlock } of preBlockOrder) {
      const report = preBlock && this.#inPhase(undefined, (context) => preBlock(context, { ...build, follows }));
      if (report?.kind === 'halt') {
        const { plan, reason } = report;
        return { kind: 'halted', plan: { ...plan, height: toHeight(plan.height) }, reason };
      }
      this.#upgradeApplied = report?.name ?? this.#upgradeApplied;
    }
    for (const { beginBlock } of beginBlockOrder) if (beginBlock) this.#inPhase('BeginBlock', beginBlock);
    return undefined;
  }

  /** Executes transactions in order. Each is taken from `txs` after its predecessor has finished. */
  run(txs: Iterable<{ readonly tx: Uint8Array; readonly verified: boolean }>): void {
    const { contexts, router } = this.#assembly;
    const scope = this.#scope;
    const shared = contexts.shared(this.#facts, scope, contexts.blockEvm);
    const blockGas = this.#gas;
    const blockMaxGas = maxBlockGas(this.#assembly, this.#block);
    let index = -1;
    for (const { tx, verified } of txs) {
      index += 1;
      const before = scope.tally.ethereumTransactions;
      const outcome = runTx({ shared, router, mode: 'deliver', blockMaxGas, blockGas, verified }, this.#block, tx);
      const data = this.#results.add(toWritten(outcome));
      this.#header?.add(tx, outcome);
      if (scope.tally.ethereumTransactions === before) continue;
      if (scope.hash === UNKNOWN_HASH) this.#unhashed.push(data);
      const { touched: addresses } = scope.tally;
      if (addresses.length > 0) this.#touched.push({ index, addresses });
    }
  }

  /** True when the remaining block gas suffices for this gas limit. */
  hasRoom(gasLimit: bigint): boolean {
    const { limit, consumed } = this.#gas;
    return limit === undefined || consumed + gasLimit <= limit;
  }

  /** Runs the hooks after the transactions; `hash` is the block's. */
  end(hash: Uint8Array): Extract<FinalizeBlockResult, { kind: 'executed' }> {
    const { endBlockOrder, keepers } = this.#assembly;
    const { height, time } = this.#facts;
    this.#scope.hash = hash;
    this.#scope.headerHash = this.#header?.hash(this.#events);
    for (const data of this.#unhashed) keepers.evm?.writeBlockHash(data, time, hash);
    const validatorUpdates = endBlockOrder.flatMap(
      ({ endBlock }) => (endBlock && this.#inPhase('EndBlock', endBlock)) ?? [],
    );
    const planned = keepers.upgrades?.plan(this.#block)?.height;
    return {
      kind: 'executed',
      results: this.#results.finish({
        events: this.#events,
        validatorUpdates,
        consensusParamUpdates: keepers.consensusParams?.({ store: this.#block }),
      }),
      writes: this.#block.writes(),
      // A plan for an earlier height is due in the next block.
      upgradeHeight: planned === undefined ? undefined : toHeight(planned < height ? height : planned),
      touched: this.#touched,
      upgradeApplied: this.#upgradeApplied,
    };
  }

  #inPhase<Answer>(mode: string | undefined, run: (context: Context) => Answer): Answer {
    const { contexts } = this.#assembly;
    const context = contexts.of(this.#facts, this.#watched, 'block', this.#scope, contexts.blockEvm);
    const answer = run(context);
    const phase = mode === undefined ? undefined : attribute('mode', mode);
    for (const event of context.events) this.#events.push(phase === undefined ? event : withAttribute(event, phase));
    return answer;
  }
}
