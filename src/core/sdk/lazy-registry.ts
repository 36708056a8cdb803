import { createRegistry, type Registry } from '@bufbuild/protobuf';

/**
 * A registry of these types that is made at the first look into it. A start looks into few, and every type of a
 * registry takes time and memory.
 */
export function lazyRegistry(...types: Parameters<typeof createRegistry>): Registry {
  let made: Registry | undefined;
  const whole = (): Registry => (made ??= createRegistry(...types));
  return {
    kind: 'registry',
    [Symbol.iterator]: () => whole()[Symbol.iterator](),
    get: (typeName) => whole().get(typeName),
    getMessage: (typeName) => whole().getMessage(typeName),
    getEnum: (typeName) => whole().getEnum(typeName),
    getExtension: (typeName) => whole().getExtension(typeName),
    getExtensionFor: (extendee, number) => whole().getExtensionFor(extendee, number),
    getService: (typeName) => whole().getService(typeName),
  };
}
