/** `eth_simulateV1` (ethereum/execution-apis, section `eth/execute`; geth v1.17 `internal/ethapi/simulate.go`). */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import type { Outcome } from '../../../core/node-api.js';
import {
  refuseSize,
  type RefusedSimulation,
  type Simulation,
  type SimulationRefusal,
  type SimulationResult,
} from '../../../core/ethereum/simulation.js';
import { type RpcError, rpcErrorOf, serverError } from '../errors.js';
import { type Answer, failed, type Method, method, ok } from '../method.js';
import { LATEST, blockRef } from '../params/block-ref.js';
import { decodeEach, good, withDefault } from '../params/param.js';
import { simulationArguments, type SimulationArguments } from '../params/simulation.js';
import { type Resolved, resolveState } from '../resolve.js';
import { callOf } from './calls.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** Error codes of execution-apis, in the order of its document; `plain` is geth's default code. */
const CODES: Readonly<Record<SimulationRefusal, number>> = {
  'nonce-too-low': -38_010,
  'nonce-too-high': -38_011,
  'base-fee-too-low': -38_012,
  'intrinsic-gas': -38_013,
  'insufficient-funds': -38_014,
  'block-gas-limit': -38_015,
  'block-number-order': -38_020,
  'block-timestamp-order': -38_021,
  'initcode-size': -38_025,
  'client-limit': -38_026,
  'invalid-params': -32_602,
  internal: -32_603,
  plain: -32_000,
};

/** Codes of failed calls in a response. */
const FAILURE_CODES = { revert: 3, halt: -32_015 } as const;

export const simulateMethods: readonly Method[] = [
  method(
    'eth_simulateV1',
    'Executes calls in blocks on top of a block, and changes nothing',
    [simulationArguments, withDefault(blockRef, LATEST)],
    schema.listOf(result.SIMULATED_BLOCK),
    async ([args, ref], context) => {
      const { api, limits } = context;
      const simulation = simulationOf(api, args);
      if (!simulation.ok) return failed(simulation.error);
      const refused = refuseSize(simulation.value);
      if (refused !== undefined) return failed(refusalError(refused));
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      return answerOf(await api.simulate(simulation.value, height.value, limits.ethSimulationBytes));
    },
  ),
];

function answerOf(outcome: Outcome<SimulationResult>): Answer {
  if (!outcome.ok) return failed(rpcErrorOf(outcome.error));
  switch (outcome.value.kind) {
    case 'blocks':
      return ok(outcome.value.json);
    case 'refused':
      return failed(refusalError(outcome.value));
    case 'timeout':
      return failed(serverError('execution aborted (timeout)'));
  }
}

/** The error of a refused simulation. */
export function refusalError({ reason, message }: RefusedSimulation): RpcError {
  return { code: CODES[reason], message };
}

function simulationOf(api: EthereumApi, args: SimulationArguments): Resolved<Simulation> {
  const blocks = decodeEach(args.blocks, ({ block, accounts, calls }) => {
    if (!accounts.ok) return failed(serverError(accounts.message));
    const simulated = decodeEach(calls, (call) => callOf(api, call));
    return simulated.ok ? good({ block, accounts: accounts.overrides, calls: simulated.value }) : simulated;
  });
  if (!blocks.ok) return blocks;
  const { traceTransfers, validation, returnFullTransactions: fullTransactions } = args;
  return good({ blocks: blocks.value, traceTransfers, validation, fullTransactions, failureCodes: FAILURE_CODES });
}
