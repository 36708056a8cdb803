/** Places of a picture of who hears what inside of the node. */
import type { Hearer } from './inside.js';

export interface Place {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly phase: string;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly streams: readonly Place[];
  readonly hearers: readonly Place[];
  readonly lines: readonly { readonly from: Place; readonly to: Place }[];
}

const WIDTH = 760;
const ROW = 34;
const LEFT = 170;
const RIGHT = WIDTH - 230;

/** Streams at the left, hearers at the right in the order in which they are shown a record, and lines between. */
export function pictureOf(hearers: readonly Hearer[]): Picture {
  const names = [...new Set(hearers.flatMap(({ hears }) => hears))].toSorted();
  const height = Math.max(hearers.length, names.length) * ROW + 16;
  const place = (name: string, index: number, count: number, x: number, phase: string): Place => ({
    name,
    x,
    y: (height / count) * (index + 0.5),
    phase,
  });
  const streams = names.map((name, index) => place(name, index, names.length, LEFT, ''));
  const right = hearers.map(({ hearer, phase }, index) => place(hearer, index, hearers.length, RIGHT, phase));
  const lines = hearers.flatMap(({ hears }, index) => {
    const to = right[index];
    return to === undefined
      ? []
      : hears.flatMap((name) => {
          const from = streams.find((one) => one.name === name);
          return from === undefined ? [] : [{ from, to }];
        });
  });
  return { width: WIDTH, height, streams, hearers: right, lines };
}
