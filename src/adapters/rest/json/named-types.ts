import type { Registry } from '@bufbuild/protobuf';
import { KNOWN_TYPES } from '../../../core/sdk/codec/known-types.js';
import { typeUrlAliases } from '../../../core/sdk/codec/type-url-aliases.js';

const aliases: Readonly<Record<string, string | undefined>> = typeUrlAliases;

/** Resolves an alias of a type URL. */
export const knownUrl = (typeUrl: string): string => (Object.hasOwn(aliases, typeUrl) && aliases[typeUrl]) || typeUrl;

/** All types of this program, also under the names of Ethermint and Evmos. */
export const NAMED_TYPES: Registry = Object.create(KNOWN_TYPES, {
  getMessage: { value: (name: string) => KNOWN_TYPES.getMessage(knownUrl(`/${name}`).slice(1)) },
});
