import type { FinalizeBlockRequest, FinalizeBlockResult } from '../application.js';
import { ResultsWriter } from '../comet/results-writer.js';
import { toHeight } from '../primitives.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import { withAttribute } from '../sdk/abci-event.js';
import { BlockScope } from '../sdk/block-scope.js';
import type { Context } from '../sdk/context.js';
import { GasMeter } from '../sdk/gas.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader } from '../state/state.js';
import { blockGasLimit, type Assembly } from './assembly.js';
import { runTx } from './run-tx.js';
import { toWritten } from './results.js';

/**
 * Executes decided blocks: hooks of the modules before, the transactions, hooks after (SDK `baseapp` FinalizeBlock).
 */
export class BlockExecution {
  /** Height of the block whose state the engine's cache holds; undefined when it holds none. */
  #last: bigint | undefined;

  constructor(private readonly assembly: Assembly) {}

  finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult {
    const { contexts, keepers, build } = this.assembly;
    const { height } = request;
    const evm = contexts.blockEvm;
    const follows = this.#last !== undefined && height === this.#last + 1n;
    if (!follows) evm?.clear();
    this.#last = undefined;

    const block = new CacheStore(state);
    const watched = evm?.watch(block) ?? block;
    const blockGas = new GasMeter(blockGasLimit(this.assembly, block));
    const scope = new BlockScope(request.hash, request.proposerAddress, blockGas);
    const events: Event[] = [];
    const inPhase = <Answer>(mode: string | undefined, run: (context: Context) => Answer): Answer => {
      const context = contexts.of(request, watched, 'block', scope, evm);
      const answer = run(context);
      for (const event of context.events) events.push(mode === undefined ? event : withAttribute(event, 'mode', mode));
      return answer;
    };

    let upgradeApplied: string | undefined;
    for (const { preBlock } of this.assembly.preBlockOrder) {
      const report = preBlock && inPhase(undefined, (context) => preBlock(context, { ...build, follows }));
      if (report?.kind === 'halt') {
        const { plan, reason } = report;
        return { kind: 'halted', plan: { ...plan, height: toHeight(plan.height) }, reason };
      }
      upgradeApplied = report?.name ?? upgradeApplied;
    }
    for (const { beginBlock } of this.assembly.beginBlockOrder) if (beginBlock) inPhase('BeginBlock', beginBlock);

    const shared = contexts.shared(request, scope, evm);
    const blockMaxGas = blockGasLimit(this.assembly, block);
    const { router } = this.assembly;
    const results = new ResultsWriter();
    for (const [index, tx] of request.txs.entries()) {
      const verified = request.verified?.has(index) ?? false;
      results.add(toWritten(runTx({ shared, router, mode: 'deliver', blockMaxGas, blockGas, verified }, block, tx)));
    }

    for (const { endBlock } of this.assembly.endBlockOrder) if (endBlock) inPhase('EndBlock', endBlock);
    const planned = keepers.upgradeHeight?.(block);
    this.#last = height;
    return {
      kind: 'executed',
      results: results.finish({
        events,
        validatorUpdates: [],
        consensusParamUpdates: keepers.consensusParams?.({ store: block }),
      }),
      writes: block.writes(),
      // a plan of the past is due in the next block
      upgradeHeight: planned === undefined ? undefined : toHeight(planned < height ? height : planned),
      upgradeApplied,
    };
  }

  /** Forgets the height of the engine's cache, because the state was set back. */
  forget(): void {
    this.#last = undefined;
  }
}
