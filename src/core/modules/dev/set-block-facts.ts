import { create, toBinary } from '@bufbuild/protobuf';
import { MAX_UINT256 } from '../../bigint.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import type { EthereumBlockFacts } from '../../ethereum/api.js';
import { message } from '../../sdk/module/module.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';
import {
  ImpersonatedSignatureSchema,
  Msg,
  type MsgSetBlockFacts,
  MsgSetBlockFactsSchema,
} from '../../proto/chronicle/dev/v1/tx_pb.js';
import { setBlockMaxGas } from '../consensus/module.js';
import { SET_BLOCK_FACTS_URL } from './ante.js';
import {
  setBaseFeeOverride,
  setCoinbaseOverride,
  setExtraDataOverride,
  setPrevRandaoOverride,
  setImpersonatedSigner,
} from '../../sdk/module/development-chain.js';
import { devTx } from './dev-tx.js';
import { requireEnabled } from './store.js';

/** Consensus parameters store the gas limit as a signed 64-bit integer. */
const MAX_GAS_LIMIT = (1n << 63n) - 1n;

/** Maximum bytes of `extraData` (yellow paper, "Block Header Validity"); the error has ganache's text. */
const MAX_EXTRA_DATA = 32;

/**
 * Sets coinbase, gas limit, `extraData` or an impersonated signature for all following blocks, and base fee or
 * PREVRANDAO for the next block.
 */
export const setBlockFacts = message(
  Msg,
  'setBlockFacts',
  (context, { coinbase, gasLimit, nextBaseFee, nextPrevRandao, impersonatedSignature, extraData }) => {
    requireEnabled(context);
    const next = context.height + 1n;
    if (coinbase !== undefined) {
      if (coinbase.length !== 0 && coinbase.length !== 20) throw invalidRequest('a coinbase has 20 bytes');
      setCoinbaseOverride(context, coinbase);
    }
    if (gasLimit !== undefined) {
      if (gasLimit === 0n || gasLimit > MAX_GAS_LIMIT)
        throw invalidRequest(`gas limit ${gasLimit} is not from 1 to ${MAX_GAS_LIMIT}`);
      setBlockMaxGas(context, gasLimit);
    }
    if (nextBaseFee !== undefined) {
      const baseFee = parseAmount(nextBaseFee);
      if (baseFee === undefined || baseFee > MAX_UINT256 / WEI) throw invalidRequest(`base fee ${nextBaseFee}`);
      setBaseFeeOverride(context, next, baseFee);
    }
    if (nextPrevRandao !== undefined) {
      if (nextPrevRandao.length !== 32) throw invalidRequest('PREVRANDAO has 32 bytes');
      setPrevRandaoOverride(context, next, nextPrevRandao);
    }
    if (extraData !== undefined) {
      const { length } = extraData;
      if (length > MAX_EXTRA_DATA) throw invalidRequest(`extra exceeds max length. ${length} > ${MAX_EXTRA_DATA}`);
      setExtraDataOverride(context, extraData);
    }
    if (impersonatedSignature !== undefined) {
      const { signature, signer } = impersonatedSignature;
      if (signature.length !== 65 || signer.length !== 20)
        throw invalidRequest('a signature has 65 bytes, a signer 20');
      setImpersonatedSigner(context, signature, signer);
    }
  },
);

/** The fee market stores fees in units of 10^-18 wei. */
const WEI = 10n ** 18n;

/** Encoded transaction that sets block facts. */
export function setBlockFactsTx(
  { sequence }: Pick<MsgSetBlockFacts, 'sequence'>,
  { coinbase, gasLimit, nextBaseFee, nextPrevRandao, impersonatedSignature, extraData }: EthereumBlockFacts,
): Uint8Array {
  const fields = {
    sequence,
    ...(coinbase !== undefined && { coinbase: Uint8Array.from(coinbase) }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(nextBaseFee !== undefined && { nextBaseFee: nextBaseFee.toString() }),
    ...(nextPrevRandao !== undefined && { nextPrevRandao: Uint8Array.from(nextPrevRandao) }),
    ...(extraData !== undefined && { extraData: Uint8Array.from(extraData) }),
    ...(impersonatedSignature !== undefined && {
      impersonatedSignature: create(ImpersonatedSignatureSchema, {
        signature: Uint8Array.from(impersonatedSignature.signature),
        signer: Uint8Array.from(impersonatedSignature.signer),
      }),
    }),
  };
  return devTx(SET_BLOCK_FACTS_URL, toBinary(MsgSetBlockFactsSchema, create(MsgSetBlockFactsSchema, fields)));
}
