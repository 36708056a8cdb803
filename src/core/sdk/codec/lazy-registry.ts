import { createRegistry, type DescMessage, type Registry } from '@bufbuild/protobuf';

type Input = Parameters<typeof createRegistry>[number];
type Type = NonNullable<ReturnType<Registry['get']>>;
type OfKind<Kind extends Type['kind']> = Extract<Type, { readonly kind: Kind }>;

/**
 * A registry of these types, each of another name. It looks at no more of them than their names; the library's, which
 * looks at all of each file, is made where extensions or all types are asked for.
 */
export function lazyRegistry(...inputs: Input[]): Registry {
  let made: Registry | undefined;
  const whole = (): Registry => (made ??= createRegistry(...inputs));
  let known: ReadonlyMap<string, Type> | undefined;
  const registries = inputs.filter((input) => input.kind === 'registry');
  const own = <Kind extends Type['kind']>(kind: Kind, typeName: string): OfKind<Kind> | undefined => {
    const found = (known ??= namesOf(inputs)).get(typeName);
    return isOfKind(kind, found) ? found : undefined;
  };
  const first = <Found>(look: (registry: Registry) => Found | undefined): Found | undefined => {
    for (const registry of registries) {
      const found = look(registry);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    kind: 'registry',
    [Symbol.iterator]: () => whole()[Symbol.iterator](),
    get: (typeName) => whole().get(typeName),
    getMessage: (typeName) => own('message', typeName) ?? first((other) => other.getMessage(typeName)),
    getEnum: (typeName) => own('enum', typeName) ?? first((other) => other.getEnum(typeName)),
    getService: (typeName) => own('service', typeName) ?? first((other) => other.getService(typeName)),
    getExtension: (typeName) => whole().getExtension(typeName),
    getExtensionFor: (extendee, number) => whole().getExtensionFor(extendee, number),
  };
}

function isOfKind<Kind extends Type['kind']>(kind: Kind, type: Type | undefined): type is OfKind<Kind> {
  return type?.kind === kind;
}

/** All but extensions, and what is in registries. */
function namesOf(inputs: readonly Input[]): ReadonlyMap<string, Type> {
  const names = new Map<string, Type>();
  const add = (type: Type): void => {
    names.set(type.typeName, type);
    if (type.kind === 'message') addNested(type);
  };
  const addNested = ({ nestedMessages, nestedEnums }: DescMessage): void => {
    for (const type of nestedMessages) add(type);
    for (const type of nestedEnums) add(type);
  };
  for (const input of inputs) {
    if (input.kind === 'file') for (const type of [...input.messages, ...input.enums, ...input.services]) add(type);
    else if (input.kind !== 'registry') names.set(input.typeName, input);
  }
  return names;
}
