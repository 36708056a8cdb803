/** Dev commands that revert and reorganise the chain, and that dump and load the state. */
import type { DevSend, EthereumDevApi } from '../../../../core/ethereum/api.js';
import { hexData, hexQuantity } from '../../../../core/bytes/hex.js';
import { isObject } from '../../../../core/text/json-object.js';
import { invalidParams, serverError } from '../../errors.js';
import { type Method, type MethodContext, failed, method } from '../../method.js';
import { data } from '../../params/hex.js';
import { looseNumber, looseQuantity } from '../../params/numbers.js';
import {
  type Decoded,
  type Param,
  bad,
  bool,
  decodeEach,
  good,
  optional,
  required,
  withDefault,
} from '../../params/param.js';
import { type SendingArguments, sendingArguments } from '../../params/sending-arguments.js';
import { sendArguments } from '../send.js';
import { answerOf, command, doneAs, doneSchema, named, toTrue, unsigned } from './names.js';
import * as schema from '../../schema.js';

type ReorganizedTransaction =
  | { readonly kind: 'raw'; readonly raw: Uint8Array }
  | { readonly kind: 'arguments'; readonly args: SendingArguments };

interface PlacedTransaction {
  readonly transaction: ReorganizedTransaction;
  /** Index of its block among the new ones. */
  readonly block: number;
}

const PLACED = schema.listOf(schema.tupleOf(schema.anyOf(schema.DATA, sendingArguments.schema), schema.COUNT));

/** Pairs of a transaction (signed bytes or arguments) and the index of its block. */
const placedTransactions: Param<readonly PlacedTransaction[]> = required('transactions', PLACED, (value) => {
  if (!Array.isArray(value)) return bad('not a list of pairs of a transaction and the index of its block');
  return decodeEach(value, readPair);
});

function readPair(pair: unknown): Decoded<PlacedTransaction> {
  if (!Array.isArray(pair)) return bad('not a pair of a transaction and the index of its block');
  const [transaction, index] = pair as readonly unknown[];
  const block = looseNumber(index);
  if (block === undefined || block > BigInt(Number.MAX_SAFE_INTEGER)) return bad('not the index of a block');
  if (typeof transaction === 'string') {
    const raw = data.decode(transaction);
    return raw.ok ? good({ transaction: { kind: 'raw', raw: raw.value }, block: Number(block) }) : raw;
  }
  const args = sendingArguments.decode(transaction);
  return args.ok ? good({ transaction: { kind: 'arguments', args: args.value }, block: Number(block) }) : args;
}

const RESET_OPTIONS = schema.objectOf({ forking: schema.objectOf({ jsonRpcUrl: schema.NULL }, []) }, []);

/**
 * Options of `anvil_reset`: forking another chain is rejected. viem sends `forking` without a URL, which is accepted.
 */
const resetOptions: Param<undefined> = withDefault(
  required('options', RESET_OPTIONS, (value) =>
    isObject(value) && isObject(value['forking']) && (value['forking']['jsonRpcUrl'] ?? null) !== null
      ? bad('forking is not supported: this node forks no other chain')
      : good(undefined),
  ),
  undefined,
);

/** Creates the commands for snapshots, reverts, reorganisations and resets. */
export function branchCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    ...named('snapshot', ['evm_snapshot'], (name) =>
      method(name, 'Keeps the state of the chain; answers its id', [], schema.QUANTITY_64, async () =>
        answerOf(await dev.snapshot(), (id) => `"${hexQuantity(id)}"`),
      ),
    ),
    ...named('revert', ['evm_revert'], (name) =>
      method(name, 'Takes the chain back to a snapshot', [looseQuantity], schema.BOOLEAN, async ([id]) =>
        answerOf(await dev.revert(id), String),
      ),
    ),
    ...command(
      'rollback',
      [],
      'Reverts the newest blocks; the number counts them (default 1)',
      [withDefault(looseQuantity, 1n)],
      ([depth]) => dev.rollback(depth),
    ),
    // geth's `debug_setHead`: reverts to a height
    method(
      'debug_setHead',
      'Takes blocks back until one is the newest',
      [looseQuantity],
      doneSchema('debug_setHead'),
      async ([height], { api }) =>
        height > api.blockNumber()
          ? failed(serverError(`block #${height} not found`))
          : answerOf(await dev.rollbackTo(height), doneAs('debug_setHead')),
    ),
    ...named('reorg', [], (name) => ({
      // alloy 1.8 sends the options as the parameters (`anvil_reorg`), and anvil 1.7 takes both forms
      byName: ['depth', 'tx_block_pairs'],
      ...method(
        name,
        'Replaces the newest blocks by new ones',
        [looseQuantity, withDefault(placedTransactions, [])],
        doneSchema(name),
        async ([depth, placed], context) => {
          const { devRevertBlocks } = context.limits;
          if (depth > BigInt(devRevertBlocks))
            return failed(invalidParams(`limit devRevertBlocks (${devRevertBlocks}) exceeded`));
          const outside = placed.find(({ block }) => BigInt(block) >= depth);
          if (outside !== undefined)
            return failed(
              invalidParams(
                `Block number for reorg tx will exceed the reorged chain height. Block number (${outside.block}) must not exceed (depth-1)`,
              ),
            );
          return answerOf(await dev.reorganize(Number(depth), sendsOf(Number(depth), placed, context)), doneAs(name));
        },
      ),
    })),
    ...command('reset', [], 'Takes the chain back to its beginning', [resetOptions], () => dev.reset()),
    ...named('dumpState', [], (name) =>
      method(name, 'The state of the chain as bytes', [optional(bool)], schema.DATA, async () =>
        answerOf(await dev.dumpState(), (dump) => `"${hexData(dump)}"`),
      ),
    ),
    ...unsigned(
      named('loadState', [], (name) =>
        method(name, 'Reads a state that was written down before', [data], schema.BOOLEAN, async ([dump]) =>
          answerOf(await dev.loadState(dump), toTrue),
        ),
      ),
    ),
  ];
}

function sendsOf(
  depth: number,
  placed: readonly PlacedTransaction[],
  context: MethodContext,
): readonly (readonly DevSend[])[] {
  return Array.from({ length: depth }, (_, block) =>
    placed
      .filter((one) => one.block === block)
      .map(
        ({ transaction }): DevSend =>
          () =>
            transaction.kind === 'raw'
              ? context.api.sendRawTransaction(transaction.raw)
              : sendArguments(transaction.args, context),
      ),
  );
}
