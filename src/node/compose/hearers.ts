import { invariant } from '../../core/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/event-log.js';
import { stateAtHead } from '../chain/open-chain.js';
import type { ChainViews } from './chain-views.js';
import type { Execution } from './execution.js';
import type { Supervision } from './supervision.js';

export interface HearersOptions {
  readonly views: ChainViews;
  readonly execution: Pick<Execution, 'checkpointer'>;
  readonly supervision: Pick<Supervision, 'halt'>;
  readonly log: EventLog;
  readonly crypto: Crypto;
  /** Forgets blocks of the Ethereum face above a height. */
  readonly forgetBlocksAbove: (height: Height) => void;
}

/** Connects the views and the parts of the runtime to their slots of the wiring. */
export function connectHearers({
  views,
  execution,
  supervision,
  log,
  crypto,
  forgetBlocksAbove,
}: HearersOptions): void {
  const { streams, ledger, committed, waiting, checkpoint, indexer, chain } = views;
  const { history, started, application } = chain;
  streams.tell('ledger', (message) => {
    switch (message.type) {
      case 'executed':
        invariant(message.execution !== undefined, 'a live block comes from the executor');
        history.published(message.execution.history);
        return ledger.executed(message.execution, message.data.upgradeHeight);
      case 'halted':
        return ledger.halted();
      case 'wentBack':
        history.reverted(message.height);
        return ledger.wentBack(stateAtHead({ crypto, log }, started, history));
    }
  });
  streams.tell('stateCaches', (message) => {
    if (message.type === 'executed') return committed.committed(message.data.writes);
    committed.forget();
    application.forgetState();
    forgetBlocksAbove(message.height);
  });
  streams.tell('waitingTransactions', (message) => {
    switch (message.type) {
      case 'admitted':
        return message.entries.forEach((entry) => waiting.admitted(entry));
      case 'dropped':
        return waiting.dropped(message.hashes);
      case 'executed':
        waiting.executed(message.execution?.block.block.data?.txs ?? []);
        return checkpoint.follow(message.position);
      case 'wentBack':
        return waiting.wentBack();
    }
  });
  streams.tell('followers', (message) => {
    if (message.type === 'wentBack') return indexer.reverted(message.height);
    indexer.follow(message.data.height, ledger.results(message.data.height));
    execution.checkpointer.follow(message.data.height);
  });
  streams.tell('supervisor', () => supervision.halt());
}
