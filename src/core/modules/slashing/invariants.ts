import { prefixRange } from '../../bytes/key-order.js';
import type { Invariant } from '../../sdk/module/module.js';
import { consensusText } from '../staking/addresses.js';
import { consensusOfKey, SIGNING_INFO_PREFIX, STORE } from './keys.js';
import { missedBlocks } from './missed-blocks.js';
import { getSigningInfo } from './signing-info.js';

/** The count of missed blocks of each validator is that of the bits of its window. */
const missedCount: Invariant = {
  name: 'slashing/missed-blocks',
  check(context) {
    for (const { key } of context.store.range(STORE, prefixRange(SIGNING_INFO_PREFIX))) {
      const address = consensusOfKey(key);
      const counted = BigInt([...missedBlocks(context, address)].length);
      const { missed = 0n } = getSigningInfo(context, address) ?? {};
      if (counted !== missed) return `${consensusText(context, address)} missed ${counted} blocks and counts ${missed}`;
    }
    return undefined;
  },
};

export const invariants = [missedCount];
