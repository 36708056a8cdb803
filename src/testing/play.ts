/** Plays a list of commands against a target and compares its behaviour with the model. */
import type { Command, Action, SettleCommand } from './commands.js';
import { BrokenPromise } from './model.js';
import { FilterPlayer, isFilterCommand } from './play-filters.js';
import { IndexerPlayer, isIndexerCommand } from './play-indexer.js';
import { isPushCommand, PushPlayer } from './play-push.js';
import type { Target } from './target.js';
import { Changes, within } from './waiting.js';

/** Wait for unexpected messages after all expected ones arrived, in milliseconds. */
const QUIET_MS = 20;

/**
 * One run: plays the commands, waits until the target is idle, checks and ends the trial. Throws BrokenPromise; takes
 * at most the patience of the trial for each command.
 */
export async function play<Fact, Own extends Action>(
  target: Target<Fact, Own>,
  commands: readonly Command<Own>[],
): Promise<void> {
  const trial = await target.begin();
  const { patienceMs } = trial;
  const changes = new Changes();
  const push = new PushPlayer(target.interests, trial, changes);
  const filters = new FilterPlayer(target.interests, trial);
  const indexer = new IndexerPlayer(target.interests, trial);

  const settle = async (): Promise<void> => {
    let lacking: string | undefined;
    const isComplete = async (): Promise<boolean> => {
      lacking = (await push.lacking()) ?? (await indexer.lacking());
      return lacking === undefined;
    };
    await within(patienceMs, trial.settle(), 'settling');
    if (!(await changes.until(isComplete, patienceMs))) throw new BrokenPromise('complete', lacking ?? '');
  };
  const perform = async (command: Command<Own>): Promise<void> => {
    if (isPushCommand(command)) return await push.play(command);
    if (isFilterCommand(command)) return await filters.play(command);
    if (isIndexerCommand(command)) return await indexer.play(command);
    if (isSettle(command)) return await settle();
    // A fact in transit when a branch is abandoned may be delivered or not; the model has no such uncertainty.
    if (command.do === 'revert') {
      push.release();
      await settle();
    }
    await within(patienceMs, trial.perform(command), `"${command.do}"`);
  };
  try {
    for (const command of commands) await perform(command);
    push.release();
    await indexer.release();
    await settle();
    if (patienceMs > 0) {
      await changes.next(QUIET_MS);
      await settle();
    }
  } finally {
    push.close();
    await within(patienceMs, trial.end(), 'the end of the run');
  }
}

function isSettle(command: Action): command is SettleCommand {
  return command.do === 'settle';
}
