/**
 * Fractions of coins that have fewer than 18 decimals (cosmos/evm v0.6 `x/precisebank`): its state at genesis. The coin
 * of the EVM has 18 decimals in this build, so that there are no fractions.
 */
import { create, toJson } from '@bufbuild/protobuf';
import { GenesisStateSchema } from '../../proto/cosmos/evm/precisebank/v1/genesis_pb.js';
import type { Context } from '../../sdk/context.js';
import { GenesisError, readSection } from '../../sdk/genesis-section.js';
import type { Module } from '../../sdk/module.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { queries } from './queries.js';

const PATH = 'app_state.precisebank';

function initGenesis(context: Context, section: unknown): void {
  const { balances, remainder } = readSection(PATH, GenesisStateSchema, section ?? {});
  const [first] = balances;
  if (first !== undefined)
    throw new GenesisError(`${PATH}.balances[0]`, `a coin with 18 decimals has no fractions: ${first.amount}`);
  if (remainder !== '' && remainder !== '0')
    throw new GenesisError(`${PATH}.remainder`, `a coin with 18 decimals has no remainder: ${remainder}`);
  ensureModuleAccount(context, 'precisebank');
}

export const precisebankModule: Module = {
  name: 'precisebank',
  store: 'precisebank',
  consensusVersion: 1n,
  initGenesis,
  exportGenesis: () =>
    toJson(GenesisStateSchema, create(GenesisStateSchema, { remainder: '0' }), {
      useProtoFieldName: true,
      alwaysEmitImplicit: true,
    }),
  messages: [],
  queries,
  migrations: new Map(),
  invariants: [],
};
