/** The recorded websockets, played with a node of ours: requests as they were sent, frames as they came back. */
import { WebSocket } from 'ws';
import type { Socket } from '../../../src/adapters/transport/index.js';
import { type Pair } from './answers.js';
import type { RecordedPlay } from './play.js';
import { messageOf } from '../../support/message.js';

/** A line of the recording: an event of a connection, or a request over HTTP to the port of the websockets. */
export interface Frame {
  readonly conn?: string;
  readonly dir?: 'open' | 'closed' | '->' | '<-';
  readonly frame?: string;
  readonly error?: string;
  readonly name?: string;
  readonly res?: { readonly status: number };
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly subscription: string; readonly result: unknown };
  readonly result?: unknown;
}

/** Numbers and names of the lines that are answers. */
export function framesOf(frames: readonly Frame[]): readonly (readonly [line: number, name: string])[] {
  return frames.flatMap(({ conn, dir, frame, error, name, res }, index) =>
    dir === '<-' || error !== undefined || res !== undefined
      ? [[index + 1, `${conn ?? name}: ${(frame ?? error ?? '').slice(0, 80)}`] as const]
      : [],
  );
}

/** Plays all connections, one after another; a block is executed when the recording has a notification of its head. */
export async function answerFrames(
  play: RecordedPlay,
  frames: readonly Frame[],
  pairs: Map<number, Pair>,
): Promise<void> {
  let connection: Connection | undefined;
  for (const [index, { conn, dir, frame = '', error, name, res }] of frames.entries()) {
    const line = index + 1;
    if (dir === 'open') connection = new Connection(play);
    else if (dir === 'closed') {
      connection?.close();
      connection = undefined;
    } else if (error !== undefined) pairs.set(line, { ours: await refusalOf(play, conn ?? ''), recorded: error });
    else if (res !== undefined) {
      const method = name?.includes('GET') === true ? 'GET' : 'POST';
      const { status } = await play.ask({ method, ...(method === 'GET' && { headers: {} }) });
      pairs.set(line, { ours: status, recorded: res.status });
    } else if (dir === '->') await connection?.say(frame);
    else if (dir === '<-' && connection !== undefined) {
      const recorded = JSON.parse(frame) as Message;
      if (recorded.method === 'eth_subscription') await announced(play, recorded.params?.result);
      pairs.set(line, connection.next(recorded));
    }
  }
}

/** Admits a pending transaction, or executes a block, before the first frame that announces it. */
async function announced(play: RecordedPlay, result: unknown): Promise<void> {
  if (typeof result === 'string') await play.hearOf(Number.POSITIVE_INFINITY);
  else if (typeof result === 'object' && result !== null && 'number' in result)
    await play.to(BigInt(String(result.number)));
}

/** The text of a refused upgrade; the recording's names say what was wrong with it. */
function refusalOf({ url }: RecordedPlay, conn: string): Promise<string> {
  const path = conn === 'other path' ? '/other' : '/';
  const socket = new WebSocket(`ws://${url}${path}`, {
    ...(conn === 'foreign origin' && { origin: 'http://example.invalid' }),
  });
  return new Promise((resolve) => {
    socket.on('error', ({ message }) => resolve(message));
    socket.on('open', () => {
      socket.close();
      resolve('open');
    });
  });
}

/** A websocket of the face in this process. */
class Connection {
  /** Answers to the requests, in their order; undefined where a request has none. */
  readonly #answers: (Message | undefined)[] = [];
  /** Notifications that were not compared yet, by the id of their subscription. */
  readonly #told = new Map<string, Message[]>();
  /** Ids of subscriptions: the recorded ones, and ours. */
  readonly #ids = new Map<string, string>();
  #answer: Message | undefined;
  readonly #play: RecordedPlay;
  readonly #socket: Socket;

  constructor(play: RecordedPlay) {
    this.#play = play;
    this.#socket = {
      remoteAddress: '127.0.0.1',
      head: { method: 'GET', path: '/', query: '', headers: new Map() },
      send: (text) => {
        this.#receive(JSON.parse(text) as Message);
        return 'sent';
      },
      bufferedBytes: () => 0,
      cork: (run) => run(),
      end: () => undefined,
    };
    play.rpc.webSocket.handler.open(this.#socket);
  }

  async say(text: string): Promise<void> {
    let asked = text;
    for (const [recorded, ours] of this.#ids) asked = asked.replace(recorded, ours);
    this.#answer = undefined;
    this.#play.rpc.webSocket.handler.message(this.#socket, messageOf(asked));
    await this.#play.settle();
    this.#answers.push(this.#answer);
  }

  /** Frame that came here in the place of a recorded one. */
  next(recorded: Message): Pair {
    if (recorded.method !== 'eth_subscription') {
      const ours = this.#answers.shift();
      if (isId(recorded.result) && isId(ours?.result)) {
        this.#ids.set(recorded.result, ours.result);
        return { ours: { ...ours, result: recorded.result }, recorded };
      }
      return { ours, recorded };
    }
    const subscription = recorded.params?.subscription ?? '';
    const ours = this.#told.get(this.#ids.get(subscription) ?? '')?.shift();
    return { ours: ours && { ...ours, params: { ...ours.params, subscription } }, recorded };
  }

  close(): void {
    this.#play.rpc.webSocket.handler.close(this.#socket);
  }

  #receive(message: Message): void {
    if (message.method !== 'eth_subscription') {
      this.#answer = message;
      return;
    }
    const id = message.params?.subscription ?? '';
    this.#told.set(id, [...(this.#told.get(id) ?? []), message]);
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{20,32}$/.test(value);
}
