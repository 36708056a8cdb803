import { MsgEthereumTxSchema } from '../proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgCreateVestingAccountSchema } from '../proto/cosmos/vesting/v1beta1/tx_pb.js';
import { beforeMeter, type AnteRule } from '../sdk/module/ante.js';
import {
  checkMemo,
  checkTimeout,
  consumeSizeGas,
  limitToBlock,
  rejectExtensionOptions,
  rejectFirstOption,
  requireFee,
  validateBasic,
} from '../modules/auth/ante/basic.js';
import { deductFee } from '../modules/auth/ante/fee.js';
import {
  consumeSignatureGas,
  incrementSequences,
  limitSignatures,
  setPublicKeys,
  verifySignatures,
} from '../modules/auth/ante/signatures.js';
import { getMetadata } from '../modules/bank/balances.js';
import { sendCoins } from '../modules/bank/transfer.js';
import { limitAuthorizations } from '../modules/authz/ante.js';
import { rejectEthereumMessages } from '../modules/evm/ante/wrapping.js';
import { useAllowance } from '../modules/feegrant/grants.js';
import { countGasWanted } from '../modules/feemarket/base-fee.js';
import { acceptsExtensionOption, chargedFee } from '../modules/feemarket/dynamic-fee.js';
import { requireLowestFee } from '../modules/feemarket/lowest-fee.js';

/**
 * The ante rules of Cosmos transactions in the order of cosmos/evm's example application (evmd v0.6, `ante/cosmos.go`).
 */
export const ANTE: readonly AnteRule[] = [
  beforeMeter('context', rejectFirstOption(acceptsExtensionOption)),
  beforeMeter('ante', rejectEthereumMessages),
  beforeMeter(
    'ante',
    limitAuthorizations([`/${MsgEthereumTxSchema.typeName}`, `/${MsgCreateVestingAccountSchema.typeName}`]),
  ),
  requireFee,
  limitToBlock,
  rejectExtensionOptions(acceptsExtensionOption),
  validateBasic,
  checkTimeout,
  checkMemo,
  requireLowestFee,
  consumeSizeGas,
  deductFee({ sendCoins, chargedFee, useAllowance }),
  setPublicKeys,
  limitSignatures,
  consumeSignatureGas,
  verifySignatures(getMetadata),
  incrementSequences,
  countGasWanted,
];
