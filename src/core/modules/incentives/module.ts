/** Rewards for gas used in contracts (evmos v3.0.0 `x/incentives`). */
import { checksumAddress } from '../../keys/address.js';
import { GenesisStateSchema } from '../../proto/evmos/incentives/v1/genesis_pb.js';
import { file_evmos_incentives_v1_incentives } from '../../proto/evmos/incentives/v1/incentives_pb.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import type { Context } from '../../sdk/module/context.js';
import { at, GenesisError } from '../../sdk/module/genesis-section.js';
import type { Invariant, Module } from '../../sdk/module/module.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { dec, defaultParams, getParams, INCENTIVES, paramsProblem, setParams, STORE } from './params.js';
import { requireAllocations } from './proposals.js';
import { queries } from './queries.js';
import {
  allIncentives,
  gasMeters,
  getAllocation,
  getGasMeter,
  getIncentive,
  hexAddress,
  setAllocation,
  setGasMeter,
  setIncentive,
} from './store.js';

const PATH = 'app_state.incentives';

function initGenesis(context: Context, section: unknown): void {
  const read = readDecimalSection(PATH, GenesisStateSchema, section ?? {});
  const params = read.params ?? defaultParams();
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  ensureModuleAccount(context, INCENTIVES);
  setParams(context, params);
  const addressAt = (path: string, shown: string): Uint8Array => {
    const address = hexAddress(shown);
    if (address !== undefined) return address;
    throw new GenesisError(path, `not an address in hexadecimal: ${shown}`);
  };
  read.incentives.forEach((incentive, index) => {
    const path = `${PATH}.incentives[${index}]`;
    const contract = addressAt(`${path}.contract`, incentive.contract);
    if (incentive.epochs === 0) throw new GenesisError(path, 'epoch cannot be 0');
    if (getIncentive(context, contract) !== undefined)
      throw new GenesisError(path, `contract duplicated on genesis '${incentive.contract}'`);
    at(path, () => requireAllocations(incentive.allocations));
    setIncentive(context, contract, incentive);
    for (const { denom, amount } of incentive.allocations) {
      const sum = getAllocation(context, denom) + dec(amount);
      if (sum > DEC_ONE) throw new GenesisError(path, `allocations of ${denom} are more than all of it`);
      setAllocation(context, { denom, amount: sum });
    }
  });
  read.gasMeters.forEach(({ contract: shown, participant: who, cumulativeGas }, index) => {
    const path = `${PATH}.gas_meters[${index}]`;
    const [contract, participant] = [addressAt(`${path}.contract`, shown), addressAt(`${path}.participant`, who)];
    if (getGasMeter(context, contract, participant) !== undefined)
      throw new GenesisError(path, `gas meter duplicated on genesis contract: '${shown}',  participant: '${who}'`);
    setGasMeter(context, contract, participant, cumulativeGas);
  });
}

function exportGenesis(context: Context): unknown {
  return writeDecimalSection(GenesisStateSchema, {
    params: getParams(context) ?? defaultParams(),
    incentives: allIncentives(context).map(({ incentive }) => incentive),
    gasMeters: gasMeters(context).map(({ contract, participant, gas }) => ({
      contract: checksumAddress(context.crypto, contract),
      participant: checksumAddress(context.crypto, participant),
      cumulativeGas: gas,
    })),
  });
}

/** Allocations of each denom sum to at most 1. */
const allocations: Invariant = {
  name: 'incentives/allocations',
  check(context) {
    const sums = new Map<string, bigint>();
    for (const { incentive } of allIncentives(context))
      for (const { denom, amount } of incentive.allocations) sums.set(denom, (sums.get(denom) ?? 0n) + dec(amount));
    for (const [denom, sum] of sums)
      if (sum > DEC_ONE || sum !== getAllocation(context, denom))
        return `incentives have ${sum} of ${denom}, its meter says ${getAllocation(context, denom)}`;
    return undefined;
  },
};

export const incentivesModule: Module = {
  name: INCENTIVES,
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries,
  types: [file_evmos_incentives_v1_incentives],
  invariants: [allocations],
};
