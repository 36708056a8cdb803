import type { AbciInitChain } from '../../core/abci/abci-application.js';
import type { GenesisDocument } from '../../core/genesis/genesis-document.js';
import { asObject } from '../../core/text/json-object.js';

/**
 * Describes the first difference between the engine's genesis and that of this home's log; undefined if they are
 * equal. The order of JSON members does not matter.
 */
export function genesisDifference(ours: GenesisDocument, theirs: AbciInitChain): string | undefined {
  const different = (what: string, mine: unknown, other: unknown): string | undefined =>
    mine === other ? undefined : `${what} ${String(other)}; the log of this home began with ${String(mine)}`;
  const facts =
    different('chain id', ours.chainId, theirs.chainId) ??
    different('initial height', ours.initialHeight, theirs.initialHeight) ??
    different('genesis time (nanoseconds)', ours.time, theirs.time);
  if (facts !== undefined) return facts;
  let state: unknown;
  try {
    state = JSON.parse(new TextDecoder().decode(theirs.appState));
  } catch {
    return 'an app_state that is not JSON';
  }
  const other = asObject(state) ?? {};
  const names = new Set([...Object.keys(ours.appState), ...Object.keys(other)]);
  const section = [...names].find((name) => sorted(ours.appState[name]) !== sorted(other[name]));
  return section && `another section ${JSON.stringify(section)} of app_state than the log of this home began with`;
}

/** JSON text with sorted object members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    const object = asObject(member);
    return object === undefined
      ? member
      : Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
