/** Genesis of authz (cosmos-sdk v0.53 `x/authz/keeper/genesis.go`). */
import { create } from '@bufbuild/protobuf';
import { prefixRange } from '../../bytes/key-order.js';
import { fromTimestamp } from '../../comet/time.js';
import { GrantAuthorizationSchema } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import { GenesisStateSchema } from '../../proto/cosmos/authz/v1beta1/genesis_pb.js';
import { parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { at, GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { decodeGrant, namesOf, storeGrant } from './grants.js';
import { GRANT_PREFIX, parseGrantKey, STORE } from './keys.js';
import { requireKnown, unpackAuthorization } from './unpack.js';

/** Writes the grants that have not expired. */
export function initGenesis(context: Context, section: unknown): void {
  const path = 'app_state.authz.authorization';
  const state = readSection('app_state.authz', GenesisStateSchema, section ?? {});
  state.authorization.forEach(({ granter, grantee, authorization, expiration }, index) => {
    if (expiration !== undefined && fromTimestamp(expiration) < context.time) return;
    const addressOf = (name: 'granter' | 'grantee', value: string): Uint8Array => {
      const address = parseAddress(context.chain.bech32Prefix, value);
      if (address === undefined) throw new GenesisError(`${path}[${index}].${name}`, `not an address: ${value}`);
      return address;
    };
    const pair = { granter: addressOf('granter', granter), grantee: addressOf('grantee', grantee) };
    at(`${path}[${index}]`, () => {
      requireKnown(context, authorization);
      storeGrant(context, pair, { authorization: unpackAuthorization(authorization), expiration });
    });
  });
}

/** Exports all grants in key order. */
export function exportGenesis(context: Context): unknown {
  const authorization = Array.from(context.store.range(STORE, prefixRange(GRANT_PREFIX)), ({ key, value }) => {
    const { authorization: allowed, expiration } = decodeGrant(value);
    return create(GrantAuthorizationSchema, {
      ...namesOf(context, parseGrantKey(key)),
      ...(allowed && { authorization: allowed }),
      ...(expiration && { expiration }),
    });
  });
  return writeSection(GenesisStateSchema, { authorization });
}
