import { EMPTY } from '../../../bytes/bytes.js';
import type { EthereumCall } from '../../../ethereum/call.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { effectiveGasPrice, feeCapOf, tipCapOf, toEvmTransaction } from '../../../ethereum/transaction-sender.js';
import { refusedSimulation, type RefusedSimulation } from '../../../ethereum/simulation.js';
import type { EvmLog, EvmResult } from '../../../evm/outcome.js';
import type { EvmTransaction } from '../../../evm/transaction.js';
import { checksumAddress } from '../../../keys/address.js';
import { RecoveredPanic } from '../../../sdk/module/sdk-error.js';
import { BLOB_CREATION, blobGas, blobsIn, blobsOf } from '../blobs.js';
import { INTERRUPTED } from '../call.js';
import { refuseMessage } from '../check-message.js';
import type { CallSurroundings } from './surroundings.js';
import { FRAMES_WITH_LOGS, logsOf } from './transfers.js';

const ZERO_ADDRESS = new Uint8Array(20);
const NONCES = 1n << 64n;

export interface ExecutedCall {
  readonly kind: 'executed';
  readonly from: Uint8Array;
  readonly transaction: EthereumTransaction;
  readonly result: EvmResult;
  /** Error text of the last precompile that halted. */
  readonly halted: string;
  /** Logs of the result, with transfers when requested. */
  readonly logs: readonly EvmLog[];
}

/** Executes one call with this gas limit and writes its effects into the simulated state. */
export function simulateCall(
  at: CallSurroundings,
  call: EthereumCall,
  gas: bigint,
): ExecutedCall | RefusedSimulation | { readonly kind: 'timeout' } {
  const prepared = prepareCall(at, call, gas);
  return prepared.kind === 'prepared' ? executeCall(at, prepared) : prepared;
}

/** A valid call, ready to execute. */
export interface PreparedCall {
  readonly kind: 'prepared';
  readonly from: Uint8Array;
  readonly transaction: EthereumTransaction;
  /** Transaction as the engine executes it, without fees. */
  readonly freed: EvmTransaction;
}

/** Converts a call with this gas limit to a transaction, or returns its refusal. */
export function prepareCall(at: CallSurroundings, call: EthereumCall, gas: bigint): PreparedCall | RefusedSimulation {
  const from = call.from ?? ZERO_ADDRESS;
  const { nonce } = at.state.find(from);
  const transaction = toTransaction(at.chainId, call, gas, call.nonce ?? nonce);
  if (typeof transaction === 'string') return refused(gas, 'internal', transaction);
  const wrong = refuse(at, transaction, from);
  if (wrong !== undefined) return wrong;
  const blobs = blobsIn(transaction);
  const freed = {
    ...toEvmTransaction(at.crypto, transaction, from),
    // A created contract's address depends on the nonce in the state. Without validation even the highest nonce may
    // call.
    nonce: transaction.to === undefined ? nonce : 0n,
    // The blob fee cap was checked and may be zero.
    ...(blobs && { blobs: { ...blobs, maxFeePerBlobGas: at.blobBaseFee } }),
  };
  return { kind: 'prepared', from, transaction, freed };
}

/** Executes a prepared call and writes its effects into the simulated state. */
export function executeCall(
  at: CallSurroundings,
  { transaction, from, freed }: PreparedCall,
): ExecutedCall | RefusedSimulation | { readonly kind: 'timeout' } {
  const { engine, state, contracts } = at;
  const { gasLimit: gas } = transaction;
  const sender = state.find(from);
  const price = priceOf(transaction, at.baseFee);
  const paid = gas * price + blobGas(blobsIn(transaction)) * blobPriceOf(transaction, at.blobBaseFee);
  state.setAccount(from, { balance: sender.balance - paid, nonce: (sender.nonce + 1n) % NONCES });
  engine.forget(from);
  const ran = execute(at, freed);
  if (ran.kind === 'panicked') return refused(gas, 'internal', ran.message);
  const { frames, outcome } = ran;
  if (outcome.kind === 'refused') return refused(gas, 'internal', outcome.detail);
  const { result, changes } = outcome;
  if (result.reason === INTERRUPTED) return { kind: 'timeout' };
  for (const change of contracts.settle(changes)) {
    state.apply(change);
    engine.forget(change.address);
  }
  pay(at, from, (gas - result.gasUsed) * price);
  pay(at, at.coinbase, price === 0n ? 0n : result.gasUsed * (price - at.baseFee));
  if (frames !== undefined && !frames.ok) return refused(gas, 'internal', frames.message);
  return {
    kind: 'executed',
    from,
    transaction,
    result,
    halted: contracts.halted,
    logs: frames === undefined ? result.logs : logsOf(frames.json),
  };
}

/** Executes the call, and traces it when transfers are requested. */
function execute({ engine, state, contracts, moves, traceTransfers }: CallSurroundings, transaction: EvmTransaction) {
  try {
    contracts.begin();
    const frames = traceTransfers
      ? engine.trace(state, transaction, { fees: 'none' }, moves, FRAMES_WITH_LOGS)
      : undefined;
    contracts.begin();
    return {
      kind: 'ran',
      frames,
      outcome: engine.callWithEffects(state, transaction, { fees: 'none' }, moves),
    } as const;
  } catch (error) {
    if (error instanceof RecoveredPanic) return { kind: 'panicked', message: error.reason } as const;
    throw error;
  }
}

function pay({ state, engine }: CallSurroundings, address: Uint8Array, amount: bigint): void {
  if (amount === 0n) return;
  state.setAccount(address, { balance: state.find(address).balance + amount });
  engine.forget(address);
}

/** Effective gas price in wei; a call without a price pays nothing, even below the base fee. */
export function priceOf(transaction: EthereumTransaction, baseFee: bigint): bigint {
  return feeCapOf(transaction) === 0n ? 0n : effectiveGasPrice(transaction, baseFee);
}

/** Blob gas price in wei; 0 when the call has no blob fee cap. */
function blobPriceOf(transaction: EthereumTransaction, blobBaseFee: bigint): bigint {
  return blobsIn(transaction)?.maxFeePerBlobGas === 0n ? 0n : blobBaseFee;
}

/** Checks nonce, fees, balance and gas. Senders may have code even with validation (geth `SkipTransactionChecks`). */
function refuse(
  { crypto, state, baseFee, blobBaseFee, validation }: CallSurroundings,
  transaction: EthereumTransaction,
  from: Uint8Array,
): RefusedSimulation | undefined {
  const { nonce, gasLimit: gas, to, data, value } = transaction;
  const name = (): string => checksumAddress(crypto, from);
  const account = state.find(from);
  if (validation && nonce !== account.nonce) {
    const [reason, words] =
      nonce < account.nonce ? (['nonce-too-low', 'low'] as const) : (['nonce-too-high', 'high'] as const);
    return refused(gas, reason, `nonce too ${words}: address ${name()}, tx: ${nonce} state: ${account.nonce}`);
  }
  if (validation && account.nonce === NONCES - 1n)
    return refused(gas, 'internal', `nonce has max value: address ${name()}, nonce: ${account.nonce}`);
  const wrong = refuseMessage({
    name,
    to,
    data,
    value,
    gas,
    feeCap: feeCapOf(transaction),
    tipCap: tipCapOf(transaction),
    accessList: transaction.type === 0 ? [] : transaction.accessList,
    authorizations: transaction.type === 4 ? transaction.authorizations : undefined,
    blobs: blobsIn(transaction),
    balance: account.balance,
    baseFee: () => baseFee,
    blobBaseFee: () => blobBaseFee,
    mayBeFree: !validation,
  });
  return wrong && refused(gas, wrong.reason, wrong.text);
}

function refused(gas: bigint, reason: RefusedSimulation['reason'], text: string): RefusedSimulation {
  return refusedSimulation(reason, `err: ${text} (supplied gas ${gas})`);
}

/**
 * Converts the call to an unsigned transaction, of type 2 unless it has a gas price, blobs or authorizations; an
 * error text when that is impossible.
 */
function toTransaction(
  chainId: bigint,
  call: EthereumCall,
  gasLimit: bigint,
  nonce: bigint,
): EthereumTransaction | string {
  const { to, value = 0n, data = EMPTY, accessList = [], gasPrice, authorizations } = call;
  const common = { nonce, gasLimit, value, data, r: 0n, s: 0n, yParity: 0 } as const;
  const fees = { maxFeePerGas: call.maxFeePerGas ?? 0n, maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? 0n };
  if (authorizations !== undefined)
    return to === undefined
      ? 'EIP-7702 transaction cannot be used to create contract'
      : { type: 4, ...common, to, chainId, ...fees, accessList, authorizations };
  const blobs = blobsOf(call);
  if (blobs !== undefined) {
    const prices = gasPrice === undefined ? fees : { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
    return to === undefined ? BLOB_CREATION : { type: 3, ...common, to, chainId, ...prices, accessList, blobs };
  }
  if (gasPrice !== undefined) return { type: 0, ...common, to, chainId: undefined, gasPrice };
  return { type: 2, ...common, to, chainId, ...fees, accessList };
}
