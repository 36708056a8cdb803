/**
 * Rules of cosmos/evm's example application v0.6.0 (evmd) that differ from the defaults. A Go panic ends a
 * transaction, and its sender pays.
 */
import type { OtherRules } from '../../sdk/module/rule-set.js';
import { accounts } from './accounts.js';
import { auth } from './auth.js';
import { authz } from './authz.js';
import { block } from './block.js';
import { callbacks } from './callbacks.js';
import { calls } from './calls.js';
import { coins } from './coins.js';
import { contracts } from './contracts.js';
import { erc20 } from './erc20.js';
import { ethereumAnte, waiting } from './ethereum-ante.js';
import { refusals } from './ethereum-refusals.js';
import { evidence } from './evidence.js';
import { execution } from './execution.js';
import { feegrant } from './feegrant.js';
import { feemarket } from './feemarket.js';
import { gov } from './gov.js';
import { staking } from './staking.js';
import { transactions } from './transactions.js';
import { typedData } from './typed-data.js';
import { upgrade } from './upgrade.js';

export const EVMD_RULES: OtherRules = new Map([
  ...[transactions, typedData, auth, authz, feegrant, staking, gov, evidence, upgrade, erc20, callbacks, feemarket],
  ...[ethereumAnte, refusals, waiting, block, coins, accounts, execution, calls, contracts],
]);
