import type { BlockContext, EthereumCalls, EthereumReads, QueryContext } from '../application.js';
import { createAccessList } from '../modules/evm/access-list.js';
import { callEvm, estimateGas, traceCall } from '../modules/evm/call.js';
import { getCode, getCodeHash, getStorage, isEmptyCodeHash, STORE } from '../modules/evm/store.js';
import { evmState } from '../modules/evm/state.js';
import { blockGasLimit, nextBaseFee } from '../modules/feemarket/base-fee.js';
import { getBlockGas, getParams } from '../modules/feemarket/params.js';
import type { StateReader } from '../state/state.js';
import type { Context } from '../sdk/context.js';
import { DEC_ONE } from '../sdk/dec.js';

const NO_CODE = new Uint8Array(0);
const ZERO = new Uint8Array(32);

/** Single facts of the EVM-visible state, without a transaction; undefined in an application that has no EVM. */
export function ethereumReads(
  stores: readonly string[],
  contextOf: (state: StateReader, at: QueryContext) => Context,
): EthereumReads | undefined {
  if (!stores.includes(STORE)) return undefined;
  return {
    account(state, at, address) {
      const context = contextOf(state, at);
      return evmState(context).account(address) ?? { balance: 0n, nonce: 0n, codeHash: getCodeHash(context, address) };
    },
    code(state, at, address) {
      const context = contextOf(state, at);
      const hash = getCodeHash(context, address);
      return isEmptyCodeHash(hash) ? NO_CODE : (getCode(context, hash) ?? NO_CODE);
    },
    storage(state, at, address, slot) {
      const word = new Uint8Array(ZERO);
      const value = getStorage(contextOf(state, at), address, slot);
      if (value !== undefined) word.set(value, 32 - value.length);
      return word;
    },
    nextBaseFee(state, at) {
      const context = contextOf(state, at);
      const params = getParams(context);
      if (params.noBaseFee) return 0n;
      // before the height from which it moves it is what the genesis says
      const fee =
        at.height < params.enableHeight
          ? params.baseFee
          : nextBaseFee(params, getBlockGas(context), blockGasLimit(context));
      return fee / DEC_ONE;
    },
    minGasPrice: (state, at) => (getParams(contextOf(state, at)).minGasPrice + DEC_ONE - 1n) / DEC_ONE,
  };
}

/** Executions over a state that keep nothing of it. */
export function ethereumCalls(
  contextOf: (state: StateReader, at: BlockContext) => Context,
): Omit<EthereumCalls, 'traceTransactions'> {
  return {
    call: (state, at, call, overrides, block, gasCap) => callEvm(contextOf(state, at), call, overrides, block, gasCap),
    estimateGas: (state, at, call, overrides, budget) =>
      estimateGas(contextOf(state, at), call, overrides, undefined, budget),
    createAccessList: (state, at, call, overrides) => createAccessList(contextOf(state, at), call, overrides),
    traceCall: (state, at, call, overrides, block, options) =>
      traceCall(contextOf(state, at), call, overrides, block, options),
  };
}
