/** Reasons for which the node closes a websocket, with each face's texts. */
import type { PushFace } from '../../core/subscriptions/index.js';

/** Why the node ends a connection or a subscription. */
export type CutOff =
  /** A slow reader; `pending`: bytes waiting for the client. */
  | { readonly kind: 'slow'; readonly pending: number }
  /** Too many queued requests. */
  | { readonly kind: 'greedy' }
  /** Missed items could not be read from the log. */
  | { readonly kind: 'replay-failed' }
  /** A notification could not be encoded or written (a bug). */
  | { readonly kind: 'defect' }
  | { readonly kind: 'stopping'; readonly reason: string }
  /** Ended by a dev command. */
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

/** CometBFT's reason for a slow client; Ethereum nodes have no common text. */
const SLOW: Readonly<Record<PushFace, (pending: number) => string>> = {
  consensus: () => 'slow client',
  ethereum: (pending) => `slow consumer: ${pending} bytes pending`,
};

const GREEDY: Readonly<Record<PushFace, string>> = {
  consensus: 'too many requests are waiting (limit cometWsWaitingMessages)',
  ethereum: 'too many requests are waiting (limit ethWsWaitingMessages)',
};

/** Close code and reason for the client of a face. */
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
