import { AccessType, type Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';

/** The rule of access that this build does not enforce: it enforces the kinds of permission, no list of addresses. */
export function unsupportedAccess({
  accessControl,
}: Params): { readonly of: 'create' | 'call'; readonly text: string } | undefined {
  for (const of of ['create', 'call'] as const) {
    const rule = accessControl?.[of];
    if (rule?.accessType === AccessType.PERMISSIONED) return { of, text: 'ACCESS_TYPE_PERMISSIONED is not supported' };
    if ((rule?.accessControlList.length ?? 0) > 0) return { of, text: 'lists of addresses are not supported' };
  }
  return undefined;
}
