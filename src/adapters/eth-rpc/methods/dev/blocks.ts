/** Dev commands that mine blocks, move the block clock, and set facts of the next blocks. */
import { hexData } from '../../../../core/bytes/hex.js';
import type { BlockSteps, EthereumDevApi } from '../../../../core/ethereum/api.js';
import type { EthereumBlock } from '../../../../core/ethereum/block-view.js';
import { blockJsonWith } from '../../../../core/ethereum/json/block-json.js';
import { revertReason } from '../../../../core/ethereum/revert-reason.js';
import type { Limits } from '../../../../core/limits/limits.js';
import type { Outcome } from '../../../../core/node-api.js';
import { type Height, toHeight } from '../../../../core/primitives.js';
import { isObject } from '../../../../core/text/json-object.js';
import { type Method, type MethodContext, method, refusing } from '../../method.js';
import { address, slot } from '../../params/hex.js';
import { LOOSE_QUANTITY, looseNumber, looseQuantity } from '../../params/numbers.js';
import { bad, good, optional, required, withDefault } from '../../params/param.js';
import { intervalOf, unitsOf } from './intervals.js';
import { answerOf, command, doneAs, doneSchema, named, toTrue, unsigned } from './names.js';
import * as result from '../../results.js';
import * as schema from '../../schema.js';

interface MineOptions {
  readonly blocks: bigint;
  readonly timestamp: bigint | undefined;
}

const url = required('url', schema.TEXT, () => good(undefined));

const ONE_BLOCK: MineOptions = { blocks: 1n, timestamp: undefined };

const MINE_OPTIONS = schema.anyOf(
  LOOSE_QUANTITY,
  schema.objectOf({ timestamp: LOOSE_QUANTITY, blocks: LOOSE_QUANTITY }, []),
);

/** Options of `evm_mine`: `{timestamp?, blocks?}`, or only the timestamp. */
const mineOptions = withDefault(
  required<MineOptions>('mine options', MINE_OPTIONS, (value) => {
    if (!isObject(value)) {
      const timestamp = looseNumber(value);
      return timestamp === undefined ? bad('not a timestamp') : good({ blocks: 1n, timestamp });
    }
    const blocks = looseNumber(value['blocks'] ?? 1);
    const timestamp = (value['timestamp'] ?? null) === null ? undefined : looseNumber(value['timestamp']);
    if (blocks === undefined) return bad('blocks is not a number');
    return timestamp === undefined && (value['timestamp'] ?? null) !== null
      ? bad('timestamp is not a number')
      : good({ blocks, timestamp });
  }),
  ONE_BLOCK,
);

/** Larger timestamps are taken as milliseconds, as in anvil. */
const LAST_SECONDS = 1_000_000_000_000n;

/** Creates the commands that mine blocks and set their time. */
export function blockCommands(dev: EthereumDevApi): readonly Method[] {
  const mine = (
    { blocks, timestamp }: MineOptions,
    { devMineBlocks }: Pick<Limits, 'devMineBlocks'>,
    steps?: BlockSteps,
  ): Promise<Outcome<Height>> =>
    blocks > BigInt(devMineBlocks)
      ? Promise.resolve({
          ok: false,
          error: { code: 'invalid-params', message: `limit devMineBlocks (${devMineBlocks}) exceeded` },
        })
      : dev.mine(Number(blocks), timestamp, steps);
  return [
    method(
      'evm_mine',
      'Makes blocks, the first at a timestamp',
      [mineOptions],
      schema.QUANTITY,
      async ([options], { limits }) => answerOf(await mine(options, limits), () => '"0x0"'),
    ),
    ...command(
      'mine',
      [],
      'Makes blocks, a number of seconds apart',
      [withDefault(looseQuantity, 1n), optional(looseQuantity)],
      ([blocks, seconds], { limits }, name) => mine({ blocks, timestamp: undefined }, limits, stepsOf(name, seconds)),
    ),
    ...['evm_mine_detailed', 'anvil_mine_detailed'].map((name) =>
      method(
        name,
        'Makes blocks and answers them with their transactions',
        [mineOptions],
        schema.listOf(result.BLOCK),
        async ([options], context) =>
          answerOf(await mine(options, context.limits), (last) => detailed(last, options.blocks, context)),
      ),
    ),
    ...named('increaseTime', ['evm_increaseTime'], (name) =>
      method(
        name,
        'Moves the clock of the chain by seconds; answers how far it is moved',
        [looseQuantity],
        { type: 'integer' },
        async ([seconds]) => answerOf(await dev.increaseTime(seconds), String),
      ),
    ),
    ...command(
      'setNextBlockTimestamp',
      ['evm_setNextBlockTimestamp'],
      'Sets the timestamp of the next block',
      [looseQuantity],
      ([timestamp]) => dev.setNextBlockTimestamp(timestamp),
    ),
    ...named('setTime', ['evm_setTime'], (name) =>
      method(
        name,
        'Sets the clock of the chain; answers how far it is moved in seconds',
        [looseQuantity],
        { type: 'integer' },
        async ([time]) => answerOf(await dev.setTime(time > LAST_SECONDS ? time / 1_000n : time), String),
      ),
    ),
    ...named('setBlockTimestampInterval', ['evm_setBlockTimestampInterval'], (name) =>
      method(
        name,
        `Sets the time between the timestamps of blocks in ${unitsOf(name)}`,
        [intervalOf(name)],
        doneSchema(name),
        async ([seconds]) => answerOf(await dev.setTimestampInterval(seconds), doneAs(name)),
      ),
    ),
    ...named('removeBlockTimestampInterval', ['evm_removeBlockTimestampInterval'], (name) =>
      method(name, 'Ends a fixed number of seconds between timestamps', [], schema.BOOLEAN, async () =>
        answerOf(await dev.setTimestampInterval(undefined), String),
      ),
    ),
    ...unsigned([
      ...command('setCoinbase', [], 'Sets the proposer that later blocks name', [address], ([coinbase]) =>
        dev.setBlockFacts({ coinbase }),
      ),
      ...named('setBlockGasLimit', ['evm_setBlockGasLimit'], (name) =>
        method(name, 'Sets the gas limit of later blocks', [looseQuantity], schema.BOOLEAN, async ([gasLimit]) =>
          answerOf(await dev.setBlockFacts({ gasLimit }), toTrue),
        ),
      ),
      ...command(
        'setNextBlockBaseFeePerGas',
        [],
        'Sets the base fee of the next block in wei',
        [looseQuantity],
        ([nextBaseFee]) => dev.setBlockFacts({ nextBaseFee }),
      ),
      ...['setPrevRandao', 'setNextBlockPrevRandao'].flatMap((suffix) =>
        command(suffix, [], 'Sets prevRandao of the next block', [slot], ([nextPrevRandao]) =>
          dev.setBlockFacts({ nextPrevRandao }),
        ),
      ),
    ]),
    ...named('setMinGasPrice', [], (name) =>
      refusing(name, [looseQuantity], 'this chain has EIP-1559, whose base fee is the lowest price'),
    ),
    ...named('setChainId', [], (name) =>
      refusing(name, [looseQuantity], 'the chain id is that of the genesis (--evm-chain-id)'),
    ),
    ...named('setRpcUrl', [], (name) => refusing(name, [url], 'this node forks no other chain')),
  ];
}

/**
 * Time steps between mined blocks: anvil adds the step before each block (v1.7 `crates/anvil/src/eth/api.rs`),
 * hardhat 3 before each but the first (EDR `crates/edr_provider/src/data.rs`).
 */
function stepsOf(name: string, seconds = 0n): BlockSteps | undefined {
  return seconds === 0n ? undefined : { seconds, beforeFirst: name.startsWith('anvil_') };
}

/**
 * The last `blocks` blocks up to a height with full transactions, each with its `output` and, if it reverted, its
 * `revertReason`.
 */
function detailed(last: Height, blocks: bigint, { api }: MethodContext): string {
  const texts: string[] = [];
  for (let height = last - blocks + 1n; height <= last; height += 1n) {
    const block = api.block(toHeight(height));
    if (block !== undefined) texts.push(detailedBlock(block));
  }
  return `[${texts.join(',')}]`;
}

function detailedBlock(block: EthereumBlock): string {
  return blockJsonWith(block, ({ receipt }) => {
    const reason = receipt.status === 'failed' ? revertReason(receipt.output) : undefined;
    const output = `,"output":"${hexData(receipt.output)}"`;
    return reason === undefined ? output : `${output},"revertReason":${JSON.stringify(reason)}`;
  });
}
