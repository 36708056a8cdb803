/**
 * The client of another chain that stands for a client of this one, and the relayers that a client allows (ibc-go v10
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

/** Reads the counterparty of a client; undefined where none was registered. */
export function getCounterparty({ store }: Pick<Context, 'store'>, clientId: string): CounterpartyInfo | undefined {
  const value = store.get(STORE, clientKey(clientId, 'counterparty'));
  return value === undefined || value.length === 0 ? undefined : fromBinary(CounterpartyInfoSchema, value);
}

/** Puts the counterparty of a client. */
export function setCounterparty({ store }: Pick<Context, 'store'>, clientId: string, info: CounterpartyInfo): void {
  store.set(STORE, clientKey(clientId, 'counterparty'), toBinary(CounterpartyInfoSchema, info));
}

/** Reads the counterparty of a client; refuses a client without one. */
export function requireCounterparty(context: Context, clientId: string): CounterpartyInfo {
  const found = getCounterparty(context, clientId);
  if (found === undefined)
    throw new SdkError(clientErrors.noCounterparty, `counterparty not found for client: ${clientId}`);
  return found;
}

/** Reads the counterparty of a client; refuses another one than that of a packet, whose `end` is named in the text. */
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

/** Reads the relayers that a client allows; an empty list allows all. */
export function getConfig(context: Context, clientId: string): Config {
  return readMessage(context, clientKey(clientId, 'config'), ConfigSchema);
}

/** Refuses a relayer that a client does not allow. */
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

/** The path of a key in the other chain: its prefix, whose last part the key follows. */
export function pathOf({ merklePrefix }: CounterpartyInfo, key: Uint8Array): readonly Uint8Array[] {
  const last = merklePrefix.at(-1);
  if (last === undefined) throw new RecoveredPanic('cannot build merkle path with empty prefix');
  return [...merklePrefix.slice(0, -1), concat(last, key)];
}
