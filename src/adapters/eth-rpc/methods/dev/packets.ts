/**
 * Dev commands for IBC packets that this chain sends to the second chain of `dev --ibc`, and for its light clients.
 */
import { hexData, hexQuantity } from '../../../../core/bytes/hex.js';
import type { EthereumDevApi, PacketCommands, PacketDelay, RelayedPacket } from '../../../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import type { Outcome } from '../../../../core/node-api.js';
import { isObject } from '../../../../core/text/json-object.js';
import { serverError } from '../../errors.js';
import { type Answer, failed, type Method, method } from '../../method.js';
import { hash } from '../../params/hex.js';
import { count, LOOSE_QUANTITY, looseNumber } from '../../params/numbers.js';
import { bad, decodeEach, good, optional, type Param, required } from '../../params/param.js';
import * as schema from '../../schema.js';
import { answerOf, unsigned } from './names.js';

/** The error of a node without a second chain. */
const NO_SECOND_CHAIN = serverError('this node has no second chain: start it with chronicled dev --ibc');

const SEQUENCE: Param<bigint> = { ...count, label: 'sequence' };

/** A list of packet sequences; duplicates count once. */
const sequences: Param<readonly bigint[]> = required(
  'sequences',
  schema.listOf(count.schema, FIXED_LIMITS.relayerControls),
  (value) => {
    const { relayerControls: maximum } = FIXED_LIMITS;
    if (!Array.isArray(value)) return bad('not a list of sequences');
    if (value.length > maximum) return bad(`${value.length} sequences, limit relayerControls (${maximum})`);
    const read = decodeEach(value, (item: unknown) => count.decode(item));
    return read.ok ? good([...new Set(read.value)]) : read;
  },
);

const DELAY = schema.objectOf({ blocks: LOOSE_QUANTITY, seconds: LOOSE_QUANTITY }, []);

/** `{blocks?, seconds?}`. */
const delay: Param<PacketDelay> = required('delay', DELAY, (value) => {
  if (!isObject(value)) return bad('not an object with blocks or seconds');
  const [blocks, seconds] = [looseNumber(value['blocks'] ?? 0), looseNumber(value['seconds'] ?? 0)];
  return blocks === undefined || seconds === undefined
    ? bad('blocks or seconds is not a number')
    : good({ blocks, seconds });
});

const CLIENT_ID: schema.Schema = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' };
const clientId = required('client id', CLIENT_ID, (value) =>
  typeof value === 'string' && /^[a-z0-9-]{1,64}$/u.test(value) ? good(value) : bad('not the id of a client'),
);

const PACKET: schema.Schema = {
  title: 'RelayedPacket',
  ...schema.objectOf({
    sequence: schema.QUANTITY_64,
    channel: schema.TEXT,
    destinationChannel: schema.TEXT,
    status: schema.oneOfTexts('waiting', 'received', 'acknowledged', 'timed out', 'lost'),
    reason: schema.orNull(schema.TEXT),
    acknowledgement: schema.orNull(schema.DATA),
  }),
};

/** Creates the commands for packets; without a second chain they fail with a hint. */
export function packetCommands(dev: EthereumDevApi): readonly Method[] {
  const { packets } = dev;
  const over = async <Value>(
    run: (packets: PacketCommands) => Outcome<Value> | Promise<Outcome<Value>>,
    json: (value: Value) => string,
  ): Promise<Answer> => (packets === undefined ? failed(NO_SECOND_CHAIN) : answerOf(await run(packets), json));
  const done = (run: (packets: PacketCommands) => Outcome<undefined> | Promise<Outcome<undefined>>) =>
    over(run, () => 'null');
  return [
    method(
      'chronicle_packets',
      'Packets of this chain that have not ended, or those of a transaction',
      [optional(hash)],
      schema.orNull(schema.listOf(PACKET)),
      ([transaction]) =>
        over<readonly RelayedPacket[] | undefined>(
          (all) => (transaction === undefined ? all.list() : all.ofTransaction(transaction)),
          (list) => (list === undefined ? 'null' : JSON.stringify(list.map(packetJson))),
        ),
    ),
    method('chronicle_packet', 'A packet that this chain sent', [SEQUENCE], schema.orNull(PACKET), ([sequence]) =>
      over(
        (all) => all.find(sequence),
        (one) => (one === undefined ? 'null' : JSON.stringify(packetJson(one))),
      ),
    ),
    method(
      'chronicle_holdPackets',
      'Holds packets of this chain, or all, with answers and timeouts',
      [optional(sequences)],
      schema.NULL,
      ([some]) => done((all) => all.hold(some)),
    ),
    method(
      'chronicle_releasePackets',
      'Lets held packets go; of all, order and delay end, too',
      [optional(sequences)],
      schema.NULL,
      ([some]) => done((all) => all.release(some)),
    ),
    method(
      'chronicle_dropPacket',
      'Never brings a packet, so that it times out',
      [SEQUENCE],
      schema.NULL,
      ([sequence]) => done((all) => all.drop(sequence)),
    ),
    method(
      'chronicle_orderPackets',
      'Brings packets one after another in this order',
      [sequences],
      schema.NULL,
      ([some]) => done((all) => all.order(some)),
    ),
    method(
      'chronicle_delayPackets',
      'Brings packets so many blocks and seconds after they were sent',
      [delay],
      schema.NULL,
      ([given]) => done((all) => all.delay(given)),
    ),
    method(
      'chronicle_timeOutPacket',
      'Drops a packet and moves the other chain past its timeout',
      [SEQUENCE],
      schema.NULL,
      ([sequence]) => done((all) => all.timeOut(sequence)),
    ),
    ...unsigned([
      method(
        'chronicle_expireClient',
        'Lets the trusting period of a light client pass; answers its id',
        [optional(clientId)],
        schema.TEXT,
        async ([given]) => {
          const id = given === undefined ? packets?.client() : good(given);
          if (id === undefined) return failed(NO_SECOND_CHAIN);
          if (!id.ok) return answerOf(id, String);
          return answerOf(await dev.expireClient(id.value), () => JSON.stringify(id.value));
        },
      ),
    ]),
  ];
}

const packetJson = ({ sequence, reason, acknowledgement, ...texts }: RelayedPacket) => ({
  sequence: hexQuantity(sequence),
  ...texts,
  reason: reason ?? null,
  acknowledgement: acknowledgement === undefined ? null : hexData(acknowledgement),
});
