/**
 * Rules in which cosmos/evm's example application v0.6.0 (evmd) differs from the ordinary ones. A panic of Go's code
 * ends a transaction, and its sender pays.
 */
import type { OtherRules } from '../../sdk/module/rule-set.js';
import { authz } from './authz.js';
import { erc20 } from './erc20.js';
import { evidence } from './evidence.js';
import { feegrant } from './feegrant.js';
import { gov } from './gov.js';
import { staking } from './staking.js';
import { upgrade } from './upgrade.js';

export const EVMD_RULES: OtherRules = new Map([authz, erc20, evidence, feegrant, gov, staking, upgrade]);
