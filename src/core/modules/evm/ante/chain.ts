import type { AnteRule } from '../../../sdk/module/ante.js';
import { RuleSet } from '../../../sdk/module/rule-set.js';
import { SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import type { EthereumMessage } from '../ethereum-message.js';
import { runEthereumAnte } from './ante.js';

/** Ante handler of Ethereum transactions. */
export interface EthereumAnte {
  /** Stateless validation of the message, before the ante rules. Throws SdkError. */
  readonly validate: (message: EthereumMessage) => void;
  /** All ante rules; `verified`: the signature is verified already. `context.store` must be unmetered. */
  readonly run: AnteRule;
}

const ADDRESS_BYTES = 20;

export const ethereumAnte = new RuleSet<EthereumAnte>({
  validate: ({ from }) => {
    if (from.length !== ADDRESS_BYTES)
      throw new SdkError(sdkErrors.invalidAddress, `the sender of an Ethereum transaction has ${ADDRESS_BYTES} bytes`);
  },
  run: runEthereumAnte,
});
