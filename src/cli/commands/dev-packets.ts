import type { CommandBody } from '../table/command-table.js';
import { askEthereum } from '../client/eth-client.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { wholeNumber } from '../values/whole-number.js';

/** Maps each action to the node's dev method and to its kind of argument. */
const ACTIONS: Readonly<Record<string, readonly [method: string, takes: 'some' | 'many' | 'one' | 'pause']>> = {
  hold: ['chronicle_holdPackets', 'some'],
  release: ['chronicle_releasePackets', 'some'],
  order: ['chronicle_orderPackets', 'many'],
  drop: ['chronicle_dropPacket', 'one'],
  timeout: ['chronicle_timeOutPacket', 'one'],
  delay: ['chronicle_delayPackets', 'pause'],
};

/**
 * `dev packets [ACTION] [SEQUENCES]`: prints packets in flight as JSON lines, or makes the relayer of `dev --ibc`
 * hold, release, drop, order, delay or time out packets sent by the chain at `--eth-node`.
 */
export const packets: CommandBody = async ({ ports }, [what = 'list', value], flags) => {
  const node = flags.needed('eth-node');
  if (what !== 'list') {
    const action = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
    if (action === undefined)
      throw new CommandError(
        EXIT.usage,
        `dev packets: ${JSON.stringify(what)} is none of list, ${Object.keys(ACTIONS).join(', ')}`,
      );
    const [method, takes] = action;
    await askEthereum(node, method, paramsOf(what, takes, value));
  }
  const list = await askEthereum(node, 'chronicle_packets', []);
  for (const packet of Array.isArray(list) ? list : []) ports.stdout(`${JSON.stringify(packet)}\n`);
};

function paramsOf(what: string, takes: 'some' | 'many' | 'one' | 'pause', value: string | undefined): unknown[] {
  if (value === undefined) {
    if (takes === 'some') return [];
    const wanted = {
      many: 'sequences, as 3,1,2',
      one: 'a sequence',
      pause: 'a number of blocks, or of seconds as 10s',
    };
    throw new CommandError(EXIT.usage, `dev packets ${what} needs ${wanted[takes]}`);
  }
  if (takes === 'pause')
    return [
      value.endsWith('s')
        ? { seconds: wholeNumber(value.slice(0, -1), 'seconds').toString() }
        : { blocks: wholeNumber(value, 'blocks').toString() },
    ];
  if (takes === 'one') return [wholeNumber(value, 'sequence').toString()];
  return [value.split(',').map((one) => wholeNumber(one, 'sequence').toString())];
}

/** `dev expire-client [ID]`: expires a light client by moving time past its trusting period; prints its id. */
export const expireClient: CommandBody = async ({ ports }, [id], flags) => {
  const expired = await askEthereum(flags.needed('eth-node'), 'chronicle_expireClient', id === undefined ? [] : [id]);
  ports.stdout(`${String(expired)}\n`);
};
