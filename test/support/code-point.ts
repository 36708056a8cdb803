import fc from 'fast-check';

/** Surrogates are no characters of their own. */
const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

/**
 * Any character of Unicode, as a unit of `fc.string`. The library's own unit `binary` makes a table of them all first,
 * which takes a second.
 */
export const CODE_POINT = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (value) => {
    const point = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== value) throw new Error('no character');
    return point < FIRST_SURROGATE ? point : point - SURROGATES;
  },
);
