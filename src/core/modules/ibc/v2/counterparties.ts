/**
 * Counterparty client of each client, and the relayers it allows (ibc-go v10
 * `modules/core/02-client/v2/keeper/keeper.go` and `types/config.go`).
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { concat, equal } from '../../../bytes/bytes.js';
import { type Config, ConfigSchema } from '../../../proto/ibc/core/client/v2/config_pb.js';
import { type CounterpartyInfo, CounterpartyInfoSchema } from '../../../proto/ibc/core/client/v2/counterparty_pb.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import type { Context } from '../../../sdk/module/context.js';
import { RecoveredPanic, SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, ibcErrors } from '../errors.js';
import { clientKey } from '../keys.js';
import { readMessage, STORE } from '../store.js';

/** Counterparty of a client; undefined when none is registered. */
export function getCounterparty({ store }: Pick<Context, 'store'>, clientId: string): CounterpartyInfo | undefined {
  const value = store.get(STORE, clientKey(clientId, 'counterparty'));
  return value === undefined || value.length === 0 ? undefined : fromBinary(CounterpartyInfoSchema, value);
}

/** Stores the counterparty of a client. */
export function setCounterparty({ store }: Pick<Context, 'store'>, clientId: string, info: CounterpartyInfo): void {
  store.set(STORE, clientKey(clientId, 'counterparty'), toBinary(CounterpartyInfoSchema, info));
}

/** Counterparty of a client; throws when none is registered. */
export function requireCounterparty(context: Context, clientId: string): CounterpartyInfo {
  const found = getCounterparty(context, clientId);
  if (found === undefined)
    throw new SdkError(clientErrors.noCounterparty, `counterparty not found for client: ${clientId}`);
  return found;
}

/** Requires that a packet's client is the counterparty; `end` is part of the error text. */
export function requireCounterpartyIs(
  context: Context,
  clientId: string,
  end: 'source' | 'destination',
  other: string,
): CounterpartyInfo {
  const found = requireCounterparty(context, clientId);
  if (found.clientId !== other)
    throw new SdkError(
      clientErrors.invalidCounterparty,
      `counterparty id (${found.clientId}) does not match packet ${end} id (${other})`,
    );
  return found;
}

/** Allowed relayers of a client; an empty list allows all. */
export function getConfig(context: Context, clientId: string): Config {
  return readMessage(context, clientKey(clientId, 'config'), ConfigSchema);
}

/** Throws for a relayer that the client does not allow. */
export function requireAllowedRelayer(context: Context, clientId: string, relayer: string): void {
  const { allowedRelayers } = getConfig(context, clientId);
  const bytesOf = (text: string): Uint8Array | undefined => {
    const read = readBech32Address(context.chain.bech32Prefix, text);
    return read.ok ? read.bytes : undefined;
  };
  const own = bytesOf(relayer);
  const isSame = (other: Uint8Array | undefined): boolean =>
    own !== undefined && other !== undefined && equal(own, other);
  if (allowedRelayers.length > 0 && !allowedRelayers.some((allowed) => isSame(bytesOf(allowed))))
    throw new SdkError(ibcErrors.unauthorized, `relayer ${relayer} is not authorized to update client ${clientId}`);
}

/** Path of a key in the other chain: its prefix, whose last part is followed by the key. */
export function pathOf({ merklePrefix }: CounterpartyInfo, key: Uint8Array): readonly Uint8Array[] {
  const last = merklePrefix.at(-1);
  if (last === undefined) throw new RecoveredPanic('cannot build merkle path with empty prefix');
  return [...merklePrefix.slice(0, -1), concat(last, key)];
}
