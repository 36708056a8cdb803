/** Parameters of `eth_simulateV1` (geth v1.17 `simOpts` in `internal/ethapi/simulate.go`). */
import type { SimulatedBlockOverrides } from '../../../core/ethereum/simulation.js';
import type { Withdrawal } from '../../../core/ethereum/block-view.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import { TRANSACTION, transactionArguments, type TransactionArguments } from './call-arguments.js';
import { type Field, address, fieldOf, fieldsOf, hash, listField, quantity64, schemaOf } from './fields.js';
import {
  BLOCK_OVERRIDES,
  decodeBlockOverrides,
  NO_OVERRIDES,
  type StateOverrides,
  stateOverrides,
} from './overrides.js';
import { type Decoded, good, type Param, present, required, wrongKind } from './param.js';
import { BOOLEAN, objectOf, type Schema } from '../schema.js';

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

const { simulatedCalls: maximum } = ETHEREUM_LIMITS;

/** A list with at most as many items as a simulation may have calls. */
function listed<Item>(type: string, items: Schema, decode: (item: unknown) => Decoded<Item>): Field<readonly Item[]> {
  const list = listField(type, items, decode);
  // decode one item above the limit, so that the simulation reports the excess
  return {
    ...list,
    decode: (value, place) => list.decode(Array.isArray(value) ? value.slice(0, maximum + 1) : value, place),
  };
}

const WITHDRAWAL = fieldsOf(
  'Withdrawal',
  { index: quantity64, validatorIndex: quantity64, address, amount: quantity64 },
  'types.Withdrawal',
);
/** Overrides that only simulated blocks support. */
const SIMULATED = fieldsOf('BlockOverrides', {
  beaconRoot: hash,
  withdrawals: listed('types.Withdrawals', schemaOf('Withdrawal', WITHDRAWAL), decodeWithdrawal),
});
const BLOCK = fieldsOf(
  'simBlock',
  {
    blockOverrides: {
      type: 'override.BlockOverrides',
      schema: objectOf({ ...BLOCK_OVERRIDES.properties, ...SIMULATED.schemas }, []),
      decode: decodeSimulatedOverrides,
    } satisfies Field<SimulatedBlockOverrides>,
    stateOverrides: fieldOf(stateOverrides),
    calls: listed('[]ethapi.TransactionArgs', TRANSACTION, (call) => transactionArguments.decode(call)),
  },
  'ethapi.simBlock',
);
const flag: Field<boolean> = {
  type: 'bool',
  schema: BOOLEAN,
  decode: (value, { field }) => (typeof value === 'boolean' ? good(value) : wrongKind(value, 'bool', field)),
};
const simulatedBlocks = listed('[]ethapi.simBlock', objectOf(BLOCK.schemas, []), decodeBlock);
const OPTIONS = fieldsOf(
  'simOpts',
  {
    traceTransfers: flag,
    validation: flag,
    returnFullTransactions: flag,
    blockStateCalls: simulatedBlocks,
  },
  'ethapi.simOpts',
);
const SIMULATION: Schema = {
  title: 'Simulation',
  ...objectOf({ blockStateCalls: simulatedBlocks.schema, ...OPTIONS.schemas }, ['blockStateCalls']),
};

export const simulationArguments: Param<SimulationArguments> = required('simulation', SIMULATION, (value) => {
  const read = OPTIONS.read(value);
  if (!read.ok) return read;
  const {
    traceTransfers = false,
    validation = false,
    returnFullTransactions = false,
    blockStateCalls: blocks = [],
  } = read.value;
  return good({ traceTransfers, validation, returnFullTransactions, blocks });
});

function decodeBlock(value: unknown): Decoded<SimulationBlockArguments> {
  const read = BLOCK.read(value);
  if (!read.ok) return read;
  const { blockOverrides: block = {}, stateOverrides: accounts = NO_OVERRIDES, calls = [] } = read.value;
  return good({ block, accounts, calls });
}

function decodeSimulatedOverrides(value: unknown): Decoded<SimulatedBlockOverrides> {
  const common = decodeBlockOverrides(value);
  if (!common.ok) return common;
  const read = SIMULATED.read(value);
  if (!read.ok) return read;
  const { beaconRoot, withdrawals = [] } = read.value;
  return good({ ...common.value, ...present({ beaconRoot }), ...(withdrawals.length > 0 && { withdrawals }) });
}

function decodeWithdrawal(value: unknown): Decoded<Withdrawal> {
  const read = WITHDRAWAL.read(value);
  if (!read.ok) return read;
  const { index = 0n, validatorIndex = 0n, address: to = new Uint8Array(20), amount = 0n } = read.value;
  return good({ index, validatorIndex, address: to, amount });
}
