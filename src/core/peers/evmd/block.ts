import { utf8 } from '../../bytes/bytes.js';
import { blockRules } from '../../modules/evm/block-rules.js';
import { blockGasLimit } from '../../modules/feemarket/base-fee.js';
import { byConsensusKey, STORE as STAKING } from '../../modules/staking/keys.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

const UNLIMITED = (1n << 64n) - 1n;

/** Block context of the EVM in cosmos/evm v0.6 (`x/vm/keeper/state_transition.go`). */
export const block = blockRules.with({
  /**
   * A limit of 0 means no limit in blocks, like their gas meter; in checks and queries it is 0
   * (`ante/types/block.go`).
   */
  gasLimit: (context) => {
    const limit = blockGasLimit(context);
    return limit === 0n && context.mode === 'deliver' ? UNLIMITED : limit;
  },
  /** Last 20 characters of the operator's bech32 address: cosmos/evm takes its text for bytes. */
  coinbase: ({ store, chain }, proposer) => {
    const operator = store.get(STAKING, byConsensusKey(proposer)) ?? proposer;
    return utf8(encodeAddress(`${chain.bech32Prefix}valoper`, operator)).slice(-20);
  },
  /** Zeros, as in `rpc/types/utils.go`. */
  shownPrevRandao: new Uint8Array(32),
  /** cosmos/evm's blob base fee is a nil pointer: BLOBBASEFEE panics in any frame and ends the transaction. */
  noBlobBaseFee: () => {
    throw new RecoveredPanic(NIL_POINTER);
  },
  /**
   * All touched accounts are written (`x/vm/statedb`). The calldata floor (EIP-7623) is a minimum gas limit but is
   * not charged. The zero address is warm instead of the coinbase.
   */
  engine: { showsTouches: true, isFloorFree: true, warmsZero: true, blobBaseFee: 'none' },
});
