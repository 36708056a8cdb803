/** Bugs of a push engine, planted between a socket and its client: the wire carries the messages of a faulty engine. */
import type { Frame, PushFace, Trial, Wire, WireListener } from '../../src/testing/index.js';

/** The effect of a planted bug on one connection. By default every message passes unchanged. */
interface Tap {
  /** A text from the server; `frame` is what it holds. Calls `pass` for each text that the client gets. */
  onFrame?(text: string, frame: Frame, pass: (text: string) => void): void;
  /** A text from the client; `reply` answers in the place of the server. */
  onSent?(text: string, pass: (text: string) => void, reply: (text: string) => void): void;
  /** How the server ends the connection. */
  onClosed?(code: number, reason: string): readonly [code: number, reason: string];
  onResume?(pass: (text: string) => void): void;
  /** True: the server is not told that the client left. */
  readonly forgetsToClose?: boolean;
}

export interface PlantedInPush {
  readonly name: string;
  /** A new one for each connection; `end` closes it. */
  tap(context: Context): Tap;
}

interface Context {
  readonly end: (code: number, reason: string) => void;
  /** Shared by the connections of a run. */
  readonly shared: Map<string, string>;
}

/** A trial with a bug in its push face. */
export function plantInPush<Fact, Own extends { readonly do: string }>(
  trial: Trial<Fact, Own>,
  planted: PlantedInPush,
): Trial<Fact, Own> {
  const { push } = trial;
  if (push === undefined) return trial;
  const shared = new Map<string, string>();
  return { ...trial, push: { ...push, connect: (listener) => tapped(push, listener, planted, shared) } };
}

async function tapped<Fact>(
  face: PushFace<Fact>,
  listener: WireListener,
  planted: PlantedInPush,
  shared: Context['shared'],
): Promise<Wire> {
  let isEnded = false;
  const own = planted.tap({
    shared,
    end(code, reason) {
      if (isEnded) return;
      isEnded = true;
      wire.close();
      listener.onClosed('server', code, reason);
    },
  });
  const pass = (text: string): void => {
    if (!isEnded) listener.onText(text);
  };
  const wire = await face.connect({
    onText: (text) => {
      const [frame] = face.protocol.read(text);
      if (own.onFrame === undefined || frame === undefined) pass(text);
      else own.onFrame(text, frame, pass);
    },
    onClosed(by, code, reason) {
      if (!isEnded) listener.onClosed(by, ...(own.onClosed?.(code, reason) ?? ([code, reason] as const)));
    },
  });
  return {
    ...methodsOf(wire),
    send(text) {
      if (isEnded) return;
      if (own.onSent === undefined) wire.send(text);
      else own.onSent(text, (passed) => wire.send(passed), pass);
    },
    resume() {
      wire.resume();
      own.onResume?.(pass);
    },
    close: () => (own.forgetsToClose === true || isEnded ? undefined : wire.close()),
  };
}

function methodsOf(wire: Wire): Wire {
  return {
    send: (text) => wire.send(text),
    pause: () => wire.pause(),
    resume: () => wire.resume(),
    close: () => wire.close(),
    answerHeld: () => wire.answerHeld?.(),
  };
}

/** A bug that touches notifications only; `count` is the number of this one on its connection. */
const inEvents = (
  name: string,
  onEvent: (text: string, count: number, pass: (text: string) => void, frame: Event) => void,
): PlantedInPush => ({
  name,
  tap() {
    let count = 0;
    return {
      onFrame(text, frame, pass) {
        if (frame.kind !== 'event') return pass(text);
        count += 1;
        onEvent(text, count, pass, frame);
      },
    };
  },
});
type Event = Extract<Frame, { readonly kind: 'event' }>;

/** A bug that touches requests only. */
const inRequests = (name: string, onSent: NonNullable<Tap['onSent']>): PlantedInPush => ({
  name,
  tap: () => ({ onSent }),
});

/** Runs `run` when it is called, or by itself after `later`, once. */
function onceOr(later: (run: () => void) => void, run: () => void): () => void {
  let isDone = false;
  const once = (): void => {
    if (!isDone) run();
    isDone = true;
  };
  later(once);
  return once;
}

function idOf(request: string): number {
  const { id }: { readonly id: number } = JSON.parse(request);
  return id;
}

const isSubscribe = (text: string): boolean => /"method":"(eth_subscribe|subscribe|held)"/u.test(text);
const isUnsubscribe = (text: string): boolean => text.includes('unsubscribe');
const CURSOR = /"cursor":"([0-9]+)(?:\.([0-9]+))?"/u;
const hasCursor = (text: string): boolean => CURSOR.test(text);
const withoutCursor = (text: string): string => text.replace(/,\{"cursor":"[^"]*"\}|,"cursor":"[^"]*"/u, '');
const fakeAnswer = (request: string): string => {
  const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(request);
  return JSON.stringify({ jsonrpc: '2.0', id, result: method.startsWith('eth_') ? true : {} });
};

/** Text of a notification under another id. */
const under = (text: string, { subscription }: Event, other: string): string =>
  text.includes('"subscription":"')
    ? text.replace(`"subscription":"${subscription}"`, `"subscription":"${other}"`)
    : text.replace(`"id":${subscription},`, `"id":${other},`);

/** The first notification of each subscription that begins behind a cursor, or of each other one. */
const firstEvent = (
  name: string,
  behindCursor: boolean,
  onFirst: (text: string, pass: (text: string) => void) => void,
): PlantedInPush => ({
  name,
  tap() {
    const requests = new Set<number>();
    const fresh = new Set<string>();
    return {
      onSent(text, pass) {
        if (isSubscribe(text) && hasCursor(text) === behindCursor) requests.add(idOf(text));
        pass(text);
      },
      onFrame(text, frame, pass) {
        if (frame.kind === 'answer' && requests.delete(frame.request))
          fresh.add(typeof frame.result === 'string' ? frame.result : String(frame.request));
        if (frame.kind === 'event' && fresh.delete(frame.subscription)) onFirst(text, pass);
        else pass(text);
      },
    };
  },
});

export const PLANTED_IN_PUSH: readonly PlantedInPush[] = [
  inEvents('every fifth notification is dropped', (text, count, pass) => (count % 5 === 0 ? undefined : pass(text))),
  inEvents('every fifth notification is doubled', (text, count, pass) => {
    pass(text);
    if (count % 5 === 0) pass(text);
  }),
  {
    name: 'two neighbours change places',
    tap() {
      let count = 0;
      let kept: (() => void) | undefined;
      return {
        onFrame(text, frame, pass) {
          count += frame.kind === 'event' ? 1 : 0;
          const before = kept;
          if (frame.kind === 'event' && count % 2 === 1) kept = onceOr(setImmediate, () => pass(text));
          else pass(text);
          before?.();
        },
      };
    },
  },
  {
    name: 'each notification waits for the next one',
    tap() {
      let kept: string | undefined;
      return {
        onFrame(text, frame, pass) {
          if (frame.kind !== 'event') return pass(text);
          if (kept !== undefined) pass(kept);
          kept = text;
        },
      };
    },
  },
  {
    name: 'the first notification behind a cursor overtakes the subscribe response',
    tap() {
      const resumed = new Set<number>();
      let kept: (() => void) | undefined;
      return {
        onSent(text, pass) {
          if (hasCursor(text)) resumed.add(idOf(text));
          pass(text);
        },
        onFrame(text, frame, pass) {
          if (frame.kind === 'answer' && resumed.has(frame.request)) {
            kept = onceOr(setImmediate, () => pass(text));
            return;
          }
          pass(text);
          kept?.();
        },
      };
    },
  },
  {
    name: 'an unsubscribe is answered at once and takes effect with the next request',
    tap() {
      let waiting: string | undefined;
      const swallowed = new Set<number>();
      return {
        onSent(text, pass, reply) {
          const late = waiting;
          waiting = undefined;
          if (late !== undefined) pass(late);
          if (!isUnsubscribe(text) || late !== undefined) return pass(text);
          waiting = text;
          swallowed.add(idOf(text));
          reply(fakeAnswer(text));
        },
        onFrame(text, frame, pass) {
          if (frame.kind !== 'answer' || !swallowed.has(frame.request)) pass(text);
        },
      };
    },
  },
  inRequests('an unsubscribe is answered and forgotten', (text, pass, reply) =>
    isUnsubscribe(text) ? reply(fakeAnswer(text)) : pass(text),
  ),
  {
    name: 'a notification comes under the id of the subscription before',
    tap() {
      let before: string | undefined;
      return {
        onFrame(text, frame, pass) {
          if (frame.kind !== 'event') return pass(text);
          const other = before;
          before = frame.subscription;
          pass(other === undefined ? text : under(text, frame, other));
        },
      };
    },
  },
  inEvents('a notification comes under an unknown id', (text, count, pass, frame) =>
    pass(count % 4 === 0 ? under(text, frame, frame.subscription.startsWith('0x') ? '0x7' : '777') : text),
  ),
  inEvents('a notification has a member too many', (text, count, pass) =>
    pass(count % 6 === 0 ? text.replace('{"jsonrpc"', '{"node":"a","jsonrpc"') : text),
  ),
  inEvents('a notification lacks its cursor', (text, count, pass) =>
    pass(count % 6 === 0 ? text.replace(/,"cursor":"[^"]*"/u, '') : text),
  ),
  { name: 'a slow client is cut off without a reason', tap: () => ({ onClosed: () => [1006, ''] }) },
  {
    name: 'a slow client is cut off with the code of a defect',
    tap: () => ({ onClosed: (_, reason) => [1011, reason] }),
  },
  {
    name: 'a client that reads is cut off',
    tap({ end }) {
      let count = 0;
      return {
        onFrame(text, frame, pass) {
          pass(text);
          count += frame.kind === 'event' ? 1 : 0;
          if (count === 5) end(1013, 'slow client');
        },
      };
    },
  },
  inEvents('a notification is cut in the middle', (text, count, pass) =>
    pass(count % 8 === 0 ? text.slice(0, text.length / 2) : text),
  ),
  {
    name: 'a response is sent twice',
    tap: () => ({
      onFrame(text, frame, pass) {
        pass(text);
        if (frame.kind === 'answer') pass(text);
      },
    }),
  },
  inRequests('every third request is never answered', (text, pass) =>
    Number(/"id":([0-9]+)/u.exec(text)?.[1]) % 3 === 0 ? undefined : pass(text),
  ),
  firstEvent('the first notification behind a cursor is left out', true, () => undefined),
  inRequests('a cursor begins one commit early', (text, pass) =>
    pass(
      text.replace(CURSOR, (_, position: string) => `"cursor":"${BigInt(position) > 4n ? BigInt(position) - 4n : 0n}"`),
    ),
  ),
  inRequests('the part of a cursor behind its commit is ignored', (text, pass) =>
    pass(text.replace(CURSOR, (_, position: string) => `"cursor":"${position}"`)),
  ),
  inRequests('a cursor is ignored: a resumed subscription begins now', (text, pass) =>
    pass(isSubscribe(text) && !text.includes('99999') ? withoutCursor(text) : text),
  ),
  inRequests('a cursor of the future is taken for now', (text, pass) =>
    pass(text.includes('99999') ? withoutCursor(text) : text),
  ),
  firstEvent('the first notification after a subscribe is left out', false, () => undefined),
  {
    name: 'a subscribe brings the last notification of another client',
    tap({ shared }) {
      return {
        onFrame(text, frame, pass) {
          pass(text);
          const last = shared.get('last');
          if (frame.kind === 'event') shared.set('last', text);
          if (frame.kind === 'answer' && frame.error === undefined && last !== undefined) pass(last);
        },
      };
    },
  },
  inRequests('criteria are ignored: everything is delivered', (text, pass) =>
    pass(
      text
        .replace(/"query":"(?:[^"\\]|\\.)*transfer.recipient='a'"/u, '"query":"tm.event=\'Tx\'"')
        .replace(/"params":\["(?:a topic|two addresses)"/u, '"params":["all logs"'),
    ),
  ),
  inRequests('criteria are too narrow', (text, pass) =>
    pass(
      isUnsubscribe(text)
        ? text
        : text.replace("tm.event = 'Tx'", "tm.event = 'Tx' AND transfer EXISTS").replace('"all logs"', '"a topic"'),
    ),
  ),
  {
    name: 'a second subscription silences the first',
    tap() {
      let last = '';
      return {
        onFrame(text, frame, pass) {
          if (frame.kind === 'answer' && frame.error === undefined && frame.result !== true)
            last = typeof frame.result === 'string' ? frame.result : String(frame.request);
          if (frame.kind !== 'event' || frame.subscription === last) pass(text);
        },
      };
    },
  },
  {
    name: 'what a client has not read when it reads again is forgotten',
    tap() {
      let isDropping = false;
      return {
        onResume: () => {
          isDropping = false;
        },
        onFrame(text, frame, pass) {
          if (frame.kind === 'event' && isDropping) return;
          pass(text);
          isDropping = text.length % 7 === 0 && frame.kind === 'event';
        },
      };
    },
  },
  { name: 'a connection that closed keeps its subscriptions', tap: () => ({ forgetsToClose: true }) },
];
