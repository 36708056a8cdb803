import { onFirstCall } from '../on-first-call.js';

/** Returns an object that runs `make` when a property outside of `known` is first read. */
export function lazily<Made extends object>(known: Partial<Made>, make: () => Made): Made {
  const whole = onFirstCall(make);
  const isKnown = (key: PropertyKey): boolean => Object.hasOwn(known, key);
  // Has no properties, so that a proxy over it may report those of the other object as its own.
  const target: Made = Object.create(null);
  return new Proxy(target, {
    get: (_, key): unknown => Reflect.get(isKnown(key) ? known : whole(), key),
    has: (_, key) => isKnown(key) || Reflect.has(whole(), key),
    ownKeys: () => Reflect.ownKeys(whole()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(whole(), key),
  });
}
