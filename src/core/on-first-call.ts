/** Returns a function that runs `make` on its first call and returns that result on every call. */
export function onFirstCall<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Reads a field that is computed when it is read first. */
export function compute<Item, Field extends keyof Item>(item: Item, field: Field): Item[Field] {
  return item[field];
}

/** Returns a function that calls `make` only when its argument differs from that of the call before. */
export function cachingLast<Argument, Made>(make: (argument: Argument) => Made): (argument: Argument) => Made {
  let last: { readonly argument: Argument; readonly made: Made } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, made: make(argument) };
    return last.made;
  };
}
