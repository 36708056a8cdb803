/** The next step of an IBC path is derived from the state of both chains, without memory. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import {
  IdentifiedChannelSchema,
  State as ChannelState,
} from '../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import {
  IdentifiedConnectionSchema,
  State as ConnectionState,
} from '../../../src/core/proto/ibc/core/connection/v1/connection_pb.js';
import { nextStep, type PathView } from '../../../src/core/relayer/path.js';

type Name = 'INIT' | 'TRYOPEN' | 'OPEN';

const connection = (id: string, state: Name, clientId: string, other: readonly [client: string, id: string]) =>
  create(IdentifiedConnectionSchema, {
    id,
    clientId,
    state: ConnectionState[state],
    counterparty: { clientId: other[0], connectionId: other[1] },
  });

const channel = (channelId: string, state: Name | 'CLOSED', hop: string, other: string) =>
  create(IdentifiedChannelSchema, {
    channelId,
    portId: 'transfer',
    state: ChannelState[state],
    connectionHops: [hop],
    counterparty: { portId: 'transfer', channelId: other },
  });

const view = (
  clients: readonly string[],
  connections: PathView['connections'] = [],
  channels: PathView['channels'] = [],
): PathView => ({ clients, connections, channels });

const A = ['client-a'];
const B = ['client-b'];
const OPEN_A = connection('conn-a', 'OPEN', 'client-a', ['client-b', 'conn-b']);
const OPEN_B = connection('conn-b', 'OPEN', 'client-b', ['client-a', 'conn-a']);

describe('the next step of a path', () => {
  test('creates a client on each chain first', () => {
    expect(nextStep(view([]), view([]))).toEqual({ kind: 'client', on: 'a' });
    expect(nextStep(view(A), view([]))).toEqual({ kind: 'client', on: 'b' });
  });

  test.each([
    ['init', undefined, undefined],
    ['try', 'INIT', undefined],
    ['ack', 'INIT', 'TRYOPEN'],
    ['confirm', 'OPEN', 'TRYOPEN'],
    // A connection whose other end is missing does not count.
    ['init', 'OPEN', undefined],
    ['init', 'TRYOPEN', 'INIT'],
  ] as const)('for a connection is %s when its ends are %s and %s', (phase, here, there) => {
    const a = here === undefined ? [] : [connection('conn-a', here, 'client-a', ['client-b', ''])];
    const b = there === undefined ? [] : [connection('conn-b', there, 'client-b', ['client-a', 'conn-a'])];
    expect(nextStep(view(A, a), view(B, b))).toMatchObject({ kind: 'connection', phase });
  });

  test.each([
    ['init', undefined, undefined],
    ['try', 'INIT', undefined],
    ['ack', 'INIT', 'TRYOPEN'],
    ['confirm', 'OPEN', 'TRYOPEN'],
    ['init', 'CLOSED', 'OPEN'],
    ['init', 'OPEN', 'CLOSED'],
  ] as const)('for a channel is %s when its ends are %s and %s', (phase, here, there) => {
    const a = here === undefined ? [] : [channel('channel-3', here, 'conn-a', '')];
    const b = there === undefined ? [] : [channel('channel-5', there, 'conn-b', 'channel-3')];
    expect(nextStep(view(A, [OPEN_A], a), view(B, [OPEN_B], b))).toMatchObject({ kind: 'channel', phase });
  });

  test('is "open" when a channel is open, also beside another unfinished channel', () => {
    const a = [channel('channel-0', 'INIT', 'conn-a', ''), channel('channel-1', 'OPEN', 'conn-a', 'channel-7')];
    const b = [channel('channel-7', 'OPEN', 'conn-b', 'channel-1')];
    expect(nextStep(view(['other', ...A], [OPEN_A], a), view(B, [OPEN_B], b))).toEqual({
      kind: 'open',
      ends: {
        a: { clientId: 'client-a', connectionId: 'conn-a', channelId: 'channel-1' },
        b: { clientId: 'client-b', connectionId: 'conn-b', channelId: 'channel-7' },
      },
    });
  });

  test('starts a new connection when the client of the old one is not usable any more', () => {
    expect(nextStep(view(['client-c'], [OPEN_A]), view(B, [OPEN_B]))).toMatchObject({
      kind: 'connection',
      phase: 'init',
      ends: { a: { clientId: 'client-c' }, b: { clientId: 'client-b' } },
    });
  });
});
