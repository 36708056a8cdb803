import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { presentModules, type AppVersion } from './app-version.js';
import { MESSAGE_TYPES } from '../codec/message-types.js';

const known = new WeakMap<AppVersion, Registry>();

/**
 * Types that an `Any` of a transaction may contain in an application version: `MESSAGE_TYPES` and those of its
 * modules.
 */
export function messageTypesOf(version: AppVersion): Registry {
  const before = known.get(version);
  if (before !== undefined) return before;
  const added = presentModules(version).flatMap(({ types = [] }) => types);
  const types = added.length === 0 ? MESSAGE_TYPES : createRegistry(MESSAGE_TYPES, ...added);
  known.set(version, types);
  return types;
}
