import { map, share, type Observable } from 'rxjs';
import type { EthereumBlock, LoggedBlock } from '../../core/ethereum/block-view.js';
import { contentOf } from '../../core/ethereum/content.js';
import type { Height, Position } from '../../core/primitives.js';
import type { InputKind, PushInput, PushSource } from '../../core/subscriptions/index.js';
import type { Admitted, Executed, Halted, ChainReverted } from '../../streams/index.js';
import type { EthereumBlocks } from '../ethereum/blocks.js';
import { publishedCommits, type PublishedCommitsOptions } from './shown-commits.js';

export interface PushSourceOptions extends PublishedCommitsOptions {
  /** Messages of the log for the subscription registry. */
  readonly messages: Observable<Admitted | Executed | Halted | ChainReverted>;
  /** Position up to which the log was published before this start. */
  readonly shown: Position;
  /** Position of the last published record. */
  readonly head: () => Position;
  /** The block as the Ethereum face shows it; undefined for an application without an EVM. */
  readonly ethereumBlock: (height: Height) => EthereumBlock | undefined;
  /** Blocks with logs that the revert at a position removed, newest first. */
  readonly abandonedBy: EthereumBlocks['abandonedBy'];
}

/** Creates the input stream of the subscription registry. Call it before the first block is made. */
export function createPushSource(options: PushSourceOptions): PushSource {
  const { messages, shown, crypto, abandonedBy } = options;
  const last: Record<InputKind, Position> = { commits: shown, admissions: shown };
  const listeners = new Set<(input: PushInput) => void>();
  const show = (input: PushInput): void => {
    last[input.kind] = input.position;
    for (const listener of [...listeners]) listener(input);
  };
  const heard = messages.pipe(share());
  commitInputs(heard, options).subscribe(show);
  heard.subscribe((message) => {
    if (message.type === 'reverted') {
      const removed = (): readonly LoggedBlock[] => abandonedBy(message.position).map(({ block }) => block);
      return show({ kind: 'commits', position: message.position, events: () => [], block: () => undefined, removed });
    }
    if (message.type !== 'admitted') return;
    for (const { tx, position } of message.entries)
      show({ kind: 'admissions', position, transaction: () => contentOf(crypto, tx) });
  });
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    shown: (kind) => last[kind],
    head: options.head,
  };
}

function commitInputs(
  messages: PushSourceOptions['messages'],
  { ethereumBlock, ...options }: PushSourceOptions,
): Observable<PushInput> {
  return publishedCommits(messages, options).pipe(
    map((commit) => ({
      kind: 'commits',
      position: commit.position,
      events: () => commit.events,
      block: () => (commit.height === undefined ? undefined : ethereumBlock(commit.height)),
    })),
  );
}
