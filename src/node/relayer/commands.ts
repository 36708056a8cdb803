import { NODE_STOPPING, refused, type Outcome } from '../../core/errors.js';
import type { PacketCommands } from '../../core/ethereum/packet-commands.js';
import type { Side } from '../../core/relayer/path.js';
import type { RelayerState } from './relayer-state.js';
import { type Direction, directionOf, openSequences, packetFacts, statusesOf } from './packet-facts.js';
import { RemoteFailed } from './remote.js';
import { passTimeout } from './pass-timeout.js';
import { packetsSentBy } from './packet-search.js';

const NOT_OPEN = { ok: false, error: { code: 'busy', what: 'the relayer, whose channel is not open,' } } as const;

/** Creates the commands for packets that a chain sent. They read the chains and change the relayer's controls. */
export function packetCommands(relayerState: RelayerState, side: Side): PacketCommands {
  const ask = async <Value>(run: (direction: Direction) => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    const { path } = relayerState;
    if (path === undefined) return NOT_OPEN;
    try {
      return await run(directionOf(path, side));
    } catch (error) {
      if (path.remotes.a.signal.aborted) return { ok: false, error: NODE_STOPPING };
      if (error instanceof RemoteFailed) return { ok: false, error: { code: 'bad-query', message: error.message } };
      throw error;
    }
  };
  const found = (sequences: (direction: Direction) => Promise<readonly bigint[]>) =>
    ask(async (direction) =>
      good(await packetFacts(direction, relayerState.controls(side), await sequences(direction))),
    );
  const waiting = (sequences: readonly bigint[], run: (direction: Direction) => Promise<Outcome<undefined>>) =>
    ask(async (direction) => {
      const statuses = await statusesOf(direction, sequences);
      const other = sequences.find((sequence) => statuses.get(sequence) !== 'waiting');
      return other === undefined ? run(direction) : refused(notWaiting(other, statuses.get(other)));
    });
  const change = (command: Parameters<RelayerState['change']>[1]): Outcome<undefined> =>
    relayerState.path === undefined ? NOT_OPEN : relayerState.change(side, command);

  return {
    list: () => found(openSequences),
    ofTransaction: (hash) =>
      ask(async (direction) => {
        const packets = await packetsSentBy(direction.source, hash);
        const own = packets?.filter(({ packet }) => packet.sourceChannel === direction.from.channelId);
        if (own === undefined) return good(undefined);
        const sequences = own.map(({ packet }) => packet.sequence);
        return good(await packetFacts(direction, relayerState.controls(side), sequences));
      }),
    async find(sequence) {
      const one = await found(() => Promise.resolve([sequence]));
      return one.ok ? good(one.value[0]) : one;
    },
    hold: (sequences) => change({ kind: 'hold', sequences }),
    release: (sequences) => change({ kind: 'release', sequences }),
    drop: (sequence) => waiting([sequence], () => Promise.resolve(change({ kind: 'drop', sequence }))),
    order: (sequences) => waiting(sequences, () => Promise.resolve(change({ kind: 'order', sequences }))),
    delay: (delay) => change({ kind: 'delay', delay }),
    timeOut: (sequence) =>
      waiting([sequence], async (direction) => {
        const dropped = change({ kind: 'drop', sequence });
        if (!dropped.ok) return dropped;
        const refusal = await passTimeout(direction, sequence);
        if (refusal !== undefined) return refused(refusal);
        const status = (await statusesOf(direction, [sequence])).get(sequence);
        // the relayer may already have been relaying it when it was dropped
        return status === 'waiting' || status === 'timed out' ? good(undefined) : refused(notWaiting(sequence, status));
      }),
    client: () => (relayerState.path === undefined ? NOT_OPEN : good(relayerState.path.ends[side].clientId)),
  };
}

const good = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });

const notWaiting = (sequence: bigint, status: string | undefined): string =>
  `packet ${sequence} does not wait: it ${status === undefined ? 'was not sent' : `is ${status}`}`;
