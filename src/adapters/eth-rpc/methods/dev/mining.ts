/** Dev commands that set the mining mode, and that drop pending transactions. */
import type { EthereumApi, EthereumDevApi } from '../../../../core/ethereum/api.js';
import { hexData } from '../../../../core/bytes/hex.js';
import { invalidParams } from '../../errors.js';
import { type Answer, failed, type Method, method, ok } from '../../method.js';
import { address, hash } from '../../params/hex.js';
import { bool } from '../../params/param.js';
import { pauseOf, type Pause, unitsOf } from './intervals.js';
import { answerOf, command, doneAs, doneSchema, named } from './names.js';
import * as schema from '../../schema.js';

/** Creates the commands that set the mining mode and drop pending transactions. */
export function miningCommands(dev: EthereumDevApi): readonly Method[] {
  const setPause = ({ shortest, longest }: Pause) => {
    if (shortest === 0 && (longest ?? 0) === 0) return dev.setMining({ kind: 'manual' });
    const intervalMs = Math.max(1, shortest);
    return dev.setMining({
      kind: 'interval',
      intervalMs,
      ...(longest !== undefined && { longestMs: Math.max(intervalMs, longest) }),
    });
  };
  return [
    ...named('setAutomine', ['evm_setAutomine'], (name) =>
      method(name, 'Sets whether each transaction gets a block at once', [bool], doneSchema(name), ([on]) =>
        setAutomine(dev, on, doneAs(name)),
      ),
    ),
    ...named('getAutomine', [], (name) =>
      method(name, 'Whether each transaction gets a block at once', [], schema.BOOLEAN, () =>
        ok(String(dev.mining().kind === 'instant')),
      ),
    ),
    ...named('setIntervalMining', ['evm_setIntervalMining'], (name) =>
      method(
        name,
        `Sets the pause between blocks in ${unitsOf(name, true)}; 0 ends it`,
        [pauseOf(name)],
        doneSchema(name),
        async ([pause]) => answerOf(await setPause(pause), doneAs(name)),
      ),
    ),
    ...named('getIntervalMining', [], (name) =>
      method(
        name,
        'Seconds between blocks, or the fewest and the most; null where they are not made by time',
        [],
        schema.anyOf({ type: 'number' }, schema.tupleOf({ type: 'number' }, { type: 'number' }), schema.NULL),
        () => ok(pauseJson(dev)),
      ),
    ),
    // mines a block as hardhat's interval timer does (hardhat 2.20
    // `internal/hardhat-network/provider/modules/hardhat.ts`)
    method('hardhat_intervalMine', 'Makes a block', [], doneSchema('hardhat_intervalMine'), async () =>
      answerOf(await dev.mine(1, undefined), doneAs('hardhat_intervalMine')),
    ),
    ...named('dropTransaction', [], (name) =>
      method(
        name,
        'Drops a waiting transaction',
        [hash],
        name.startsWith('hardhat_') ? schema.BOOLEAN : schema.orNull(schema.HASH),
        async ([wanted], { api }) => {
          const dropped = await dev.dropTransaction(wanted);
          if (name.startsWith('hardhat_') && dropped.ok && !dropped.value && isMined(api, wanted))
            return failed(invalidParams(`Transaction ${hexData(wanted)} cannot be dropped because it's already mined`));
          return answerOf(dropped, (was) => droppedJson(name, was, wanted));
        },
      ),
    ),
    ...command('dropAllTransactions', ['debug_clearTxpool'], 'Drops all waiting transactions', [], () =>
      dev.dropAllTransactions(),
    ),
    ...command('removePoolTransactions', [], 'Drops the waiting transactions of a sender', [address], ([sender]) =>
      dev.dropTransactionsOf(sender),
    ),
  ];
}

/** Switches to instant mining, or from instant to manual mining. */
export async function setAutomine(dev: EthereumDevApi, on: boolean, json: () => string): Promise<Answer> {
  if (!on && dev.mining().kind !== 'instant') return ok(json());
  return answerOf(await dev.setMining({ kind: on ? 'instant' : 'manual' }), json);
}

/** JSON of the seconds between blocks, or `[shortest, longest]`; null without an interval. */
function pauseJson(dev: EthereumDevApi): string {
  const mining = dev.mining();
  if (mining.kind !== 'interval') return 'null';
  const { intervalMs, longestMs } = mining;
  return JSON.stringify(longestMs === undefined ? intervalMs / 1_000 : [intervalMs / 1_000, longestMs / 1_000]);
}

function isMined(api: EthereumApi, transaction: Uint8Array): boolean {
  return api.transaction(transaction) !== undefined;
}

/** Answers a boolean under hardhat's name, as its helpers require; under anvil's name the dropped hash or null. */
function droppedJson(name: string, wasWaiting: boolean, transaction: Uint8Array): string {
  if (name.startsWith('hardhat_')) return String(wasWaiting);
  return wasWaiting ? `"${hexData(transaction)}"` : 'null';
}
