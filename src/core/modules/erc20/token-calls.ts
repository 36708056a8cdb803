/** Calls of ERC-20 contracts by the module (cosmos/evm v0.6 `x/erc20/keeper/evm.go`). */
import { concat, equal, utf8 } from '../../bytes/bytes.js';
import { bigintOfBytes, wordOf } from '../../bytes/big-endian.js';
import { checksumAddress } from '../../keys/address.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { listedBytes, quotedBytes } from '../../sdk/go/go-text.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { plainError, RecoveredPanic, SdkError, sdkErrors, wrapped } from '../../sdk/module/sdk-error.js';
import type { EvmLog } from '../../evm/outcome.js';
import { callContract, type InternalResult } from '../evm/internal-call.js';
import { erc20Errors } from './errors.js';

const WORD = 32;
const TRANSFER = 'Transfer(address,address,uint256)';
const utf8Text = new TextDecoder();

export interface TokenData {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: bigint;
}

/** Address of the module account, which calls contracts and holds escrowed tokens. */
export const moduleAccount = (context: Context): Uint8Array => moduleAddress(context.crypto, 'erc20');

function selector({ crypto }: Context, signature: string): Uint8Array {
  return crypto.keccak256(utf8(signature)).subarray(0, 4);
}

const padded = (address: Uint8Array): Uint8Array => concat(new Uint8Array(WORD - address.length), address);

/** Queries a contract from the module account. The error names method and contract. */
function ask(context: Context, contract: Uint8Array, name: string, types: string, data: Uint8Array): Uint8Array {
  return named(context, contract, name, () =>
    callContract(context, {
      from: moduleAccount(context),
      to: contract,
      data: concat(selector(context, `${name}(${types})`), data),
      writes: false,
    }),
  ).output;
}

/** Runs a contract call; its error names method and contract. */
export function named(context: Context, contract: Uint8Array, name: string, run: () => InternalResult): InternalResult {
  try {
    return run();
  } catch (error) {
    if (!isReturned(error)) throw error;
    const text = `contract call failed: method '${name}', contract '${checksumAddress(context.crypto, contract)}'`;
    throw wrapped(error, text);
  }
}

/** Name, symbol and decimals of a token. Throws SdkError when the contract lacks one. */
export function tokenData(context: Context, contract: Uint8Array): TokenData {
  const [name, symbol] = [textOf(context, contract, 'name'), textOf(context, contract, 'symbol')];
  const output = ask(context, contract, 'decimals', '', new Uint8Array(0));
  const problem = answerProblem(output);
  if (problem !== undefined) throw new SdkError(erc20Errors.abiUnpack, `failed to unpack decimals: ${problem}`);
  const decimals = bigintOfBytes(output.subarray(0, WORD));
  if (decimals > 255n)
    throw new SdkError(erc20Errors.abiUnpack, 'failed to unpack decimals: abi: improperly encoded uint8 value');
  return { name, symbol, decimals };
}

/** Error of go-ethereum's `accounts/abi` for output that contains no words; undefined when it does. */
export function answerProblem(output: Uint8Array): string | undefined {
  if (output.length === 0) return 'abi: attempting to unmarshal an empty string while arguments are expected';
  if (output.length % WORD === 0) return undefined;
  return `abi: improperly formatted output: ${quotedBytes(output)} - Bytes: ${listedBytes(output)}`;
}

/** Reads a string, or a string in 32 bytes. */
function textOf(context: Context, contract: Uint8Array, method: 'name' | 'symbol'): string {
  const output = ask(context, contract, method, '', new Uint8Array(0));
  const found = decodeText(output);
  if (found !== undefined) return found;
  if (output.length === WORD) return utf8Text.decode(output.subarray(0, (output.indexOf(0) + WORD + 1) % (WORD + 1)));
  throw new SdkError(
    erc20Errors.abiUnpack,
    `failed to unpack ${method} as both string and raw bytes32 (len=${output.length})`,
  );
}

function decodeText(output: Uint8Array): string | undefined {
  if (output.length < 2 * WORD || output.length % WORD !== 0) return undefined;
  const offset = bigintOfBytes(output.subarray(0, WORD));
  if (offset + BigInt(WORD) > BigInt(output.length)) return undefined;
  const begin = Number(offset) + WORD;
  const length = bigintOfBytes(output.subarray(begin - WORD, begin));
  if (BigInt(begin) + length > BigInt(output.length)) return undefined;
  return utf8Text.decode(output.subarray(begin, begin + Number(length)));
}

/** Token balance; erc20 error 12 when the contract does not return one. */
export function tokenBalance(context: Context, contract: Uint8Array, owner: Uint8Array): bigint {
  let output: Uint8Array;
  try {
    output = ask(context, contract, 'balanceOf', 'address', padded(owner));
  } catch (error) {
    if (!isReturned(error)) throw error;
    output = new Uint8Array(0);
  }
  if (answerProblem(output) !== undefined) throw new SdkError(erc20Errors.evmCall, 'failed to retrieve balance');
  return bigintOfBytes(output.subarray(0, WORD));
}

export interface TokenTransfer {
  readonly contract: Uint8Array;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly amount: bigint;
  /** Error text for a contract that returns `false`. */
  readonly refusal: string;
  /** True when the error names method and contract. */
  readonly isNamed: boolean;
}

/** Transfers tokens: requires the output `true`, or no output and exactly one Transfer event. */
export function transferTokens(context: Context, transfer: TokenTransfer): void {
  const { contract, from, to, amount, refusal, isNamed } = transfer;
  const data = concat(selector(context, 'transfer(address,uint256)'), padded(to), wordOf(amount));
  const run = (): InternalResult => callContract(context, { from, to: contract, data, writes: true });
  const { output, logs } = isNamed ? named(context, contract, 'transfer', run) : run();
  if (output.length === 0) {
    requireTransferLog(context, logs, contract);
    return;
  }
  const problem = answerProblem(output);
  if (problem !== undefined) throw plainError(problem);
  const answer = bigintOfBytes(output.subarray(0, WORD));
  if (answer > 1n) throw plainError('abi: improperly encoded boolean value');
  if (answer === 0n) throw new SdkError(sdkErrors.logic, refusal);
}

function requireTransferLog(context: Context, logs: readonly EvmLog[], contract: Uint8Array): void {
  const event = context.crypto.keccak256(utf8(TRANSFER));
  let isFound = false;
  for (const { address, topics } of logs) {
    const [topic] = topics;
    // The peer reads the topic without a bounds check.
    if (topic === undefined) throw new RecoveredPanic('runtime error: index out of range [0] with length 0');
    if (!equal(topic, event)) continue;
    if (!equal(address, contract))
      throw new SdkError(erc20Errors.unexpectedEvent, 'Transfer event from unexpected address');
    if (isFound) throw new SdkError(erc20Errors.unexpectedEvent, 'duplicate Transfer event');
    isFound = true;
  }
  if (!isFound) throw new SdkError(erc20Errors.expectedEvent, 'expected Transfer event');
}
