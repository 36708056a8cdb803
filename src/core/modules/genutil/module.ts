/** Genesis transactions, which create the first validators (cosmos-sdk v0.53 `x/genutil`). */
import { asObject } from '../../text/json-object.js';
import type { Context } from '../../sdk/module/context.js';
import { at, GenesisError } from '../../sdk/module/genesis-section.js';
import type { GenesisFacts, Module, ValidatorChanges } from '../../sdk/module/module.js';
import { updateValidatorSet } from '../staking/validator-set.js';
import { txOfJson } from './tx-of-json.js';

const PATH = 'app_state.genutil.gen_txs';

/** Delivers all genesis transactions, then bonds the validators they created, before block 1. */
function initGenesis(context: Context, section: unknown, { deliver }: GenesisFacts): ValidatorChanges {
  const { gen_txs: txs } = asObject(section ?? {}) ?? {};
  if (txs === undefined || txs === null) return undefined;
  if (!Array.isArray(txs)) throw new GenesisError(PATH, 'is not a list');
  if (txs.length === 0) return undefined;
  txs.forEach((json: unknown, index) => {
    const path = `${PATH}[${index}]`;
    const tx = txOfJson(path, json, context.router.types);
    at(path, () => deliver(tx));
  });
  return updateValidatorSet(context);
}

export const genutilModule: Module = {
  name: 'genutil',
  consensusVersion: 1n,
  initGenesis,
  exportGenesis: () => ({ gen_txs: [] }),
  messages: [],
  queries: [],
};
