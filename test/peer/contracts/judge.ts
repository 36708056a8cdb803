/** Runs calls in blocks and in queries of both programs, and reports every difference. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Hex, toHex } from 'viem';
import { hex } from '../../../src/core/bytes/hex.js';
import { TxMsgDataSchema } from '../../../src/core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import { EthCallRequestSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { MsgEthereumTxResponseSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { blockDifferences } from '../differences.js';
import type { Pair } from '../pair.js';
import { stateDifferences } from '../state.js';
import { EVM_CHAIN_ID } from './play.js';

/** A transaction and its description. */
export interface Step {
  readonly name: string;
  readonly tx: Uint8Array;
}

/** Transactions in one block. */
const MOST = 80;
const cut = (value: string): string => (value.length > 700 ? `${value.slice(0, 700)}…` : value);

/** The response to a transaction, as text. */
function response(encoded: Uint8Array): string {
  try {
    const { vmError, gasUsed, ret, logs } = fromBinary(MsgEthereumTxResponseSchema, encoded);
    const told = logs.map(({ topics, data }) => `log ${topics.join()} ${hex(data)}`).join(' ');
    return `${vmError} ${gasUsed} ${told} ${Buffer.from(ret)
      .toString('latin1')
      .replaceAll(/[^ -~]+/gu, '~')} ${hex(ret)}`;
  } catch {
    return hex(encoded);
  }
}
function dataOf(encoded: string): string {
  const { msgResponses } = fromBinary(TxMsgDataSchema, Buffer.from(encoded, 'hex'));
  return msgResponses.map(({ value }) => response(value)).join();
}

/** Executes the steps in blocks. Reports every difference. */
export async function judged(pair: Pair, steps: Iterable<Step>): Promise<readonly string[]> {
  const found: string[] = [];
  let block: Step[] = [];
  const run = async (): Promise<void> => {
    const { ours, theirs } = await pair.block(block.map(({ tx }) => tx));
    const differences = blockDifferences(ours, theirs);
    for (const { transaction, of, ours: mine, theirs: other } of differences) {
      const name = transaction === undefined ? 'block' : (block[transaction]?.name ?? '');
      const [left, right] = of === 'data' ? [dataOf(mine), dataOf(other)] : [mine, other];
      found.push(`${name} | ${of}\n    ours   ${cut(left)}\n    theirs ${cut(right)}`);
    }
    if (differences.some(({ of }) => of === 'app hash')) found.push(...(await stateDifferences(pair)));
    block = [];
  };
  for (const step of steps) {
    block.push(step);
    if (block.length === MOST) await run();
  }
  if (block.length > 0) await run();
  return found;
}

/** Asks both programs for the result of a call. */
export async function asked(
  pair: Pair,
  name: string,
  from: Hex,
  to: Hex,
  input: Uint8Array,
): Promise<readonly string[]> {
  const args = Buffer.from(JSON.stringify({ from, to, input: toHex(input) }));
  const request = create(EthCallRequestSchema, { args, gasCap: 5_000_000n, chainId: EVM_CHAIN_ID });
  const { ours, theirs } = await pair.query('/cosmos.evm.vm.v1.Query/EthCall', toBinary(EthCallRequestSchema, request));
  const shown = ({ code, codespace, log, value }: typeof ours | typeof theirs): string =>
    [code, codespace, log, response(value)].join(' | ');
  const [mine, other] = [shown(ours), shown(theirs)];
  return mine === other ? [] : [`asked: ${name}\n    ours   ${cut(mine)}\n    theirs ${cut(other)}`];
}
