/** Parameters of `eth_simulateV1` (geth v1.17 `simOpts` in `internal/ethapi/simulate.go`). */
import type { SimulatedBlockOverrides } from '../../../core/ethereum/simulation.js';
import type { Withdrawal } from '../../../core/ethereum/block-view.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import { isObject } from '../envelope.js';
import { TRANSACTION, transactionArguments, type TransactionArguments } from './call-arguments.js';
import { address, fieldsOf, hash, quantity64, schemaOf } from './fields.js';
import {
  BLOCK_OVERRIDES,
  decodeBlockOverrides,
  NO_OVERRIDES,
  type StateOverrides,
  stateOverrides,
} from './overrides.js';
import { bad, type Decoded, good, kindOf, type Param, required } from './param.js';
import { BOOLEAN, listOf, objectOf, type Schema } from '../schema.js';

export interface SimulationBlockArguments {
  readonly block: SimulatedBlockOverrides;
  readonly accounts: StateOverrides;
  readonly calls: readonly TransactionArguments[];
}

export interface SimulationArguments {
  readonly blocks: readonly SimulationBlockArguments[];
  readonly traceTransfers: boolean;
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

const WITHDRAWAL = fieldsOf('Withdrawal', {
  index: quantity64,
  validatorIndex: quantity64,
  address,
  amount: quantity64,
});
/** Overrides that only a simulated block can have, besides its withdrawals. */
const BEACON = fieldsOf('BlockOverrides', { beaconRoot: hash });
const FLAGS = ['traceTransfers', 'validation', 'returnFullTransactions'] as const;

const SIMULATED_BLOCK: Schema = objectOf(
  {
    blockOverrides: objectOf(
      {
        ...BLOCK_OVERRIDES.properties,
        ...BEACON.schemas,
        withdrawals: listOf(schemaOf('Withdrawal', WITHDRAWAL)),
      },
      [],
    ),
    stateOverrides: stateOverrides.schema,
    calls: listOf(TRANSACTION),
  },
  [],
);

const SIMULATION: Schema = {
  title: 'Simulation',
  ...objectOf(
    { blockStateCalls: listOf(SIMULATED_BLOCK), ...Object.fromEntries(FLAGS.map((name) => [name, BOOLEAN])) },
    ['blockStateCalls'],
  ),
};

export const simulationArguments: Param<SimulationArguments> = required('simulation', SIMULATION, (value) => {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.simOpts`);
  const flags = { traceTransfers: false, validation: false, returnFullTransactions: false };
  for (const name of FLAGS) {
    const flag = value[name] ?? false;
    if (typeof flag !== 'boolean')
      return bad(`json: cannot unmarshal ${kindOf(flag)} into Go struct field simOpts.${name} of type bool`);
    flags[name] = flag;
  }
  const blocks = decodeEach(value['blockStateCalls'], 'simOpts.blockStateCalls', '[]ethapi.simBlock', decodeBlock);
  return blocks.ok ? good({ ...flags, blocks: blocks.value }) : blocks;
});

function decodeBlock(value: unknown): Decoded<SimulationBlockArguments> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.simBlock`);
  const { blockOverrides = null, stateOverrides: accounts = null } = value;
  const block = blockOverrides === null ? good({}) : decodeSimulatedOverrides(blockOverrides);
  if (!block.ok) return block;
  const edits = accounts === null ? good(NO_OVERRIDES) : stateOverrides.decode(accounts);
  if (!edits.ok) return edits;
  const calls = decodeEach(value['calls'], 'simBlock.calls', '[]ethapi.TransactionArgs', (call) =>
    transactionArguments.decode(call),
  );
  return calls.ok ? good({ block: block.value, accounts: edits.value, calls: calls.value }) : calls;
}

function decodeSimulatedOverrides(value: unknown): Decoded<SimulatedBlockOverrides> {
  const common = decodeBlockOverrides(value);
  if (!common.ok) return common;
  const beacon = BEACON.read(isObject(value) ? value : {});
  if (!beacon.ok) return beacon;
  const { beaconRoot } = beacon.value;
  const listed = isObject(value) ? value['withdrawals'] : undefined;
  const withdrawals = decodeEach(listed, 'BlockOverrides.withdrawals', 'types.Withdrawals', decodeWithdrawal);
  if (!withdrawals.ok) return withdrawals;
  return good({
    ...common.value,
    ...(beaconRoot !== undefined && { beaconRoot }),
    ...(withdrawals.value.length > 0 && { withdrawals: withdrawals.value }),
  });
}

function decodeWithdrawal(value: unknown): Decoded<Withdrawal> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type types.Withdrawal`);
  const read = WITHDRAWAL.read(value);
  if (!read.ok) return read;
  const { index = 0n, validatorIndex = 0n, address: to = new Uint8Array(20), amount = 0n } = read.value;
  return good({ index, validatorIndex, address: to, amount });
}

/** A list of at most as many items as a simulation may have calls; null and absent lists are empty. */
function decodeEach<Item>(
  value: unknown,
  field: string,
  type: string,
  decode: (item: unknown) => Decoded<Item>,
): Decoded<readonly Item[]> {
  const listed = value ?? [];
  if (!Array.isArray(listed))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${field} of type ${type}`);
  const most = ETHEREUM_LIMITS.simulatedCalls;
  // one more item is decoded, so that the refusal of the simulation counts it
  const items: Item[] = [];
  for (const item of listed.slice(0, most + 1)) {
    const decoded = decode(item);
    if (!decoded.ok) return decoded;
    items.push(decoded.value);
  }
  return good(items);
}
