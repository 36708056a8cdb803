import { setTimeout as pause } from 'node:timers/promises';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Logger } from '../../core/ports/logger.js';
import type { PathEnds, Side } from '../../core/relayer/path.js';
import { Postponed } from '../../core/relayer/postponed.js';
import type { RelayerState } from './relayer-state.js';
import { openPath } from './open-path.js';
import { lostReason } from './packet-facts.js';
import { Remote, type RelayedChain } from './remote.js';
import { type Heads, type Remotes, unlessReverted } from './reverted.js';
import { relayRound, type RoundHost } from './round.js';

/** A relayer that runs between two chains. */
export interface Relayer {
  /** Resolves with the channel's ends when it is open, or with undefined after the time that a start waits. */
  readonly opened: Promise<PathEnds | undefined>;
  /** Stops the relayer; resolves when its last request has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a relayer that uses only the public RPC of two chains. It opens the missing parts of the path and relays
 * packets, subject to the shared controls, until it is stopped. It keeps no other state: after an error or a restart
 * it reads clients, channel and pending packets from the chains.
 */
export function startRelayer(
  chains: { readonly a: RelayedChain; readonly b: RelayedChain },
  host: { readonly crypto: Pick<Crypto, 'sha256'>; readonly log: Logger; readonly relayerState: RelayerState },
): Relayer {
  const stopped = new AbortController();
  const { signal } = stopped;
  const remotes: Remotes = { a: new Remote(chains.a, signal), b: new Remote(chains.b, signal) };
  let failed = logOnce(host.log, signal);
  const postponed = new Postponed();
  let lost = logLost(host.log, remotes);
  let tell: (ends: PathEnds) => void = () => undefined;
  const opened = new Promise<PathEnds>((resolve) => {
    tell = resolve;
  });
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        const ends = await openPath(host.crypto, remotes);
        const before = host.relayerState.path?.ends;
        if (
          before !== undefined &&
          (before.a.channelId !== ends.a.channelId || before.b.channelId !== ends.b.channelId)
        ) {
          host.log.info('the relayer opened another channel', channelsOf(remotes, ends));
          failed = logOnce(host.log, signal);
          lost = logLost(host.log, remotes);
        }
        host.relayerState.path = { remotes, ends, crypto: host.crypto };
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

/** Runs a round for every new head and after each command. Throws the first error, also when stopped. */
async function relay(remotes: Remotes, ends: PathEnds, host: RoundHost): Promise<void> {
  const { a, b } = remotes;
  let seen = '';
  for (;;) {
    const heads: Heads = { a: await a.head(), b: await b.head() };
    const both = `${heads.a.hash} ${heads.b.hash} ${host.relayerState.changes}`;
    if (both === seen) await a.pause(FIXED_LIMITS.relayerPauseMs);
    else {
      const isDone = await unlessReverted(remotes, heads, relayRound(remotes, ends, heads, host));
      if (isDone === false) await a.pause(FIXED_LIMITS.relayerRetryMs);
    }
    seen = both;
  }
}

/** Logs the lost packets of a chain whenever their list changes. */
function logLost(log: Logger, remotes: Remotes): RoundHost['lost'] {
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

/** Logs an error once while it stays the same. */
function logOnce(log: Logger, signal: AbortSignal): (error: unknown) => void {
  let last = '';
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (signal.aborted || message === last) return;
    last = message;
    log.error('the relayer will try again', { error: message });
  };
}
