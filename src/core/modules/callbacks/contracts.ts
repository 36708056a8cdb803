/** Contract calls requested by packets (cosmos/evm v0.6 `x/ibc/callbacks/keeper/keeper.go`). */
import { concat, equal, utf8 } from '../../bytes/bytes.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { delegateOfCode } from '../../evm/delegation.js';
import { checksumAddress } from '../../keys/address.js';
import type { AbiType } from '../../precompiles/abi/abi-type.js';
import { bytes, encodeAll, text } from '../../precompiles/abi/compounds.js';
import { address, uint, uint256 } from '../../precompiles/abi/words.js';
import type { Packet } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { decodeBech32 } from '../../sdk/codec/address.js';
import { readBech32 } from '../../sdk/codec/bech32.js';
import { branch, type Branch } from '../../sdk/module/branch.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { GasMeter, unmetered } from '../../sdk/module/gas.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { NIL_POINTER, plainError, RecoveredPanic, type RegisteredError, SdkError } from '../../sdk/module/sdk-error.js';
import { erc20Errors } from '../erc20/errors.js';
import { contractOf, tokenPairOf } from '../erc20/store.js';
import { answerProblem, named, tokenBalance } from '../erc20/token-calls.js';
import { callContract, type InternalCall, type InternalResult } from '../evm/internal-call.js';
import { getCode, getCodeHash } from '../evm/store.js';
import { localDenom } from '../transfer/denom.js';
import { receivedDenom } from '../transfer/moves.js';
import { decodePacketData } from '../transfer/packet-data.js';
import type { CallbackData } from './callback-data.js';
import { callbackErrors } from './errors.js';
import { isolatedAddress } from './isolated-address.js';
import { callbackRules } from './rules.js';

const ADDRESS_BYTES = 20;
const WORD = 32;
const uint64 = uint(64);

/** Branch for a callback whose store accesses are free; the callback pays for EVM gas only. */
const cheapBranch = (context: Context): Branch =>
  branch(withStore(context, unmetered(context.store), context.events, new GasMeter(undefined)));

/**
 * Approves the contract to take the packet's tokens from the isolated account, and calls it from there. The account
 * must be empty afterwards, because nobody could move its tokens.
 */
export function callOnReceive(context: Context, packet: Packet, callback: CallbackData): void {
  const { crypto, chain } = context;
  const { denom: sent, amount, sender, receiver: name } = decodePacketData(packet.data);
  const decoded = decodeBech32(name);
  if (decoded?.prefix !== chain.bech32Prefix)
    throw new SdkError(
      callbackErrors.invalidReceiver,
      `acc addr from bech32 conversion failed for receiver address: ${name}`,
    );
  const isolated = isolatedAddress(crypto, packet.destinationChannel, sender);
  callbackRules.of(context).makeAccount(context, decoded.bytes);
  const owner = evmAddress(decoded.bytes);
  if (!equal(owner, isolated))
    throw new SdkError(
      callbackErrors.invalidReceiver,
      `expected ${checksumAddress(crypto, isolated)}, got ${checksumAddress(crypto, owner)}`,
    );
  const contract = requireContract(context, callback, callbackErrors.noCode);
  const sha256 = (data: Uint8Array): Uint8Array => crypto.sha256(data);
  const pair = tokenPairOf(context, localDenom(sha256, receivedDenom(packet, sent)));
  const token = pair && contractOf(pair.erc20Address);
  if (token === undefined)
    throw new SdkError(callbackErrors.pairNotFound, `token pair for denom ${localDenom(sha256, sent)} not found`);
  const { context: cheap, commit } = cheapBranch(context);
  approve(context, cheap, token, { owner, spender: contract, amount });
  const call = { from: owner, to: contract, data: callback.calldata, writes: true };
  const { gasUsed } = failing(callbackErrors.callFailed, 'EVM returned error', () => callContract(cheap, call));
  pay(context, gasUsed, 'callback function', callbackErrors.outOfGas);
  commit();
  const unmoved = balanceOf(context, token, owner);
  if (unmoved !== 0n)
    throw new SdkError(erc20Errors.evmCall, `receiver has ${unmoved} unrecoverable tokens after callback`);
}

/** Calls the contract of the packet's sender with the acknowledgement. */
export function callOnAnswer(
  context: Context,
  packet: Packet,
  callback: CallbackData,
  acknowledgement: Uint8Array,
): void {
  const { context: cheap, commit } = cheapBranch(context);
  const call = callOfSource(context, packet, callback, {
    what: 'acknowledgement',
    method: 'onPacketAcknowledgement',
    more: [acknowledgement],
  });
  callSource(context, call, () => callContract(cheap, call));
  commit();
}

/** Calls the contract of the packet's sender about the timeout. */
export function callOnTimeout(context: Context, packet: Packet, callback: CallbackData): void {
  const { context: cheap, commit } = cheapBranch(context);
  const call = callOfSource(context, packet, callback, { what: 'timeout', method: 'onPacketTimeout', more: [] });
  callSource(context, call, () => callbackRules.of(context).callAfterTimeout(context, cheap, call));
  commit();
}

interface SourceCall extends InternalCall {
  readonly method: string;
}

function callOfSource(
  context: Context,
  { sourceChannel, sourcePort, sequence, data }: Packet,
  callback: CallbackData,
  { what, method, more }: { readonly what: string; readonly method: string; readonly more: readonly Uint8Array[] },
): SourceCall {
  if (callback.calldata.length > 0)
    throw new SdkError(callbackErrors.invalidCalldata, `${what} callback data should not contain calldata`);
  const sender = decodeBech32(callback.sender);
  if (sender?.prefix !== context.chain.bech32Prefix) {
    const read = readBech32(utf8(callback.sender));
    const problem = read.ok ? `invalid prefix ${read.prefix}` : `decoding bech32 failed: ${read.problem}`;
    throw plainError(`unable to parse packet sender address ${callback.sender}: ${problem}`);
  }
  const to = requireContract(context, callback, callbackErrors.failed);
  const types = [text, text, uint64, bytes, ...more.map(() => bytes)];
  const values = [sourceChannel, sourcePort, sequence, data, ...more];
  return { method, from: evmAddress(sender.bytes), to, data: encoded(context, method, types, values), writes: true };
}

/** Runs a source callback and charges its gas. */
function callSource(context: Context, { method, to }: SourceCall, run: () => InternalResult): void {
  const { gasUsed } = failing(callbackErrors.failed, 'EVM returned error', () => named(context, to, method, run));
  pay(context, gasUsed, 'callback onPacketAcknowledgement', callbackErrors.failed);
}

/** Approves a contract to take an amount of an account's tokens. */
function approve(
  context: Context,
  cheap: Context,
  token: Uint8Array,
  { owner, spender, amount }: { readonly owner: Uint8Array; readonly spender: Uint8Array; readonly amount: bigint },
): void {
  const data = encoded(context, 'approve', [address, uint256], [spender, amount]);
  const refusal = 'failed to set allowance';
  const { gasUsed, output } = failing(callbackErrors.allowanceFailed, refusal, () =>
    named(context, token, 'approve', () => callContract(cheap, { from: owner, to: token, data, writes: true })),
  );
  pay(context, gasUsed, 'callback allowance', callbackErrors.outOfGas);
  const word = bigintOfBytes(output.subarray(0, WORD));
  const problem = answerProblem(output) ?? (word > 1n ? 'abi: improperly encoded boolean value' : undefined);
  if (problem !== undefined)
    throw new SdkError(callbackErrors.allowanceFailed, `failed to unpack approve return: ${problem}`);
  if (word === 0n) throw new SdkError(callbackErrors.allowanceFailed, refusal);
}

/** Runs a call and wraps its error into `registered`. */
function failing(registered: RegisteredError, what: string, run: () => InternalResult): InternalResult {
  try {
    return run();
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(registered, `${what}: ${error.message}`);
  }
}

function pay({ gas }: Context, amount: bigint, location: string, registered: RegisteredError): void {
  gas.consume(amount, location);
  if (gas.isOutOfGas) throw new SdkError(registered, 'out of gas');
}

/** Token balance; Go's code panics on a nil balance. */
function balanceOf(context: Context, token: Uint8Array, owner: Uint8Array): bigint {
  try {
    return tokenBalance(context, token, owner);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new RecoveredPanic(NIL_POINTER);
  }
}

function requireContract(context: Context, callback: CallbackData, registered: RegisteredError): Uint8Array {
  const contract = addressOfText(callback.address);
  const code = getCode(context, getCodeHash(context, contract));
  if (code === undefined || code.length === 0 || delegateOfCode(code) !== undefined)
    throw new SdkError(
      registered,
      `provided contract address is not a contract: ${checksumAddress(context.crypto, contract)}`,
    );
  return contract;
}

/** Parses an address like go-ethereum's `common.HexToAddress`, which accepts any text. */
export function addressOfText(name: string): Uint8Array {
  const digits = name.replace(/^0[xX]/, '');
  const [even = ''] = /^(?:[0-9a-fA-F]{2})*/.exec(digits.length % 2 === 1 ? `0${digits}` : digits) ?? [];
  return evmAddress(bytesOfDigits(even) ?? new Uint8Array(0));
}

/** Last 20 bytes, left-padded with zeros. */
const evmAddress = (of: Uint8Array): Uint8Array => concat(new Uint8Array(ADDRESS_BYTES), of).slice(-ADDRESS_BYTES);

function encoded(
  { crypto }: Context,
  method: string,
  types: readonly AbiType<unknown>[],
  values: readonly unknown[],
): Uint8Array {
  const signature = `${method}(${types.map(({ name }) => name).join(',')})`;
  return concat(crypto.keccak256(utf8(signature)).subarray(0, 4), encodeAll(types, values));
}
