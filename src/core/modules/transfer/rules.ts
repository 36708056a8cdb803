import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';

export interface TransferRules {
  /** Makes coins for a message of an account out of its tokens. Throws SdkError. */
  readonly provideCoins: (context: Context, message: MsgTransfer) => void;
}

export const transferRules = new RuleSet<TransferRules>({ provideCoins: () => {} });
