/** How well validators sign, by consensus address (cosmos-sdk v0.53 `x/slashing/keeper/signing_info.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { recordWriter } from '../../bytes/message-writer.js';
import { timestampBytes } from '../../comet/block-bytes.js';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import {
  ValidatorSigningInfoSchema,
  type ValidatorSigningInfo,
} from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { consensusText, type Chain } from '../staking/addresses.js';
import { signingInfoKey, STORE } from './keys.js';

export interface SigningInfo {
  /** Consensus address. */
  readonly address: Uint8Array;
  /** The address as the record spells it, which a genesis may write in any way; absent for the usual text. */
  readonly name?: string;
  /** Height at which the validator became bonded. */
  readonly startHeight: bigint;
  /** Blocks since, or since it was jailed for downtime; the place in the window follows from it. */
  readonly indexOffset: bigint;
  readonly jailedUntil: TimeNs;
  /** The validator signed two blocks of one height: it stays jailed forever. */
  readonly tombstoned: boolean;
  /** Missed blocks of the window. */
  readonly missed: bigint;
}

/** Converts to the message of the SDK; the address is bech32 unless the record spells it otherwise. */
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

/** The bytes of `signingInfoMessage`, in a fraction of the generated codec's time: each block writes them. */
export function encodeSigningInfo(chain: Chain, info: SigningInfo): Uint8Array {
  const name = info.name ?? consensusText(chain, info.address);
  const jailedUntil = timestampBytes(toTimestamp(info.jailedUntil));
  recordWriter.number(6, info.missed);
  recordWriter.flag(5, info.tombstoned);
  recordWriter.item(4, jailedUntil);
  recordWriter.number(3, info.indexOffset);
  recordWriter.number(2, info.startHeight);
  recordWriter.text(1, name);
  return recordWriter.finish();
}

/** Inverse of `signingInfoMessage`; `address` are the bytes of the row's key. */
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

/** Infos by the value that holds them: each block reads what the block before wrote. */
const decoded = new WeakMap<Uint8Array, SigningInfo>();

/** Reads the signing info of a consensus address; undefined where there is none. */
export function getSigningInfo({ store }: Context, consensus: Uint8Array): SigningInfo | undefined {
  const value = store.get(STORE, signingInfoKey(consensus));
  if (value === undefined) return undefined;
  const known = decoded.get(value);
  if (known !== undefined) return known;
  const info = signingInfoOfMessage(consensus, fromBinary(ValidatorSigningInfoSchema, value));
  decoded.set(value, info);
  return info;
}

/** Stores a signing info under its consensus address. */
export function setSigningInfo(context: Context, info: SigningInfo): void {
  const value = encodeSigningInfo(context, info);
  decoded.set(value, info);
  context.store.set(STORE, signingInfoKey(info.address), value);
}
