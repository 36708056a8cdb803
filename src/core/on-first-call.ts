/** Returns a function that runs `make` on its first call and returns that result on every call. */
export function onFirstCall<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
