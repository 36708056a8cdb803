/** When blocks are made, and which transactions wait for one. */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { hexData } from '../../../../core/bytes/hex.js';
import { type Answer, type Method, method, ok } from '../../method.js';
import { address, hash } from '../../params/hex.js';
import { bool } from '../../params/param.js';
import { intervalOf } from './intervals.js';
import { answerOf, named, toNull, toTrue } from './names.js';
import * as schema from '../../schema.js';

export function miningCommands(dev: EthereumDevApi): readonly Method[] {
  const setAutomine = async (on: boolean, json: () => string): Promise<Answer> => {
    if (!on && dev.mining().kind !== 'instant') return ok(json());
    return answerOf(await dev.setMining({ kind: on ? 'instant' : 'manual' }), json);
  };
  const setInterval = async (every: bigint): Promise<Answer> =>
    answerOf(
      await dev.setMining(every === 0n ? { kind: 'manual' } : { kind: 'interval', intervalMs: Number(every) * 1_000 }),
      toNull,
    );
  return [
    ...named('setAutomine', ['evm_setAutomine'], (name) =>
      method(name, 'Sets whether each transaction gets a block at once', [bool], schema.NULL, ([on]) =>
        setAutomine(on, toNull),
      ),
    ),
    // ganache's names of the same
    method('miner_start', 'Makes a block for each transaction at once', [], schema.BOOLEAN, () =>
      setAutomine(true, toTrue),
    ),
    method('miner_stop', 'Makes blocks by command alone', [], schema.BOOLEAN, () => setAutomine(false, toTrue)),
    ...named('getAutomine', [], (name) =>
      method(name, 'Whether each transaction gets a block at once', [], schema.BOOLEAN, () =>
        ok(String(dev.mining().kind === 'instant')),
      ),
    ),
    ...named('setIntervalMining', ['evm_setIntervalMining'], (name) =>
      method(name, 'Makes a block every so many seconds; 0 ends it', [intervalOf(name)], schema.NULL, ([every]) =>
        setInterval(every),
      ),
    ),
    ...named('getIntervalMining', [], (name) =>
      method(
        name,
        'Seconds between blocks; null where they are not made by time',
        [],
        schema.orNull({ type: 'number' }),
        () => {
          const mining = dev.mining();
          return ok(mining.kind === 'interval' ? String(mining.intervalMs / 1_000) : 'null');
        },
      ),
    ),
    ...named('dropTransaction', [], (name) =>
      method(
        name,
        'Drops a waiting transaction',
        [hash],
        schema.anyOf(schema.HASH, schema.BOOLEAN, schema.NULL),
        async ([wanted]) => answerOf(await dev.dropTransaction(wanted), (was) => droppedJson(name, was, wanted)),
      ),
    ),
    ...named('dropAllTransactions', ['debug_clearTxpool'], (name) =>
      method(name, 'Drops all waiting transactions', [], schema.NULL, async () =>
        answerOf(await dev.dropAllTransactions(), toNull),
      ),
    ),
    ...named('removePoolTransactions', [], (name) =>
      method(name, 'Drops the waiting transactions of a sender', [address], schema.NULL, async ([sender]) =>
        answerOf(await dev.dropTransactionsOf(sender), toNull),
      ),
    ),
  ];
}

/** hardhat's network helpers take nothing but a boolean; anvil answers the hash of what was dropped, or null. */
function droppedJson(name: string, wasWaiting: boolean, transaction: Uint8Array): string {
  if (name.startsWith('hardhat_')) return String(wasWaiting);
  return wasWaiting ? `"${hexData(transaction)}"` : 'null';
}
