/** Parameter change proposals (cosmos-sdk v0.53 `x/params/proposal_handler.go`, `types/proposal/proposal.go`). */
import type { ParamChange } from '../../proto/cosmos/params/v1beta1/params_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { paramsErrors } from './errors.js';
import { subspacesOf } from './subspaces.js';

/** Rejects an empty list, and changes without subspace, key or value. */
export function requireChanges(changes: readonly ParamChange[]): void {
  if (changes.length === 0) throw new SdkError(paramsErrors.noChanges);
  for (const { subspace, key, value } of changes) {
    if (subspace === '') throw new SdkError(paramsErrors.noSubspace);
    if (key === '') throw new SdkError(paramsErrors.noKey);
    if (value === '') throw new SdkError(paramsErrors.noValue);
  }
}

/** Applies changes in order; throws SdkError at the first failure. */
export function applyChanges(context: Context, changes: readonly ParamChange[]): void {
  for (const { subspace, key, value } of changes) {
    const found = subspacesOf(context).find(({ name }) => name === subspace);
    if (found === undefined) throw new SdkError(paramsErrors.unknownSubspace, subspace);
    try {
      found.write(context, key, value);
    } catch (error) {
      if (!isReturned(error)) throw error;
      throw new SdkError(paramsErrors.failedToSet, `key: ${key}, value: ${value}, err: ${error.message}`);
    }
  }
}
