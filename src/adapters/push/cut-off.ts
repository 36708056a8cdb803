/** The one table of reasons for which the node ends a websocket unasked, with the words of each face. */
import type { PushFace } from '../../core/subscriptions/index.js';

/** The reason for which the node ends a connection, or one of its subscriptions. */
export type CutOff =
  /** A slow reader: so many bytes wait for the client. */
  | { readonly kind: 'slow'; readonly pending: number }
  /** More requests wait than may. */
  | { readonly kind: 'greedy' }
  /** The items that a client missed could not be read from the log. */
  | { readonly kind: 'replay-failed' }
  /** A notification could not be made or written: a defect of the node. */
  | { readonly kind: 'defect' }
  | { readonly kind: 'stopping'; readonly reason: string }
  /** By a command of dev mode. */
  | { readonly kind: 'cut'; readonly reason: string };

/**
 * Close codes of RFC 6455, section 7.4.1, and of the IANA registry of websocket close codes (1013: try again later).
 */
const CODES: Readonly<Record<CutOff['kind'], number>> = {
  slow: 1013,
  greedy: 1008,
  'replay-failed': 1011,
  defect: 1011,
  stopping: 1001,
  cut: 1008,
};

/** CometBFT names a slow client in `subscription was canceled (reason: ...)`; no Ethereum node has words for it. */
const SLOW: Readonly<Record<PushFace, (pending: number) => string>> = {
  consensus: () => 'slow client',
  ethereum: (pending) => `slow consumer: ${pending} bytes pending`,
};

const GREEDY: Readonly<Record<PushFace, string>> = {
  consensus: 'too many requests are waiting (limit cometWsWaitingMessages)',
  ethereum: 'too many requests are waiting (limit ethWsWaitingMessages)',
};

/** The close code and the reason that the client of a face receives. */
export function closeOf(face: PushFace, cutOff: CutOff): { readonly code: number; readonly reason: string } {
  return { code: CODES[cutOff.kind], reason: reasonOf(face, cutOff) };
}

function reasonOf(face: PushFace, cutOff: CutOff): string {
  switch (cutOff.kind) {
    case 'slow':
      return SLOW[face](cutOff.pending);
    case 'greedy':
      return GREEDY[face];
    case 'replay-failed':
      return 'replay failed';
    case 'defect':
      return 'internal error';
    case 'stopping':
    case 'cut':
      return cutOff.reason;
  }
}
