import type { EstimateResult, EthereumApi, EthereumCallResult } from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import type { Outcome } from '../../core/errors.js';
import type { EvmOverride } from '../../core/evm/state.js';
import type { Height } from '../../core/primitives.js';

export interface AnsweredCall {
  readonly rpc: 'eth_call' | 'eth_estimateGas';
  readonly call: EthereumCall;
  readonly height: Height;
  readonly overrides: readonly EvmOverride[];
  readonly block: EthereumBlockOverrides;
  readonly result: EthereumCallResult | EstimateResult;
}

/** Wraps the API: `heard` is called for each call and estimate after its answer. Answers are not delayed. */
export function watchedCalls(api: EthereumApi, heard: (answered: AnsweredCall) => void): EthereumApi {
  return {
    ...api,
    call(call, height, overrides, block) {
      return watched(api.call(call, height, overrides, block), (result) =>
        heard({ rpc: 'eth_call', call, height, overrides, block, result }),
      );
    },
    estimateGas(call, height, overrides, block) {
      return watched(api.estimateGas(call, height, overrides, block), (result) =>
        heard({ rpc: 'eth_estimateGas', call, height, overrides, block, result }),
      );
    },
  };
}

/** Some answers are plain values instead of promises; they are returned as plain values. */
function watched<Value>(
  answer: Outcome<Value> | Promise<Outcome<Value>>,
  heard: (value: Value) => void,
): Outcome<Value> | Promise<Outcome<Value>> {
  if (answer instanceof Promise) {
    return answer.then((outcome) => {
      if (outcome.ok) heard(outcome.value);
      return outcome;
    });
  }
  if (answer.ok) heard(answer.value);
  return answer;
}
