/**
 * Screens of a signing device, and their encoding (cosmos-sdk v0.53 `x/tx/signing/textual/types.go`, `encode.go`).
 */
import { concat, concatAll, utf8 } from '../../../bytes/bytes.js';

/** One screen that a signer sees. */
export interface Screen {
  readonly title: string;
  readonly content: string;
  /** Indentation level from 0. */
  readonly indent: number;
  /** True when shown in expert mode only. */
  readonly expert: boolean;
}

/** Creates the first screen of a value. */
export function screen(content: string): Screen {
  return { title: '', content, indent: 0, expert: false };
}

/** Titles the first of a value's screens and indents all by `levels`. */
export function titled(title: string, screens: readonly Screen[], levels: number): readonly Screen[] {
  return screens.map((one, index) => ({ ...one, title: index === 0 ? title : one.title, indent: one.indent + levels }));
}

/**
 * Encodes screens as deterministic CBOR (RFC 8949, 4.2): a map with the list of screens at key 1; empty values are
 * omitted.
 */
export function encodeScreens(screens: readonly Screen[]): Uint8Array {
  return concatAll([head(MAP, 1), head(UINT, 1), head(ARRAY, screens.length), ...screens.map(encodeScreen)]);
}

function encodeScreen({ title, content, indent, expert }: Screen): Uint8Array {
  const members = [
    ...(title === '' ? [] : [concat(head(UINT, 1), text(title))]),
    ...(content === '' ? [] : [concat(head(UINT, 2), text(content))]),
    ...(indent === 0 ? [] : [concat(head(UINT, 3), head(UINT, indent))]),
    ...(expert ? [concat(head(UINT, 4), TRUE)] : []),
  ];
  return concatAll([head(MAP, members.length), ...members]);
}

function text(value: string): Uint8Array {
  const bytes = utf8(value);
  return concat(head(TEXT, bytes.length), bytes);
}

const UINT = 0;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TRUE = Uint8Array.of(0xf5);

/** Encodes a CBOR major type and its number in the shortest form. */
function head(major: number, value: number): Uint8Array {
  const first = major << 5;
  if (value < 24) return Uint8Array.of(first | value);
  if (value < 0x100) return Uint8Array.of(first | 24, value);
  if (value < 0x1_0000) return Uint8Array.of(first | 25, value >> 8, value & 0xff);
  return Uint8Array.of(first | 26, value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
