import { EncodedResults } from '../../core/comet/encoded-results.js';
import { decisionOf } from '../../core/chain/decision.js';
import { upperHex } from '../../core/bytes/hex.js';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import type { LogEvent } from '../../core/log-events.js';
import { toHeight } from '../../core/primitives.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { devRows, readSnapshots } from '../../store/dev/dev-rows.js';
import { History } from '../../store/history/history.js';
import { decidedRows } from '../../runtime/chain/block-rows.js';
import { blockEvents } from '../../runtime/chain/indexer.js';
import { firstEvent } from '../../runtime/chain/open-chain.js';
import { revertIndex } from '../../store/index-rows/index-revert.js';
import { firstHeight } from '../../runtime/chain/restored-chain.js';
import { revertRows } from '../../runtime/chain/revert-rows.js';
import { withStoppedHome, type StoppedHome } from './stopped-home.js';
import type { CommandOutput } from './command-output.js';

/**
 * `rollback`: reverts the state of a stopped home by one block, which the next start executes again; `--hard` also
 * removes the block (cosmos-sdk v0.53 `server/rollback.go`). It writes one log record, so if killed it leaves either
 * the old or the new head. Fails while a node runs on the home.
 */
export function rollback(
  options: DaemonOptions,
  { hard }: CommandArguments<'rollback'>,
  output: CommandOutput,
): Promise<number> {
  return withStoppedHome(options, output, (home) => takeBack(home, hard, output));
}

async function takeBack({ store, log, crypto }: StoppedHome, isHard: boolean, output: CommandOutput): Promise<number> {
  const refuse = (reason: string): number => {
    output.stderr(`failed to rollback: ${reason}\n`);
    return EXIT.failed;
  };
  const { executed: head, decided } = log.head();
  const at = log.blockAt(head);
  if (at === undefined) return refuse('the chain has no blocks');
  if (decided > head)
    return refuse(`block ${decided} is decided and waits to be executed: the chain is halted before it`);
  const { event } = at.decided;
  if (event.v === 2) return refuse('an engine outside of this program decides its blocks');
  const to = toHeight(head - 1n);
  const { block, blockId } = decisionOf(crypto, event);
  const pause = (): Promise<void> => Promise.resolve();
  const made = await revertRows({
    store,
    history: await History.open(store),
    crypto,
    limits: DEFAULT_LIMITS,
    head,
    to,
    lowest: blocksFloor(store).lowest,
    block: () => ({ block, blockId }),
    results: () => at.executed && new EncodedResults(at.executed.event.data.results),
    pause,
  });
  if (!made.ok) return refuse(`the values before block ${head} are not kept (${made.error.code})`);
  const first = firstHeight(log, await firstEvent(log));
  await revertIndex({ store, first, to, events: (height) => blockEvents(log, height), pause });
  const { lastId, heights } = await readSnapshots(store);
  const usedUp = [...heights].flatMap(([id, height]) => (height > to ? [id] : []));
  const snapshot = usedUp.reduce((least, id) => (id < least ? id : least), lastId + 1n);
  const reverted = { type: 'Reverted', v: 1, data: { toHeight: to, snapshot } } as const;
  const events: readonly { readonly event: LogEvent }[] = isHard
    ? [{ event: reverted }]
    : [{ event: reverted }, { event }];
  await log.append(
    events,
    (first) => [...devRows(reverted, first, usedUp), ...(isHard ? [] : decidedRows(crypto, block, blockId))],
    { before: made.value },
  );
  const hash = upperHex(block.header?.appHash ?? new Uint8Array());
  output.stdout(`Rolled back state to height ${to} and hash ${hash}\n`);
  return 0;
}
