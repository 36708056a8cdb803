/** Signing infos of validators, by consensus address (cosmos-sdk v0.53 `x/slashing/keeper/signing_info.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import {
  ValidatorSigningInfoSchema,
  type ValidatorSigningInfo,
} from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { consensusText, type Chain } from '../staking/addresses.js';
import { Records } from '../../state/records.js';
import { consensusOfKey, signingInfoKey, STORE } from './keys.js';

export interface SigningInfo {
  /** Consensus address. */
  readonly address: Uint8Array;
  /** Address text of the record, which a genesis may spell differently; absent for the usual text. */
  readonly name?: string;
  /** Height at which the validator was bonded. */
  readonly startHeight: bigint;
  /** Blocks since then, or since it was jailed for downtime; determines the index in the window. */
  readonly indexOffset: bigint;
  readonly jailedUntil: TimeNs;
  /** True for a double signer, which stays jailed forever. */
  readonly tombstoned: boolean;
  /** Missed blocks counter. */
  readonly missed: bigint;
}

/** Converts to the SDK's message; the address is bech32 unless the record spells it differently. */
export function signingInfoMessage(chain: Chain, info: SigningInfo): ValidatorSigningInfo {
  return {
    $typeName: 'cosmos.slashing.v1beta1.ValidatorSigningInfo',
    address: info.name ?? consensusText(chain, info.address),
    startHeight: info.startHeight,
    indexOffset: info.indexOffset,
    jailedUntil: toTimestamp(info.jailedUntil),
    tombstoned: info.tombstoned,
    missedBlocksCounter: info.missed,
  };
}

/** Inverse of `signingInfoMessage`; `address` comes from the row's key. */
export function signingInfoOfMessage(address: Uint8Array, message: ValidatorSigningInfo): SigningInfo {
  return {
    address,
    name: message.address,
    startHeight: message.startHeight,
    indexOffset: message.indexOffset,
    jailedUntil: fromTimestamp(message.jailedUntil),
    tombstoned: message.tombstoned,
    missed: message.missedBlocksCounter,
  };
}

const records = new Records<SigningInfo, Context>(STORE, {
  encode: (info, context) => toBinary(ValidatorSigningInfoSchema, signingInfoMessage(context, info)),
  decode: (bytes, _context, key) =>
    signingInfoOfMessage(consensusOfKey(key), fromBinary(ValidatorSigningInfoSchema, bytes)),
});

/** Reads the signing info of a consensus address; undefined where there is none. */
export function getSigningInfo(context: Context, consensus: Uint8Array): SigningInfo | undefined {
  return records.get(context, signingInfoKey(consensus));
}

/** Stores a signing info under its consensus address. */
export function setSigningInfo(context: Context, info: SigningInfo): void {
  records.set(context, signingInfoKey(info.address), info);
}
