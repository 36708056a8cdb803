/** Commands of the model as plain data, which can be generated, shrunk, printed and replayed. */
import { array, constant, constantFrom, nat, oneof, record, type Arbitrary, type WeightedArbitrary } from 'fast-check';

/** Where a subscription begins. A number picks a known cursor by its index, modulo their count. */
export type From =
  | 'now'
  /** From now on, with a cursor in each notification. */
  | 'now with cursors'
  /** Must be refused: a position that the log has not reached. */
  | 'the future'
  /** Must be refused: a cursor into a branch that a revert abandoned. Skipped while there is none. */
  | 'an abandoned branch'
  /** Must be refused: a cursor whose later history is pruned. Skipped if the target has none. */
  | 'gone history'
  | number;

/** An action of a client of a push face. A command that is not possible at its turn is skipped. */
export type PushCommand =
  | { readonly do: 'subscribe'; readonly client: number; readonly interest: string; readonly from: From }
  /** A subscription inside a batch whose answer is held back until `answer`. */
  | { readonly do: 'subscribeHeld'; readonly client: number; readonly interest: string }
  | { readonly do: 'answer'; readonly client: number }
  /** Ends one of the open subscriptions of the client, chosen modulo their count. */
  | { readonly do: 'unsubscribe'; readonly client: number; readonly which: number }
  | { readonly do: 'disconnect'; readonly client: number }
  /** Connects and subscribes again to the open subscriptions: after the last cursors that were read, or from now on. */
  | { readonly do: 'reconnect'; readonly client: number; readonly cursors: boolean }
  /** The client stops reading; it reads again. */
  | { readonly do: 'stall' | 'release'; readonly client: number };

/** An action of a user of polling filters. A filter is chosen modulo their count. */
export type FilterCommand =
  | { readonly do: 'install'; readonly interest: string }
  /**
   * `pollTwice`: two polls at once. `pollBusy`: while the node cannot read. `inspect`: a request that moves no cursor.
   */
  | { readonly do: 'poll' | 'pollTwice' | 'pollBusy' | 'inspect' | 'uninstall'; readonly filter: number }
  /** A poll while the chain changes. */
  | { readonly do: 'pollBeside'; readonly filter: number; readonly action: Action }
  | { readonly do: 'pass'; readonly milliseconds: number };

/** An action on an indexer under test: its connections are cut and restored, it is stopped and started. */
export interface IndexerCommand {
  readonly do: 'cut' | 'restore' | 'stop' | 'start';
}

/** Waits until the target is idle, and then requires that every reading client has received everything. */
export interface SettleCommand {
  readonly do: 'settle';
}

/** An action of a target on its chain: send a transaction, mine a block, restart the node. */
export interface Action {
  readonly do: string;
}

export type ModelCommand = PushCommand | FilterCommand | IndexerCommand | SettleCommand;
export type Command<Own extends Action> = ModelCommand | Own;

/** The commands that a target supports. */
export interface Abilities {
  /** Largest number of open connections to a push face. */
  readonly clients?: number;
  /** Subscriptions can begin after a cursor. */
  readonly cursors?: boolean;
  readonly stalls?: boolean;
  readonly heldAnswers?: boolean;
  /**
   * Polling filters: steps in milliseconds by which their clock can be moved; whether polls can be made to fail as
   * busy.
   */
  readonly filters?: { readonly time: readonly number[]; readonly busy: boolean };
  /** The target has a client or indexer of a user. */
  readonly indexer?: boolean;
}

/** Lists of commands for a target with these interests (by name), actions and abilities. */
export function commandLists<Own extends Action>(
  interests: readonly string[],
  actions: Arbitrary<Own>,
  abilities: Abilities,
  maxLength: number,
): Arbitrary<Command<Own>[]> {
  const interest = constantFrom(...interests);
  const choices: WeightedArbitrary<Command<Own>>[] = [
    { weight: 9, arbitrary: actions },
    { weight: 2, arbitrary: constant({ do: 'settle' }) },
  ];
  if (abilities.clients !== undefined) choices.push(...pushCommands(abilities, nat(abilities.clients - 1), interest));
  if (abilities.filters !== undefined) choices.push(...filterCommands(abilities.filters, actions, interest));
  if (abilities.indexer === true)
    choices.push({ weight: 6, arbitrary: record({ do: constantFrom('cut', 'restore', 'stop', 'start') }) });
  return array(oneof(...choices), { maxLength, size: 'max' });
}

function pushCommands(
  { cursors, stalls, heldAnswers }: Abilities,
  client: Arbitrary<number>,
  interest: Arbitrary<string>,
): WeightedArbitrary<PushCommand>[] {
  const beginnings: WeightedArbitrary<From>[] = [{ weight: 4, arbitrary: constant('now') }];
  if (cursors === true) {
    beginnings.push({ weight: 2, arbitrary: constant('now with cursors') }, { weight: 4, arbitrary: nat() });
    beginnings.push({ weight: 1, arbitrary: constantFrom('the future', 'an abandoned branch', 'gone history') });
  }
  const choices: WeightedArbitrary<PushCommand>[] = [
    { weight: 5, arbitrary: record({ do: constant('subscribe'), client, interest, from: oneof(...beginnings) }) },
    { weight: 2, arbitrary: record({ do: constant('unsubscribe'), client, which: nat(9) }) },
    { weight: 1, arbitrary: record({ do: constant('disconnect'), client }) },
    {
      weight: 1,
      arbitrary: record({ do: constant('reconnect'), client, cursors: constantFrom(cursors === true, false) }),
    },
  ];
  if (stalls === true) {
    choices.push({ weight: 1, arbitrary: record({ do: constant('stall'), client }) });
    choices.push({ weight: 1, arbitrary: record({ do: constant('release'), client }) });
  }
  if (heldAnswers === true) {
    choices.push({ weight: 2, arbitrary: record({ do: constant('subscribeHeld'), client, interest }) });
    choices.push({ weight: 1, arbitrary: record({ do: constant('answer'), client }) });
  }
  return choices;
}

/**
 * True for an action that may run during a poll. A poll during a restart or a revert may fail, so it would prove
 * nothing.
 */
function isBriefly({ do: name }: Action): boolean {
  return name !== 'restart' && name !== 'revert';
}

function filterCommands(
  { time, busy }: NonNullable<Abilities['filters']>,
  action: Arbitrary<Action>,
  interest: Arbitrary<string>,
): WeightedArbitrary<FilterCommand>[] {
  const filter = nat(4);
  const polls = constantFrom('poll', 'pollTwice', busy ? 'pollBusy' : 'poll');
  const choices: WeightedArbitrary<FilterCommand>[] = [
    { weight: 3, arbitrary: record({ do: constant('install'), interest }) },
    { weight: 5, arbitrary: record({ do: polls, filter }) },
    { weight: 2, arbitrary: record({ do: constant('pollBeside'), filter, action: action.filter(isBriefly) }) },
    { weight: 1, arbitrary: record({ do: constant('uninstall'), filter }) },
    { weight: 1, arbitrary: record({ do: constant('inspect'), filter }) },
  ];
  if (time.length > 0)
    choices.push({ weight: 2, arbitrary: record({ do: constant('pass'), milliseconds: constantFrom(...time) }) });
  return choices;
}
