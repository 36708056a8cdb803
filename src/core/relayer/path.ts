/**
 * The path between two chains: what it lacks, as a function of what the chains hold, so that a relayer that begins
 * again needs no memory (ICS-18; handshakes of ICS-3 and ICS-4).
 */
import { type IdentifiedChannel, State as ChannelState } from '../proto/ibc/core/channel/v1/channel_pb.js';
import { type IdentifiedConnection, State as ConnectionState } from '../proto/ibc/core/connection/v1/connection_pb.js';

/** A chain of a path; `a` begins handshakes. */
export type Side = 'a' | 'b';

/** The ends of paths that one chain holds to the other. */
export interface PathView {
  /** Ids of the clients that can still follow the other chain, in order of their making. */
  readonly clients: readonly string[];
  readonly connections: readonly IdentifiedConnection[];
  /** Channels of the port `transfer`. */
  readonly channels: readonly IdentifiedChannel[];
}

/** The ids of a path on one chain; empty where there is none yet. */
export interface PathEnd {
  readonly clientId: string;
  readonly connectionId: string;
  readonly channelId: string;
}

export type PathEnds = Readonly<Record<Side, PathEnd>>;

/** The messages of a handshake, in their order. */
export type Phase = 'init' | 'try' | 'ack' | 'confirm';

/** The next step of a path. */
export type PathStep =
  | { readonly kind: 'client'; readonly on: Side }
  | { readonly kind: 'connection' | 'channel'; readonly phase: Phase; readonly ends: PathEnds }
  | { readonly kind: 'open'; readonly ends: PathEnds };

/** The chain that takes a message of a handshake. */
export const SIDE_OF: Readonly<Record<Phase, Side>> = { init: 'a', try: 'b', ack: 'a', confirm: 'b' };

/** The next step to an open channel; of several paths the one that is furthest is continued. */
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

/** The numbers of states that connections and channels share. */
type States<State> = Readonly<Record<'INIT' | 'TRYOPEN' | 'OPEN', State>>;

type Next = Exclude<Phase, 'init'> | 'open';

interface Pair<End> {
  readonly one: End;
  readonly other: End | undefined;
  readonly next: Next;
}

const BEST_FIRST: readonly Next[] = ['open', 'confirm', 'ack', 'try'];

/** The pair of ends whose handshake is furthest; undefined where none can end open. */
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
