/** Runs `make` once, on first call; each call returns what it made. */
export function onFirstCall<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
