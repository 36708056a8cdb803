import { utf8 } from '../../bytes/bytes.js';
import { blockRules } from '../../modules/evm/block-rules.js';
import { blockGasLimit } from '../../modules/feemarket/base-fee.js';
import { byConsensusKey, STORE as STAKING } from '../../modules/staking/keys.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

const UNLIMITED = (1n << 64n) - 1n;

/** The block of cosmos/evm v0.6 (`x/vm/keeper/state_transition.go`). */
export const block = blockRules.with({
  /** A limit of 0 is none in blocks, as for their gas meter; in checks and queries it is 0 (`ante/types/block.go`). */
  gasLimit: (context) => {
    const limit = blockGasLimit(context);
    return limit === 0n && context.mode === 'deliver' ? UNLIMITED : limit;
  },
  /** The last 20 characters of the operator's address: its text is taken for bytes. */
  coinbase: ({ store, chain }, proposer) => {
    const operator = store.get(STAKING, byConsensusKey(proposer)) ?? proposer;
    return utf8(encodeAddress(`${chain.bech32Prefix}valoper`, operator)).slice(-20);
  },
  /** `rpc/types/utils.go`. */
  shownPrevRandao: new Uint8Array(32),
  /** The blob base fee is a nil pointer: BLOBBASEFEE ends its transaction, whatever frame it is in. */
  noBlobBaseFee: () => {
    throw new RecoveredPanic(NIL_POINTER);
  },
  /**
   * All touched accounts are written (`x/vm/statedb`). The floor of calldata's gas (EIP-7623) is a minimum of the gas
   * limit and is not charged. The zero address is warm, and not the coinbase.
   */
  engine: { showsTouches: true, isFloorFree: true, warmsZero: true, blobBaseFee: 'none' },
});
