/** Handled evidence, by hash (cosmos-sdk v0.53 `x/evidence/keeper/keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { concat } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { EquivocationSchema } from '../../proto/cosmos/evidence/v1beta1/evidence_pb.js';
import type { Context } from '../../sdk/module/context.js';

export const STORE = 'evidence';
export const EVIDENCE_PREFIX = Uint8Array.of(0);
const EQUIVOCATION_URL = `/${EquivocationSchema.typeName}`;

const evidenceKey = (hash: Uint8Array): Uint8Array => concat(EVIDENCE_PREFIX, hash);

/** Stores an encoded equivocation by the sha256 of its bytes. */
export function setEvidence({ store, crypto }: Context, equivocation: Uint8Array): void {
  const any = create(AnySchema, { typeUrl: EQUIVOCATION_URL, value: equivocation });
  store.set(STORE, evidenceKey(crypto.sha256(equivocation)), toBinary(AnySchema, any));
}

/** Evidence by hash (32 bytes); undefined when there is none. */
export function getEvidence({ store }: Context, hash: Uint8Array): Any | undefined {
  const value = store.get(STORE, evidenceKey(hash));
  return value === undefined ? undefined : decodeEvidence(value);
}

/** Decodes a row of the store. */
export function decodeEvidence(value: Uint8Array): Any {
  return fromBinary(AnySchema, value);
}

/** All evidence, in hash order. */
export function* allEvidence({ store }: Context): Iterable<Any> {
  for (const { value } of store.range(STORE, prefixRange(EVIDENCE_PREFIX))) yield decodeEvidence(value);
}
