/** Staking hooks of slashing (cosmos-sdk v0.53 `x/slashing/keeper/hooks.go`). */
import { toTimeNs } from '../../primitives.js';
import type { StakingHooks } from '../../sdk/module/hooks.js';
import { requireValidator } from '../staking/validators.js';
import { addPublicKey, deletePublicKey } from './public-keys.js';
import { getSigningInfo, setSigningInfo } from './signing-info.js';

export const slashingHooks: StakingHooks = {
  afterValidatorBonded(context, consensus) {
    const startHeight: bigint = context.height;
    const fresh = { address: consensus, indexOffset: 0n, jailedUntil: toTimeNs(0n), tombstoned: false, missed: 0n };
    setSigningInfo(context, { ...(getSigningInfo(context, consensus) ?? fresh), startHeight });
  },
  afterValidatorRemoved: deletePublicKey,
  afterValidatorCreated(context, operator) {
    addPublicKey(context, requireValidator(context, operator));
  },
};
