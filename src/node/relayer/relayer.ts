import { setTimeout as pause } from 'node:timers/promises';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Logger } from '../../core/ports/logger.js';
import type { PathEnds, Side } from '../../core/relayer/path.js';
import { Postponed } from '../../core/relayer/postponed.js';
import type { RelayerDesk } from './desk.js';
import { openPath, type Remotes } from './open-path.js';
import { lostReason } from './packet-facts.js';
import { Remote, type RelayedChain } from './remote.js';
import { type Heads, relayRound, type RoundHost } from './round.js';

/** A relayer that runs between two chains. */
export interface Relayer {
  /** The ends of the channel once it is open; undefined where that takes longer than a start waits. */
  readonly opened: Promise<PathEnds | undefined>;
  /** Ends it; resolves when it asks nothing more. */
  stop(): Promise<void>;
}

/**
 * Starts a relayer that knows nothing but the public faces of two chains. It opens what is missing of the path, and
 * brings packets until it is stopped, by the controls on its desk. It remembers nothing else: after an error, or the
 * end of any process, it finds clients, channel and waiting packets in the chains again.
 */
export function startRelayer(
  chains: { readonly a: RelayedChain; readonly b: RelayedChain },
  host: { readonly crypto: Pick<Crypto, 'sha256'>; readonly log: Logger; readonly desk: RelayerDesk },
): Relayer {
  const stopped = new AbortController();
  const { signal } = stopped;
  const remotes: Remotes = { a: new Remote(chains.a, signal), b: new Remote(chains.b, signal) };
  let failed = tellOnce(host.log, signal);
  const postponed = new Postponed();
  let lost = tellLost(host.log, remotes);
  let tell: (ends: PathEnds) => void = () => undefined;
  const opened = new Promise<PathEnds>((resolve) => {
    tell = resolve;
  });
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        const ends = await openPath(host.crypto, remotes);
        const before = host.desk.path?.ends;
        if (
          before !== undefined &&
          (before.a.channelId !== ends.a.channelId || before.b.channelId !== ends.b.channelId)
        ) {
          host.log.info('the relayer opened another channel', channelsOf(remotes, ends));
          failed = tellOnce(host.log, signal);
          lost = tellLost(host.log, remotes);
        }
        host.desk.path = { remotes, ends, crypto: host.crypto };
        tell(ends);
        await relay(remotes, ends, { ...host, postponed, failed, lost });
      } catch (error) {
        failed(error);
        await pause(FIXED_LIMITS.relayerRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  })();
  const late = pause(FIXED_LIMITS.relayerOpenMs, undefined, { signal, ref: false }).catch(() => undefined);
  return {
    opened: Promise.race([opened, late]),
    async stop() {
      stopped.abort(new Error('the relayer was stopped'));
      await ended;
    },
  };
}

/** Makes a round for every new head, and after each command. Throws with the first error, also that of the end. */
async function relay(remotes: Remotes, ends: PathEnds, host: RoundHost): Promise<void> {
  const { a, b } = remotes;
  let seen = '';
  for (;;) {
    const heads: Heads = { a: await a.head(), b: await b.head() };
    const both = `${heads.a.height} ${heads.b.height} ${host.desk.changes}`;
    if (both === seen) await a.pause(FIXED_LIMITS.relayerPauseMs);
    else if (!(await relayRound(remotes, ends, heads, host))) await a.pause(FIXED_LIMITS.relayerRetryMs);
    seen = both;
  }
}

/** Logs which packets of a chain are lost, whenever others are. */
function tellLost(log: Logger, remotes: Remotes): RoundHost['lost'] {
  const last: Record<Side, string> = { a: '', b: '' };
  return (side, sequences) => {
    const text = sequences.join(', ');
    if (text === last[side]) return;
    last[side] = text;
    if (text === '') return;
    const [chain, other] = [remotes[side], remotes[side === 'a' ? 'b' : 'a']].map((one) => one.chain.chainId);
    log.error('packets are lost', { chain, sequences: text, error: lostReason(other ?? '') });
  };
}

/** The channel of each chain, by its chain id. */
function channelsOf({ a, b }: Remotes, ends: PathEnds): Readonly<Record<string, string>> {
  return { [a.chain.chainId]: ends.a.channelId, [b.chain.chainId]: ends.b.channelId };
}

/** Logs an error, and not again while it stays the same. */
function tellOnce(log: Logger, signal: AbortSignal): (error: unknown) => void {
  let last = '';
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (signal.aborted || message === last) return;
    last = message;
    log.error('the relayer will try again', { error: message });
  };
}
