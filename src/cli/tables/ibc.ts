import type { CommandBody, CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const PAGES: readonly OptionSet[] = [...ASKS, 'page'];

const client = () => import('../commands/query-ibc-client.js');
const connection = () => import('../commands/query-ibc-connection.js');
const channel = () => import('../commands/query-ibc-channel.js');
const channelV2 = () => import('../commands/query-ibc-channel-v2.js');
const header = () => import('../commands/query-ibc-header.js');
const transfer = () => import('../commands/query-ibc-transfer.js');
const sent = () => import('../commands/tx-ibc-transfer.js');

const PROVE: OptionRow = {
  flag: '--prove <boolean>',
  doc: 'the answer with its proof',
  choices: ['true', 'false'],
  default: 'true',
};
const SEQUENCES: OptionRow = { flag: '--sequences <list>', doc: 'sequences of packets, separated by commas' };
const LATEST: OptionRow = { flag: '--latest-height', doc: "at the client's latest height" };

type Load = () => Promise<CommandBody>;
type More = Omit<Partial<CommandRow>, 'path' | 'doc' | 'load'>;

const query = (path: string, doc: string, load: Load, more: More = {}): CommandRow => ({
  sets: ASKS,
  ...more,
  path: `query ${path}`,
  doc,
  load,
});
const paged = (path: string, doc: string, load: Load, args?: string): CommandRow =>
  query(path, doc, load, { sets: PAGES, ...(args !== undefined && { args }) });
const proven = (path: string, args: string, doc: string, load: Load, options: readonly OptionRow[] = []): CommandRow =>
  query(path, doc, load, { args, options: [PROVE, ...options] });

/** IBC and transfers over it, under the command names of ibc-go. */
export const IBC: CommandTable = {
  groups: [
    { path: 'query ibc', doc: 'clients, connections and channels of IBC' },
    { path: 'query ibc client', doc: 'light clients of other chains' },
    { path: 'query ibc connection', doc: 'connections with other chains' },
    { path: 'query ibc channel', doc: 'channels and their packets' },
    { path: 'query ibc channelv2', doc: 'packets from client to client (v2)' },
    { path: 'query ibc-transfer', doc: 'tokens over IBC' },
    { path: 'tx ibc-transfer', doc: 'tokens over IBC' },
  ],
  commands: [
    query('ibc client params', 'parameters of clients', async () => (await client()).params),
    paged('ibc client states', 'all clients', async () => (await client()).states),
    proven('ibc client state', '<client-id>', 'a client', async () => (await client()).state),
    query('ibc client status', 'whether a client is active', async () => (await client()).status, {
      args: '<client-id>',
    }),
    query('ibc client creator', 'the account that made a client', async () => (await client()).creator, {
      args: '<client-id>',
    }),
    query('ibc client config', 'the relayers that a client allows', async () => (await client()).config, {
      args: '<client-id>',
    }),
    query(
      'ibc client counterparty-info',
      "a client's counterparty (v2)",
      async () => (await client()).counterpartyInfo,
      { args: '<client-id>' },
    ),
    proven(
      'ibc client consensus-state',
      '<client-id> [revision-height]',
      'what a client knows of a height',
      async () => (await client()).consensusState,
      [LATEST],
    ),
    paged(
      'ibc client consensus-states',
      'all that a client knows',
      async () => (await client()).consensusStates,
      '<client-id>',
    ),
    paged(
      'ibc client consensus-state-heights',
      'the heights that a client knows',
      async () => (await client()).consensusStateHeights,
      '<client-id>',
    ),
    query('ibc client header', "this chain's header with its signatures", async () => (await header()).header),
    query(
      'ibc client self-consensus-state',
      "what a client knows of this chain's last block",
      async () => (await header()).selfConsensusState,
    ),
    query('ibc connection params', 'parameters of connections', async () => (await connection()).params),
    paged('ibc connection connections', 'all connections', async () => (await connection()).connections),
    proven('ibc connection end', '<connection-id>', 'a connection', async () => (await connection()).end),
    proven(
      'ibc connection path',
      '<client-id>',
      'the connections that use a client',
      async () => (await connection()).path,
    ),
    paged('ibc channel channels', 'all channels', async () => (await channel()).channels),
    paged(
      'ibc channel connections',
      'the channels of a connection',
      async () => (await channel()).connections,
      '<connection-id>',
    ),
    query('ibc channel client-state', 'the client of a channel', async () => (await channel()).clientState, {
      args: '<port-id> <channel-id>',
    }),
    proven('ibc channel end', '<port-id> <channel-id>', 'a channel', async () => (await channel()).end),
    proven(
      'ibc channel next-sequence-receive',
      '<port-id> <channel-id>',
      'the sequence of the next packet that comes',
      async () => (await channel()).nextSequenceReceive,
    ),
    proven(
      'ibc channel next-sequence-send',
      '<port-id> <channel-id>',
      'the sequence of the next packet that goes',
      async () => (await channel()).nextSequenceSend,
    ),
    proven(
      'ibc channel packet-ack',
      '<port-id> <channel-id> <sequence>',
      'the acknowledgement of a packet',
      async () => (await channel()).packetAck,
    ),
    proven(
      'ibc channel packet-commitment',
      '<port-id> <channel-id> <sequence>',
      'the hash of a packet that was sent',
      async () => (await channel()).packetCommitment,
    ),
    paged(
      'ibc channel packet-commitments',
      'the hashes of all packets that were sent',
      async () => (await channel()).packetCommitments,
      '<port-id> <channel-id>',
    ),
    proven(
      'ibc channel packet-receipt',
      '<port-id> <channel-id> <sequence>',
      'whether a packet was received',
      async () => (await channel()).packetReceipt,
    ),
    query(
      'ibc channel unreceived-acks',
      'those of these packets that are not acknowledged',
      async () => (await channel()).unreceivedAcks,
      { args: '<port-id> <channel-id>', options: [SEQUENCES] },
    ),
    query(
      'ibc channel unreceived-packets',
      'those of these packets that were not received',
      async () => (await channel()).unreceivedPackets,
      { args: '<port-id> <channel-id>', options: [SEQUENCES] },
    ),
    proven(
      'ibc channelv2 next-sequence-send',
      '<client-id>',
      'the sequence of the next packet that goes',
      async () => (await channelV2()).nextSequenceSend,
    ),
    proven(
      'ibc channelv2 packet-acknowledgement',
      '<client-id> <sequence>',
      'the acknowledgement of a packet',
      async () => (await channelV2()).packetAcknowledgement,
    ),
    proven(
      'ibc channelv2 packet-commitment',
      '<client-id> <sequence>',
      'the hash of a packet that was sent',
      async () => (await channelV2()).packetCommitment,
    ),
    paged(
      'ibc channelv2 packet-commitments',
      'the hashes of all packets that were sent',
      async () => (await channelV2()).packetCommitments,
      '<client-id>',
    ),
    proven(
      'ibc channelv2 packet-receipt',
      '<client-id> <sequence>',
      'whether a packet was received',
      async () => (await channelV2()).packetReceipt,
    ),
    query(
      'ibc channelv2 unreceived-acks',
      'those of these packets that are not acknowledged',
      async () => (await channelV2()).unreceivedAcks,
      { args: '<client-id>', options: [SEQUENCES] },
    ),
    query(
      'ibc channelv2 unreceived-packets',
      'those of these packets that were not received',
      async () => (await channelV2()).unreceivedPackets,
      { args: '<client-id>', options: [SEQUENCES] },
    ),
    query('ibc-transfer params', 'parameters of transfers', async () => (await transfer()).params),
    paged('ibc-transfer denoms', 'tokens of other chains', async () => (await transfer()).denoms),
    query('ibc-transfer denom', 'the way of a token', async () => (await transfer()).denom, {
      args: '<hash-or-denom>',
    }),
    query('ibc-transfer denom-hash', 'the hash of a way', async () => (await transfer()).denomHash, {
      args: '<trace>',
    }),
    query(
      'ibc-transfer escrow-address',
      'the account that holds the coins that left over a channel',
      async () => (await transfer()).escrowAddress,
      {
        args: '<port-id> <channel-id>',
      },
    ),
    query('ibc-transfer total-escrow', 'the coins of a denom that left', async () => (await transfer()).totalEscrow, {
      args: '<denom>',
    }),
    {
      path: 'tx ibc-transfer transfer',
      args: '<source-port> <source-channel> <receiver> <coin>',
      doc: 'send a coin over a channel',
      output: 'json',
      sets: ['tx', 'output', 'node', 'keyring'],
      options: [
        { flag: '--from <key>', doc: 'key that signs', required: true },
        { flag: '--memo <text>', doc: 'text that goes with the packet' },
        {
          flag: '--packet-timeout-height <height>',
          doc: 'height {revision}-{height} of the other chain',
          default: '0-0',
        },
        {
          flag: '--packet-timeout-timestamp <nanoseconds>',
          doc: "time from the node's last block on",
          default: '600000000000',
        },
        { flag: '--absolute-timeouts', doc: 'the timeouts count from nothing' },
      ],
      load: async () => (await sent()).transfer,
    },
  ],
};
