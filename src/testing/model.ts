/**
 * The model of subscription semantics: every promise to a subscriber, over plain lists.
 *
 * The history is the list of what the chain showed, in the order of its log. A subscription is an interval of that
 * list, and must deliver the matching part of the interval: all of it, nothing else, in order, each item once. A
 * polling filter is the same interval, delivered in pieces: a poll answers what matches between the poll before it and
 * itself.
 */

/** One entry of the history. `Fact` is a block, an admitted transaction, or whatever else the target shows. */
export interface Entry<Fact> {
  readonly fact: Fact;
  /** Length of the history when a revert removed this entry from the chain. */
  readonly abandonedAt?: number;
  /** True for a revert of earlier facts. Live subscribers and filters are told of it; replays omit it. */
  readonly isRevert?: true;
}
export type History<Fact> = readonly Entry<Fact>[];

/** A part of a fact that a subscriber receives as one notification. */
export interface Item {
  /** Text that identifies the item in the whole history: a hash, or a height and an index. */
  readonly key: string;
  /** Index within the fact, counting parts that do not match: a cursor may point between two parts of one fact. */
  readonly place: number;
  /** In a revert entry: the index of the entry whose item is removed. */
  readonly of?: number;
}

/** The criteria of a subscriber. */
export interface Interest<Fact> {
  /** Its name in commands and scripts. */
  readonly name: string;
  /** The parts of a fact that match, in order. */
  items(fact: Fact): readonly Item[];
}

/** A place in the history: after `facts` whole facts and the parts of the next one up to `place`; -1 means no part. */
export interface Point {
  readonly facts: number;
  readonly place: number;
}

/**
 * Keys that a subscriber to `interest` receives from `begin` up to `end` facts. Facts that were abandoned before
 * `asked`, and their reverts, are not replayed. `polled`: entries that a filter has already returned; only these are
 * reported to it as removed.
 */
export function promised<Fact>(
  history: History<Fact>,
  interest: Interest<Fact>,
  begin: Point,
  asked: number,
  end = history.length,
  polled?: number,
): readonly string[] {
  return history.slice(begin.facts, end).flatMap(({ fact, abandonedAt, isRevert }, index) => {
    const isGone = abandonedAt !== undefined && abandonedAt <= asked;
    const goesOnInside = index === 0 && begin.place >= 0;
    const isPast = isRevert === true && polled === undefined && begin.facts + index < asked && !goesOnInside;
    if (isGone || isPast) return [];
    return interest
      .items(fact)
      .filter(({ place }) => index > 0 || place > begin.place)
      .filter(({ of }) => of === undefined || polled === undefined || of < polled)
      .map(({ key }) => key);
  });
}

/** The promises, each with the text that a report of its breach shows. */
export const PROMISES = {
  readable: 'every frame is a message of the protocol',
  answered: 'every request is answered once, within the time limit',
  'response first': 'the subscribe response comes before the first notification',
  'unsubscribe is final': 'nothing follows the unsubscribe response',
  'own subscriptions': 'a notification carries the id of a subscription of its connection',
  'matching only': 'only what matches is delivered',
  'from its start on': 'nothing from before the start of a subscription or its cursor is delivered',
  'no gap': 'nothing that matches is left out',
  'no duplicate': 'nothing is delivered twice',
  'log order': 'items are delivered in the order of the log',
  complete: 'a subscriber that reads receives everything that was shown, within the time limit',
  'stated reason': 'a connection or subscription that the server ends has a stated reason',
  'readers stay': 'a subscriber that reads is not cut off',
  envelope:
    'a notification has exactly the members of the protocol; with a cursor for a subscriber that asked for cursors',
  'bad cursor refused': 'a cursor of the future, of an abandoned branch or of pruned history is refused',
  'known filter': 'a filter is found until it is uninstalled or expires, and not afterwards',
  'nothing left': 'the server keeps nothing of a connection that ended',
} as const;
export type PromiseName = keyof typeof PROMISES;

/** A promise that the target did not keep. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';

  constructor(
    readonly promise: PromiseName,
    readonly detail: string,
  ) {
    super(`broken promise "${promise}" (${PROMISES[promise]}): ${detail}`);
  }
}

/** One message that a client received, in wire order. */
export type Frame =
  | { readonly kind: 'answer'; readonly request: number; readonly result: unknown; readonly error: string | undefined }
  | ({ readonly kind: 'event'; readonly subscription: string; readonly key: string } & Cursored)
  | { readonly kind: 'unreadable'; readonly text: string };
interface Cursored {
  /** Undefined when the notification carries no cursor. */
  readonly cursor: string | undefined;
  /** Members that the protocol does not have. */
  readonly unexpected: readonly string[];
}

/** One subscription as its client sees it. Lengths are numbers of facts in the history. */
export interface Subscription<Fact> {
  readonly interest: Interest<Fact>;
  /** Id of the request, and the id under which notifications come. */
  readonly request: number;
  readonly id: string;
  readonly wantsCursors: boolean;
  readonly begin: Point;
  /**
   * History length at the request and when its response was read. Without a cursor, the subscription begins somewhere
   * between them.
   */
  readonly asked: number;
  readonly answered: number;
  /** Id of the unsubscribe request, and the length when its response was read. */
  unsubscribed: { readonly request: number; readonly length: number } | undefined;
}

/** A connection as its client knows it. */
export interface Connection<Fact> {
  readonly client: number;
  readonly frames: readonly Frame[];
  readonly subscriptions: readonly Subscription<Fact>[];
  /** False while the client does not read. */
  readonly isReading: boolean;
  /** True if the client has paused reading at some time since it connected. */
  readonly hasStalled: boolean;
  readonly closed:
    | { readonly by: 'client' | 'server' | 'restart'; readonly code: number; readonly reason: string }
    | undefined;
}

/** How a face reports that it disconnected a slow client. */
export interface Wording {
  readonly cutOff: { readonly code: number; readonly reason: RegExp };
  /** Error text under each subscription before the connection closes, on faces that send one. */
  readonly ended: RegExp | undefined;
}

/**
 * Checks what a connection has received so far. Throws BrokenPromise.
 * @returns what its open subscriptions have yet to receive, in words; undefined when that is nothing
 */
export function checkConnection<Fact>(
  history: History<Fact>,
  connection: Connection<Fact>,
  wording: Wording,
): string | undefined {
  const { frames, subscriptions, closed } = connection;
  const ids = new Set(subscriptions.map(({ id }) => id));
  const endable = new Set(subscriptions.map(({ request }) => request));
  const answered = new Set<number>();
  for (const frame of frames) {
    if (frame.kind === 'unreadable')
      throw new BrokenPromise('readable', `client ${connection.client} read ${frame.text}`);
    if (frame.kind === 'answer') {
      if (answered.has(frame.request) && !endable.has(frame.request))
        throw new BrokenPromise('answered', `request ${frame.request} was answered again`);
      answered.add(frame.request);
    }
    if (frame.kind === 'event' && !ids.has(frame.subscription))
      throw new BrokenPromise('own subscriptions', `${frame.key} came under the unknown id ${frame.subscription}`);
  }
  if (closed?.by === 'server') {
    if (!connection.hasStalled)
      throw new BrokenPromise(
        'readers stay',
        `client ${connection.client} was closed: ${closed.code} ${closed.reason}`,
      );
    if (closed.code !== wording.cutOff.code || !wording.cutOff.reason.test(closed.reason))
      throw new BrokenPromise('stated reason', `closed with ${closed.code} "${closed.reason}"`);
  }
  const lacking = subscriptions.map((subscription) => checkSubscription(history, connection, subscription, wording));
  return lacking.find((text) => text !== undefined);
}

function checkSubscription<Fact>(
  history: History<Fact>,
  { frames, isReading, closed }: Connection<Fact>,
  subscription: Subscription<Fact>,
  wording: Wording,
): string | undefined {
  const { interest, request, id, unsubscribed, wantsCursors } = subscription;
  const got: string[] = [];
  const answers = frames.flatMap((frame, index) =>
    frame.kind === 'answer' && frame.request === request ? [index] : [],
  );
  const left = frames.findIndex((frame) => frame.kind === 'answer' && frame.request === unsubscribed?.request);
  for (const [index, frame] of frames.entries()) {
    if (frame.kind !== 'event' || frame.subscription !== id) continue;
    if (index < (answers[0] ?? Infinity)) throw new BrokenPromise('response first', `${frame.key} came before it`);
    if (left >= 0 && index > left) throw new BrokenPromise('unsubscribe is final', `${frame.key} came after it`);
    if (frame.unexpected.length > 0)
      throw new BrokenPromise('envelope', `${frame.key} has the member ${frame.unexpected.join(', ')}`);
    if ((frame.cursor !== undefined) !== wantsCursors)
      throw new BrokenPromise('envelope', `${frame.key} ${wantsCursors ? 'lacks its cursor' : 'has a cursor unasked'}`);
    got.push(frame.key);
  }
  const ended = answers[1] === undefined ? undefined : frames[answers[1]];
  if (ended !== undefined || (closed?.by === 'server' && unsubscribed === undefined && wording.ended !== undefined)) {
    const reason = ended?.kind === 'answer' ? ended.error : undefined;
    if (reason === undefined || wording.ended?.test(reason) !== true || answers.length > 2)
      throw new BrokenPromise('stated reason', `"${interest.name}" ended with ${reason ?? 'no words'}`);
  }
  const begins = Array.from({ length: subscription.answered - subscription.asked + 1 }, (_, offset) => ({
    facts: subscription.begin.facts + offset,
    place: subscription.begin.place,
  }));
  const wanted = begins.map((begin) => promised(history, interest, begin, subscription.asked, unsubscribed?.length));
  const fitting = wanted.filter((keys) => got.every((key, index) => keys[index] === key));
  if (fitting.length === 0) throw difference(history, interest, got, wanted[0] ?? []);
  const isOpen = isReading && closed === undefined && unsubscribed === undefined;
  if (!isOpen || ended !== undefined || fitting.some((keys) => keys.length === got.length)) return undefined;
  return `"${interest.name}" lacks ${fitting[0]?.[got.length]}`;
}

/** Describes how `got` differs from a prefix of `wanted`. */
export function difference<Fact>(
  history: History<Fact>,
  interest: Interest<Fact>,
  got: readonly string[],
  wanted: readonly string[],
): BrokenPromise {
  const at = got.findIndex((key, index) => key !== wanted[index]);
  const [key = '', expected] = [got[at], wanted[at]];
  const detail = `"${interest.name}" delivered ${key} as number ${at}, promised was ${expected ?? 'nothing more'}`;
  if (got.indexOf(key) < at) return new BrokenPromise('no duplicate', detail);
  if (wanted.includes(key)) return new BrokenPromise(got.includes(expected ?? '') ? 'log order' : 'no gap', detail);
  const known = history.some(({ fact }) => interest.items(fact).some((item) => item.key === key));
  return new BrokenPromise(known ? 'from its start on' : 'matching only', detail);
}

/** A polling filter as its client knows it. */
export interface Filter<Fact> {
  readonly interest: Interest<Fact>;
  /** Facts before this length are polled already. */
  polled: number;
  /** Time of the last request that named it; milliseconds. */
  lastUse: number;
  isUninstalled: boolean;
}

/**
 * Checks the answer of a poll that was sent when the history had `earliest` facts and answered when it had `latest`;
 * undefined is the answer that there is no such filter. Throws BrokenPromise; moves the filter on.
 */
export function checkPoll<Fact>(
  history: History<Fact>,
  filter: Filter<Fact>,
  answer: readonly string[] | undefined,
  isThere: boolean,
  [earliest, latest]: readonly [number, number],
): void {
  if ((answer !== undefined) !== isThere)
    throw new BrokenPromise('known filter', `"${filter.interest.name}" was ${isThere ? 'not ' : ''}found`);
  if (answer === undefined) return;
  const begin = { facts: filter.polled, place: -1 };
  for (let end = latest; end >= earliest; end -= 1) {
    const keys = promised(history, filter.interest, begin, end, end, filter.polled);
    if (keys.length === answer.length && keys.every((key, index) => key === answer[index])) {
      filter.polled = end;
      return;
    }
  }
  const keys = promised(history, filter.interest, begin, latest, latest, filter.polled);
  if (answer.every((key, index) => key === keys[index]))
    throw new BrokenPromise('complete', `a poll of "${filter.interest.name}" lacks ${keys[answer.length]}`);
  throw difference(history, filter.interest, answer, keys);
}

/** Joins the answers of two polls of one filter at once: every item is in one of them. */
export function merged<Fact>(
  history: History<Fact>,
  interest: Interest<Fact>,
  answers: readonly (readonly string[])[],
): readonly string[] {
  const order = history.flatMap(({ fact }) => interest.items(fact).map(({ key }) => key));
  return answers.flat().toSorted((left, right) => order.indexOf(left) - order.indexOf(right));
}
