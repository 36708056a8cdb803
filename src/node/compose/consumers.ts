import { invariant } from '../../core/errors.js';
import { stateAtHead } from '../../runtime/chain/open-chain.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';
import type { TakenSnapshots } from './own-snapshots.js';

/** Connects the views and the parts of the runtime to their slots of the wiring. */
export function connectConsumers(
  { host: { crypto }, supervision, home: { log }, views }: Foundation,
  { checkpointer, evidence }: Pick<ExecutionParts, 'checkpointer' | 'evidence'>,
  snapshots: TakenSnapshots,
): void {
  const { chain, streams, ledger, committed, waiting, checkpoint, indexer, pruner, ethereumBlocks } = views;
  const { history, started, application } = chain;
  streams.subscribe('ledger', (message) => {
    switch (message.type) {
      case 'executed':
        invariant(message.execution !== undefined, 'a live block comes from the executor');
        history.published(message.execution.history);
        return ledger.executed(message.execution, message.data.upgradeHeight);
      case 'halted':
        return ledger.halted();
      case 'reverted':
        if (message.isRestored === true) history.restored(message.height);
        else history.reverted(message.height);
        return ledger.reverted(stateAtHead({ crypto, log }, started, history));
    }
  });
  streams.subscribe('stateCaches', (message) => {
    if (message.type === 'executed') return committed.committed(message.data.writes);
    committed.forget();
    application.forgetState();
    ethereumBlocks?.forgetAbove(message.height, message.position);
  });
  streams.subscribe('pendingTransactions', (message) => {
    switch (message.type) {
      case 'admitted':
        return message.entries.forEach((entry) => waiting.admitted(entry));
      case 'dropped':
        return waiting.dropped(message.hashes);
      case 'executed':
        waiting.executed(message.execution?.block.block.data?.txs ?? []);
        return checkpoint.follow(message.position);
      case 'reverted':
        return waiting.reverted();
    }
  });
  streams.subscribe('evidence', (message) => {
    if (message.type === 'reverted') return evidence.reverted();
    evidence.executed(message.data.height);
  });
  streams.subscribe('followers', (message) => {
    if (message.type === 'reverted') {
      snapshots.reverted(message.height);
      return indexer.reverted(message.height);
    }
    const { height, touched, writes } = message.data;
    indexer.follow(height, ledger.results(height), touched);
    checkpointer.follow(height, writes.length);
    pruner.follow(height);
    snapshots.committed(height);
  });
  streams.subscribe('supervisor', () => supervision.halt());
}
