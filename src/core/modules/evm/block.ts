/** The block in which Ethereum transactions run (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`). */
import { encodeAddress } from '../../sdk/codec/address.js';
import { utf8 } from '../../bytes/bytes.js';
import type { AppVersion } from '../../sdk/module/app-version.js';
import type { Context } from '../../sdk/module/context.js';
import type { EvmBlock } from '../../evm/engine.js';
import { toldCoinbase, toldPrevRandao } from '../../sdk/module/development-chain.js';
import { evmGasLimit } from '../feemarket/base-fee.js';
import { getBaseFee } from '../feemarket/params.js';
import { surchargesOf } from './extra-eips.js';
import { permissionsOf } from './permissions.js';
import { byConsensusKey, STORE as STAKING } from '../staking/keys.js';
import { getParams } from './store.js';

const NANOSECONDS = 1_000_000_000n;
/** PREVRANDAO of a block that was told none. */
const MAX_HASH = new Uint8Array(32).fill(0xff);

/** Environment of the block of `context`. */
export function evmBlock(context: Context): EvmBlock {
  const { fork, txGasCap } = context.version.evm;
  const params = getParams(context);
  const surcharges = surchargesOf(params.extraEips);
  const permissions = permissionsOf(context.crypto, params);
  return {
    fork,
    chainId: context.chain.evmChainId,
    number: context.height,
    coinbase: coinbase(context),
    timestamp: context.time / NANOSECONDS,
    gasLimit: evmGasLimit(context),
    baseFee: getBaseFee(context),
    prevRandao: toldPrevRandao(context, context.height) ?? MAX_HASH,
    ...(txGasCap === undefined ? {} : { txGasCap }),
    ...(surcharges === undefined ? {} : { surcharges }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(context.version.quirks.evmMintsAndBurns ? { showsTouches: true } : {}),
    ...(context.version.quirks.floorIsOnlyChecked ? { isFloorFree: true } : {}),
    ...(context.version.quirks.zeroIsWarm ? { warmsZero: true } : {}),
    ...(context.version.quirks.blobBaseFeePanics ? { blobBaseFee: 'none' as const } : {}),
  };
}

/**
 * The mix hash of a block that was told no PREVRANDAO: what PREVRANDAO gave in it. cosmos/evm v0.6 shows zeros all the
 * same (`rpc/types/utils.go`).
 */
export function shownPrevRandao({ quirks }: Pick<AppVersion, 'quirks'>): Uint8Array {
  return quirks.ethereumRules === 'geth' ? MAX_HASH : new Uint8Array(32);
}

/**
 * The proposer's consensus address, which is `miner` of the block. cosmos/evm has the proposer's operator, which is an
 * account: it would be warm in every transaction (EIP-3651).
 */
export function coinbase(context: Context): Uint8Array {
  const told = toldCoinbase(context);
  if (told !== undefined) return told;
  const { proposer } = context.block;
  if (proposer.length === 0) return new Uint8Array(20);
  if (!context.version.quirks.coinbaseIsText) return proposer;
  const operator = context.store.get(STAKING, byConsensusKey(proposer)) ?? proposer;
  return utf8(encodeAddress(`${context.chain.bech32Prefix}valoper`, operator)).slice(-20);
}
