import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';

export interface TransferRules {
  /** Converts an account's ERC-20 tokens to coins for its transfer message. Throws SdkError. */
  readonly convertMissingCoins: (context: Context, message: MsgTransfer) => void;
}

export const transferRules = new RuleSet<TransferRules>({ convertMissingCoins: () => {} });
