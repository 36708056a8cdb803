/** Genesis of feegrant (cosmossdk.io/x/feegrant v0.2.0 `keeper/keeper.go` InitGenesis, ExportGenesis). */
import { prefixRange } from '../../bytes/key-order.js';
import { GenesisStateSchema } from '../../proto/cosmos/feegrant/v1beta1/genesis_pb.js';
import { parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { at, GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { decodeGrant, grantAllowance } from './grants.js';
import { ALLOWANCE_PREFIX, STORE } from './keys.js';
import { unpackAllowance } from './unpack.js';

/** Stores all allowances; throws `GenesisError` with the path of an invalid one. */
export function initGenesis(context: Context, section: unknown): void {
  const state = readSection('app_state.feegrant', GenesisStateSchema, section ?? {});
  state.allowances.forEach(({ granter, grantee, allowance }, index) => {
    const path = `app_state.feegrant.allowances[${index}]`;
    const addressOf = (name: 'granter' | 'grantee', value: string): Uint8Array => {
      const address = parseAddress(context.chain.bech32Prefix, value);
      if (address === undefined) throw new GenesisError(`${path}.${name}`, `not an address: ${value}`);
      return address;
    };
    const pair = { granter: addressOf('granter', granter), grantee: addressOf('grantee', grantee) };
    at(path, () => {
      const granted = unpackAllowance(allowance);
      granted.validate(context);
      grantAllowance(context, pair, granted);
    });
  });
}

/** Exports all allowances in key order. */
export function exportGenesis({ store }: Context): unknown {
  const allowances = Array.from(store.range(STORE, prefixRange(ALLOWANCE_PREFIX)), ({ value }) => decodeGrant(value));
  return writeSection(GenesisStateSchema, { allowances });
}
