/** State of the application: the last polled chain state, the shown height, and the URL. */
import { batch, computed, signal } from '@preact/signals';
import { askAll, type Block, hexOf, valueOf } from './ethereum.js';
import { readHealth, standstillOf } from './health.js';
import { judge, type Look } from './identity.js';
import { type NodeFacts, readFacts } from './node-facts.js';
import { acceptProcess, fetchAny, type fetchNode, watchProcess } from './origin.js';
import { momentOf, pathOf, type Route, routeOf } from './router.js';

export type Connection = 'connecting' | 'connected' | 'lost';

/** Facts of the node; undefined before its first answer. */
export const facts = signal<NodeFacts | undefined>(undefined);
export const connection = signal<Connection>('connecting');
/** Open namespaces of Ethereum JSON-RPC; views hide what needs others. */
export const namespaces = signal<ReadonlySet<string>>(new Set());
/** The last polled head. */
export const head = signal<Block | undefined>(undefined);
/** Height of the oldest block that the node keeps; 0 or 1 where none is pruned. */
export const earliest = signal(0n);
/** Pending transactions; undefined if the node does not report them. */
export const waiting = signal<{ readonly pending: number; readonly queued: number } | undefined>(undefined);
/** Incremented for each new chain or branch; data of earlier ones is never shown. */
export const generation = signal(0);
/** A unique key of the last polled chain. */
export const chain = signal('');
/** Incremented when the node becomes reachable again; failed reads are then repeated. */
export const returns = signal(0);
/** Why the node makes no blocks, as a sentence; undefined while it makes them. */
export const standstill = signal<string | undefined>(undefined);
/** A message to the user, until dismissed. */
export const notice = signal<string | undefined>(undefined);
/** The shown height; undefined for the head. */
export const moment = signal(momentOf(location.search));
export const route = signal<Route>(routeOf(location.pathname));

/** Local time in milliseconds since 1970; updated with each poll. */
export const clock = signal(wallClock());

/** Height of the head; 0 before the first poll. */
export const headHeight = computed(() => (head.value === undefined ? 0n : BigInt(head.value.number)));
/** The JSON-RPC block parameter of the shown height. */
export const blockTag = computed(() => (moment.value === undefined ? 'latest' : hexOf(moment.value)));
/** Changes with each block while the head is shown, never at a past height. */
export const pulse = computed(() => (moment.value === undefined ? (head.value?.hash ?? '') : ''));

/** An answer of `eth_capabilities`. */
interface Kept {
  readonly blocks?: { readonly oldestBlock?: string };
}

/** Throws if the blocks of the shown height are pruned. */
export function refusePruned(): void {
  if (moment.value !== undefined && moment.value < earliest.value)
    throw new Error(`block ${moment.value} is pruned: blocks are kept from height ${earliest.value} on`);
}

/** A sentence's end about something that is not found: from which height on the node keeps blocks. */
export function keptText(): string {
  return earliest.value > 1n ? `: it keeps blocks from height ${earliest.value} on` : '';
}

const POLL_MS = 1_000;
const HIDDEN_POLL_MS = 10_000;
let last: Look | undefined;
let lastProcess = '';

/** Polls the node while the page is open; at once when the user returns to the page. */
export async function follow(): Promise<never> {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake();
  });
  watchProcess(lookNow);
  for (;;) {
    await look();
    await new Promise((resolve) => {
      setTimeout(resolve, document.hidden ? HIDDEN_POLL_MS : POLL_MS);
      wake = () => resolve(undefined);
    });
  }
}

function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

let wake = (): void => undefined;

/** Polls the node now, after a command that changed the chain. */
export function lookNow(): void {
  wake();
}

async function look(): Promise<void> {
  clock.value = wallClock();
  try {
    const processes = new Set<string>();
    const byLook = async (path: string, init?: RequestInit): Promise<Response> => {
      const [response, process] = await fetchAny(path, init);
      processes.add(process);
      return response;
    };
    const isUnknown = facts.value === undefined || connection.value !== 'connected';
    const [[latest, first, pool, previous, evmChainId, kept], early] = await Promise.all([
      askAll(
        [
          { method: 'eth_getBlockByNumber', params: ['latest', false] },
          { method: 'eth_getHeaderByNumber', params: ['0x0'] },
          { method: 'txpool_status', params: [] },
          { method: 'eth_getHeaderByNumber', params: [hexOf(last?.head ?? 0n)] },
          { method: 'eth_chainId', params: [] },
          { method: 'eth_capabilities', params: [] },
        ],
        byLook,
      ),
      isUnknown ? readNode(byLook) : undefined,
    ]);
    const node = early ?? (processes.has(lastProcess) ? undefined : await readNode(byLook));
    const known = node?.facts ?? facts.value;
    const [process = '', ...others] = processes;
    if (others.length > 0) throw new Error('two processes answered one look');
    const block = valueOf<Block>(latest);
    if (block === null || known === undefined) throw new Error('no head');
    if (node !== undefined) namespaces.value = node.namespaces;
    const now = {
      chainId: known.chain_id,
      evmChainId: valueOf<string>(evmChainId) ?? '',
      genesis: valueOf<Block>(first)?.hash ?? last?.genesis ?? '',
      head: BigInt(block.number),
      headHash: block.hash,
      hashAtPrevious: valueOf<Block>(previous)?.hash,
    };
    const judgement = judge(last, now);
    earliest.value = BigInt(valueOf<Kept>(kept)?.blocks?.oldestBlock ?? 0);
    heard(known, block, now, process);
    const counts = valueOf<{ readonly pending: string; readonly queued: string }>(pool);
    // skip the health check if the head has advanced
    standstill.value = judgement === 'forward' ? undefined : standstillOf(await readHealth());
    waiting.value = counts === null ? undefined : { pending: Number(counts.pending), queued: Number(counts.queued) };
  } catch {
    connection.value = last === undefined ? 'connecting' : 'lost';
  }
}

/** Reads facts that change only with the process: node facts and open namespaces. */
async function readNode(by: typeof fetchNode) {
  const [known, [modules]] = await Promise.all([readFacts(by), askAll([{ method: 'rpc_modules', params: [] }], by)]);
  return { facts: known, namespaces: new Set(Object.keys(valueOf<object>(modules) ?? {})) };
}

function heard(known: NodeFacts, block: Block, now: Look, process: string): void {
  const judgement = judge(last, now);
  const isOther = process !== lastProcess && last !== undefined;
  batch(() => {
    if (judgement === 'replaced') {
      notice.value = `Another chain answers at this address now: ${now.chainId}. Everything here is of the new chain.`;
      goTo(undefined);
    } else if (judgement === 'back') {
      notice.value = `The chain went back: its head is block ${now.head} of a new branch. Blocks that were taken back are gone.`;
      if (moment.value !== undefined && moment.value > now.head) goTo(undefined);
    }
    if (judgement === 'replaced' || judgement === 'back') generation.value += 1;
    facts.value = known;
    if (judgement !== 'same') head.value = block;
    if (connection.value === 'lost' || isOther) returns.value += 1;
    lastProcess = process;
    acceptProcess(process);
    chain.value = `${now.chainId} ${now.evmChainId} ${now.genesis}`;
    last = now;
    connection.value = 'connected';
  });
}

/** URL of a view at the shown height, for links. */
export function addressOfView(to: Route): string {
  return pathOf(to) + (moment.value === undefined ? '' : `?at=${moment.value}`);
}

/** Navigates to a view at the shown height. */
export function open(to: Route): void {
  history.pushState(null, '', addressOfView(to));
  showAnew();
}

/** Replaces the current view, without a history entry. */
export function replace(to: Route): void {
  history.replaceState(null, '', addressOfView(to));
  showAnew();
}

/** Switches the application to a height, or to the head. */
export function goTo(at: bigint | undefined): void {
  if (at === moment.value) return;
  history.replaceState(null, '', location.pathname + (at === undefined ? '' : `?at=${at}`));
  readAddress();
}

function showAnew(): void {
  readAddress();
  scrollTo(0, 0);
  queueMicrotask(() => document.querySelector<HTMLElement>('#view')?.focus({ preventScroll: true }));
}

function readAddress(): void {
  route.value = routeOf(location.pathname);
  moment.value = momentOf(location.search);
}

/** Handles application links without reloading, and the browser's back and forward. */
export function watchAddress(): void {
  addEventListener('popstate', readAddress);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/_page/') || link.hash !== '') return;
    event.preventDefault();
    open(routeOf(link.pathname));
  });
}
