/** Coordinated upgrades (SDK 0.53 `x/upgrade`). */
import { encodeAddress, parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { asObject } from '../../text/json-object.js';
import { type Module, query } from '../../sdk/module/module.js';
import { preBlock } from './due.js';
import {
  STORE,
  completedHeight,
  getAuthority,
  getPlan,
  hasModule,
  moduleVersions,
  setAuthority,
  setModuleVersions,
  upgradedConsensusState,
} from './plan-store.js';
import { messages } from './schedule.js';
import { create } from '@bufbuild/protobuf';
import { SdkError } from '../../sdk/module/sdk-error.js';
import * as pb from '../../proto/cosmos/upgrade/v1beta1/query_pb.js';
import { ModuleVersionSchema } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { governance } from '../authority.js';

const versionNotFound = { codespace: 'upgrade', code: 2, text: 'module version not found' } as const;

/** Queries of x/upgrade (cosmos-sdk v0.53 `x/upgrade/keeper/grpc_query.go`). */
const ofTheSdk = [
  query(pb.Query, 'currentPlan', ({ store }) => {
    const plan = getPlan(store);
    return plan === undefined ? {} : { plan };
  }),
  query(pb.Query, 'appliedPlan', ({ store }, { name }) => ({ height: completedHeight(store, name) })),
  query(pb.Query, 'moduleVersions', ({ store }, { moduleName }) => {
    const versions = moduleVersions(store);
    const names = moduleName === '' ? [...versions.keys()] : [moduleName];
    const found = names.map((name) => {
      const version = versions.get(name);
      if (version === undefined)
        throw new SdkError(versionNotFound, `x/upgrade: QueryModuleVersions module ${name} not found`);
      return create(ModuleVersionSchema, { name, version });
    });
    return { moduleVersions: found };
  }),
  // State that IBC counterparties prove against; stored only with IBC modules.
  query(pb.Query, 'upgradedConsensusState', ({ store }, { lastHeight }) => ({
    upgradedConsensusState: upgradedConsensusState(store, lastHeight),
  })),
  query(pb.Query, 'authority', (context) => ({
    address: getAuthority(context.store) ?? encodeAddress(context.chain.bech32Prefix, governance(context)),
  })),
];

/** Queries under the SDK's service name and under `sdk.upgrade.v1beta1`. */
const queries = ['cosmos', 'sdk'].flatMap((owner) =>
  ofTheSdk.map((one) => ({ ...one, path: one.path.replace('cosmos', owner) })),
);

/**
 * Stores the version of every module (without it ModuleVersions would stay empty) and the authority in the genesis,
 * if any.
 */
function initGenesis(context: Context, section: unknown): void {
  setModuleVersions(context.store, new Map(Object.entries(context.version.moduleVersions)));
  const authority = asObject(section)?.['authority'];
  if (authority === undefined || authority === '') return;
  if (typeof authority !== 'string' || parseAddress(context.chain.bech32Prefix, authority) === undefined) {
    throw new GenesisError('app_state.upgrade.authority', `not an address with prefix ${context.chain.bech32Prefix}`);
  }
  setAuthority(context.store, authority);
}

export const upgradeModule: Module = {
  name: 'upgrade',
  store: STORE,
  consensusVersion: 2n,
  initGenesis,
  exportGenesis: ({ store }) => {
    const authority = getAuthority(store);
    return authority === undefined ? {} : { authority };
  },
  messages,
  queries,
  preBlock,
  keepers: { upgrades: { plan: getPlan, hasModule } },
};
