import { MsgEthereumTxSchema } from '../proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgCreateVestingAccountSchema } from '../proto/cosmos/vesting/v1beta1/tx_pb.js';
import type { AnteRule } from '../sdk/module/ante.js';
import {
  checkMemo,
  checkTimeout,
  consumeSizeGas,
  limitToBlock,
  rejectExtensionOptions,
  rejectFirstOption,
  validateBasic,
} from './auth/ante/basic.js';
import { deductFee, type FeeKeepers } from './auth/ante/fee.js';
import {
  consumeSignatureGas,
  incrementSequences,
  limitSignatures,
  setPublicKeys,
  verifySignatures,
} from './auth/ante/signatures.js';
import { isWeb3, WEB3_URL } from './auth/ante/web3-option.js';
import { getMetadata } from './bank/balances.js';
import { sendCoins } from './bank/transfer.js';
import { limitAuthorizations } from './authz/ante.js';
import { rejectEthereumMessages } from './evm/ante/wrapping.js';
import { useAllowance } from './feegrant/grants.js';
import { countGasWanted } from './feemarket/base-fee.js';
import { acceptsExtensionOption, chargedFee } from './feemarket/dynamic-fee.js';
import { requireMinGasPrice } from './feemarket/min-gas-price.js';

/** First rule: an unknown first extension option is rejected before anything else. */
export const requireKnownOption: AnteRule = rejectFirstOption(
  (context, typeUrl) => typeUrl === WEB3_URL || acceptsExtensionOption(context, typeUrl),
);

/** A signature in an extension option is in the first one; its own rules decide which options may accompany it. */
const requireKnownOptions: AnteRule = (context, tx, verified) => {
  if (!isWeb3(tx)) rejectExtensionOptions(acceptsExtensionOption)(context, tx, verified);
};

/** Rules about messages, which run next. */
export const MESSAGE_RULES: readonly AnteRule[] = [
  rejectEthereumMessages,
  limitAuthorizations([`/${MsgEthereumTxSchema.typeName}`, `/${MsgCreateVestingAccountSchema.typeName}`]),
];

/** Rules of the fee market. */
export interface FeeRules extends Pick<FeeKeepers, 'chargedFee'> {
  readonly requireMinGasPrice: AnteRule;
  readonly countGasWanted: AnteRule;
}

/** Rules about gas, fee and signers. */
export const signedRules = (fees: FeeRules): readonly AnteRule[] => [
  limitToBlock,
  requireKnownOptions,
  validateBasic,
  checkTimeout,
  checkMemo,
  fees.requireMinGasPrice,
  consumeSizeGas,
  deductFee({ sendCoins, chargedFee: fees.chargedFee, useAllowance }),
  setPublicKeys,
  limitSignatures,
  consumeSignatureGas,
  verifySignatures(getMetadata),
  incrementSequences,
  fees.countGasWanted,
];

/**
 * Ante rules of Cosmos transactions, in the order of cosmos/evm's example application (evmd v0.6, `ante/cosmos.go`).
 */
export const ANTE: readonly AnteRule[] = [
  requireKnownOption,
  ...MESSAGE_RULES,
  ...signedRules({ requireMinGasPrice, chargedFee, countGasWanted }),
];
