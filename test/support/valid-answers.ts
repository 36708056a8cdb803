/**
 * Holds every answer of the Ethereum JSON-RPC that a test gets by `fetch` or by a websocket of the package `ws` to the
 * published OpenRPC document and to `rpc_discover`, whichever client asked (viem, web3.js and our helpers fetch;
 * `watched-face.ts` is for ethers, which asks by node:http, and for programs). An answer that one of the documents does
 * not allow fails the test that got it, also where the test looked at something else.
 */
import { WebSocket } from 'ws';
import { isDiscovered } from './discovered.js';
import { resultProblems, resultValidator } from './openrpc.js';
import { afterwards } from './temporary.js';

/** Methods that were asked for, by the JSON text of the id; undefined for an id that was used more than once. */
type Asked = Map<string, string | undefined>;

const problems: string[] = [];
/** Number of active calls of `validateAnswers`; without one, answers are not checked. */
let watching = 0;
let isWatching = false;

/** Watches the answers from now on; the running test fails, or its file when none runs, if one was not valid. */
export function validateAnswers(): void {
  watching += 1;
  afterwards(() => {
    watching -= 1;
    const found = takeProblems();
    if (found.length > 0) throw new Error(`not as the OpenRPC document says: ${found.join('\n')}`);
  });
  if (isWatching) return;
  isWatching = true;
  watchFetch();
  watchWebSockets();
}

/** Problems found since the last call. */
export function takeProblems(): readonly string[] {
  return problems.splice(0);
}

/** Notes the problems of an answer, or of a batch of answers. */
function noteProblems(asked: Asked, answer: string): void {
  for (const { id, result } of objectsOf(answer)) {
    const method = asked.get(JSON.stringify(id));
    if (method !== undefined && result !== undefined) problems.push(...resultProblems(method, result));
  }
}

/** Notes the methods of a request, or of a batch, that a document describes; ignores other texts. */
function noteAsked(asked: Asked, request: unknown): void {
  if (typeof request !== 'string') return;
  for (const { id, method } of objectsOf(request)) {
    if (typeof method !== 'string' || id === undefined) continue;
    if (resultValidator(method) === undefined && !isDiscovered(method)) continue;
    const key = JSON.stringify(id);
    asked.set(key, asked.has(key) && asked.get(key) !== method ? undefined : method);
  }
}

function objectsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  if (watching === 0 || !text.includes('"id"')) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    const members: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return members.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
  } catch {
    return [];
  }
}

function watchFetch(): void {
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const answer = await plain(input, init);
    const asked: Asked = new Map();
    noteAsked(asked, init?.body);
    // a streamed answer has no length, and its reader decides how much of it is read
    if (asked.size > 0 && answer.headers.has('content-length')) noteProblems(asked, await answer.clone().text());
    return answer;
  };
}

function watchWebSockets(): void {
  const bySocket = new WeakMap<WebSocket, Asked>();
  const plain: unknown = Reflect.get(WebSocket.prototype, 'send');
  if (typeof plain !== 'function') throw new Error('a websocket sends');
  WebSocket.prototype.send = function send(this: WebSocket, ...words: unknown[]): void {
    const asked: Asked = bySocket.get(this) ?? new Map();
    noteAsked(asked, words[0]);
    if (asked.size > 0 && !bySocket.has(this)) {
      bySocket.set(this, asked);
      this.on('message', (data: Buffer) => noteProblems(asked, data.toString()));
    }
    Reflect.apply(plain, this, words);
  };
}
