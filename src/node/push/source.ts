import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import type { CommitEvents } from '../../core/node-api.js';
import type { Height, Position } from '../../core/primitives.js';
import type { Lane, PushInput, PushSource, ShownCommit } from '../../core/subscriptions/index.js';
import type { Hub } from '../../streams/index.js';
import type { AdmissionFeed } from '../ethereum/admission-feed.js';

export interface PushSourceOptions {
  readonly hub: Pick<Hub<CommitEvents>, 'onCommit'>;
  readonly admissions: Pick<AdmissionFeed, 'listen'>;
  /** Position up to which everything was shown before the start. */
  readonly shown: Position;
  /** The block as the Ethereum face shows it; undefined for an application without an EVM. */
  readonly ethereumBlock: (height: Height) => EthereumBlock | undefined;
}

/** The inputs that the node shows, for the subscription registry. Make it before the first block is. */
export function createPushSource({ hub, admissions, shown, ethereumBlock }: PushSourceOptions): PushSource {
  const last: Record<Lane, Position> = { commits: shown, admissions: shown };
  const listeners = new Set<(input: PushInput) => void>();
  const tell = (input: PushInput): void => {
    last[input.lane] = input.position;
    for (const listener of [...listeners]) listener(input);
  };
  hub.onCommit((commit) => tell(commitOf(commit, ethereumBlock)));
  admissions.listen((transaction, position) => tell({ lane: 'admissions', position, transaction: () => transaction }));
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    shown: (lane) => last[lane],
  };
}

function commitOf({ position, events }: CommitEvents, ethereumBlock: PushSourceOptions['ethereumBlock']): ShownCommit {
  return {
    lane: 'commits',
    position,
    events: () => events,
    block() {
      // A commit without this event is a decision that an upgrade halts.
      const height = events.find(({ type }) => type === 'NewBlock')?.height;
      return height === undefined ? undefined : ethereumBlock(height);
    },
  };
}
