/**
 * Codec of the addresses that each transaction of a block touched: the list of distinct addresses; then for each
 * transaction the difference of its index from the previous one, and the places of its addresses in that list.
 */
import type { Touched } from '../../core/evm/touched.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { type ByteReader, ByteWriter, FormatError } from '../bytes.js';

/** Encodes the touched addresses of a block; the transaction indices must ascend. */
export function packTouched(touched: readonly Touched[], to: ByteWriter): void {
  const places = new Map<string, number>();
  const distinct: Uint8Array[] = [];
  const listed = touched.map(({ addresses }) =>
    addresses.map((address) => {
      const name = toOrderedString(address);
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, distinct.length);
      return distinct.push(address) - 1;
    }),
  );
  to.list(distinct);
  to.uint(touched.length);
  let before = 0;
  for (const [at, { index }] of touched.entries()) {
    const of = listed[at] ?? [];
    to.uint(index - before);
    to.uint(of.length);
    for (const place of of) to.uint(place);
    before = index;
  }
}

/** Inverse of `packTouched`; throws FormatError. */
export function unpackTouched(from: ByteReader): readonly Touched[] {
  const distinct = from.list();
  let index = 0;
  return from.items(() => {
    index += from.count();
    const addresses = from.items(() => {
      const address = distinct[from.count()];
      if (address === undefined) throw new FormatError('no touched address has this place');
      return address;
    });
    return { index, addresses };
  });
}

/** The encoded form of `packTouched` as bytes. */
export function touchedBytes(touched: readonly Touched[]): Uint8Array {
  const to = new ByteWriter();
  packTouched(touched, to);
  return to.finish();
}
