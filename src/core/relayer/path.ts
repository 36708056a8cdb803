/**
 * Computes the next step toward an open path between two chains from the chains' state alone, so that a restarted
 * relayer needs no memory (ICS-18; handshakes of ICS-3 and ICS-4).
 */
import { type IdentifiedChannel, State as ChannelState } from '../proto/ibc/core/channel/v1/channel_pb.js';
import { type IdentifiedConnection, State as ConnectionState } from '../proto/ibc/core/connection/v1/connection_pb.js';

/** A chain of a path; `a` starts the handshakes. */
export type Side = 'a' | 'b';

/** One chain's state about paths to the other. */
export interface PathView {
  /** Ids of clients that can still be updated, in order of creation. */
  readonly clients: readonly string[];
  readonly connections: readonly IdentifiedConnection[];
  /** Channels of port `transfer`. */
  readonly channels: readonly IdentifiedChannel[];
}

/** Ids of a path on one chain; empty when they do not exist yet. */
export interface PathEnd {
  readonly clientId: string;
  readonly connectionId: string;
  readonly channelId: string;
}

export type PathEnds = Readonly<Record<Side, PathEnd>>;

/** Messages of a handshake, in order. */
export type Phase = 'init' | 'try' | 'ack' | 'confirm';

/** Next step of a path. */
export type PathStep =
  | { readonly kind: 'client'; readonly on: Side }
  | { readonly kind: 'connection' | 'channel'; readonly phase: Phase; readonly ends: PathEnds }
  | { readonly kind: 'open'; readonly ends: PathEnds };

/** Chain that receives each handshake message. */
export const SIDE_OF: Readonly<Record<Phase, Side>> = { init: 'a', try: 'b', ack: 'a', confirm: 'b' };

/** Next step toward an open channel; continues the path that has progressed furthest. */
export function nextStep(a: PathView, b: PathView): PathStep {
  const [clientA, clientB] = [a.clients[0], b.clients[0]];
  if (clientA === undefined) return { kind: 'client', on: 'a' };
  if (clientB === undefined) return { kind: 'client', on: 'b' };
  const connection = furthest(
    a.connections.filter(
      ({ clientId, counterparty }) => a.clients.includes(clientId) && b.clients.includes(counterparty?.clientId ?? ''),
    ),
    (one) =>
      b.connections.find(
        ({ clientId, counterparty }) =>
          counterparty?.connectionId === one.id && clientId === one.counterparty?.clientId,
      ),
    ConnectionState,
  );
  const ends: PathEnds = {
    a: { ...NO_END, clientId: connection?.one.clientId ?? clientA, connectionId: connection?.one.id ?? '' },
    b: {
      ...NO_END,
      clientId: connection?.one.counterparty?.clientId ?? clientB,
      connectionId: connection?.other?.id ?? '',
    },
  };
  if (connection === undefined) return { kind: 'connection', phase: 'init', ends };
  if (connection.next !== 'open') return { kind: 'connection', phase: connection.next, ends };
  const channel = furthest(
    a.channels.filter(({ connectionHops }) => connectionHops[0] === ends.a.connectionId),
    (one) =>
      b.channels.find(
        ({ counterparty, connectionHops }) =>
          counterparty?.channelId === one.channelId && connectionHops[0] === ends.b.connectionId,
      ),
    ChannelState,
  );
  const all: PathEnds = {
    a: { ...ends.a, channelId: channel?.one.channelId ?? '' },
    b: { ...ends.b, channelId: channel?.other?.channelId ?? '' },
  };
  if (channel === undefined) return { kind: 'channel', phase: 'init', ends: all };
  return channel.next === 'open' ? { kind: 'open', ends: all } : { kind: 'channel', phase: channel.next, ends: all };
}

const NO_END: PathEnd = { clientId: '', connectionId: '', channelId: '' };

/** State numbers that connections and channels share. */
type States<State> = Readonly<Record<'INIT' | 'TRYOPEN' | 'OPEN', State>>;

type Next = Exclude<Phase, 'init'> | 'open';

interface Pair<End> {
  readonly one: End;
  readonly other: End | undefined;
  readonly next: Next;
}

const BEST_FIRST: readonly Next[] = ['open', 'confirm', 'ack', 'try'];

/** Pair of ends whose handshake has progressed furthest; undefined when none can become open. */
function furthest<End extends { readonly state: unknown }>(
  ends: readonly End[],
  otherOf: (one: End) => End | undefined,
  states: States<End['state']>,
): Pair<End> | undefined {
  const pairs = ends.flatMap((one): readonly Pair<End>[] => {
    const other = otherOf(one);
    const next = nextOf(one.state, other?.state, states);
    return next === undefined ? [] : [{ one, other, next }];
  });
  return BEST_FIRST.flatMap((next) => pairs.filter((pair) => pair.next === next))[0];
}

function nextOf<State>(one: State, other: State | undefined, { INIT, TRYOPEN, OPEN }: States<State>): Next | undefined {
  if (other === undefined) return one === INIT ? 'try' : undefined;
  if (other === TRYOPEN && one === INIT) return 'ack';
  if (one !== OPEN) return undefined;
  return other === OPEN ? 'open' : other === TRYOPEN ? 'confirm' : undefined;
}
