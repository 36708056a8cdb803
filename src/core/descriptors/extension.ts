import type { DescExtension } from '@bufbuild/protobuf';

/** What the library tells of an extension (`@bufbuild/protobuf` 2.17, `DescExtension`), as properties of its own. */
const KEYS = [
  'kind',
  'proto',
  'deprecated',
  'name',
  'number',
  'scalar',
  'message',
  'enum',
  'presence',
  'utf8Validation',
  'listKind',
  'mapKind',
  'mapKey',
  'delimitedEncoding',
  'packed',
  'longAsString',
  'getDefaultValue',
  'file',
  'parent',
  'oneof',
  'typeName',
  'jsonName',
  'extendee',
  'toString',
  'fieldKind',
] as const;

/** The extension that `make` returns, which is made when one of its properties is first read; then it has them all. */
export function lazyExtension(make: () => DescExtension): DescExtension {
  const extension: DescExtension = Object.create(null);
  const read = (key: (typeof KEYS)[number]): unknown => {
    Object.defineProperties(extension, Object.getOwnPropertyDescriptors(make()));
    return Reflect.get(extension, key);
  };
  for (const key of KEYS)
    Object.defineProperty(extension, key, { get: () => read(key), enumerable: true, configurable: true });
  return extension;
}
