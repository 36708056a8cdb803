/** The object that `make` returns, which is made when one of its properties is first read. */
export function lazily<Made extends object>(make: () => Made): Made {
  let made: Made | undefined;
  const whole = (): Made => (made ??= make());
  // Without properties of its own, so that those of the other may be told as its own.
  const target: Made = Object.create(null);
  return new Proxy(target, {
    get: (_, key): unknown => Reflect.get(whole(), key),
    has: (_, key) => Reflect.has(whole(), key),
    ownKeys: () => Reflect.ownKeys(whole()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(whole(), key),
  });
}
