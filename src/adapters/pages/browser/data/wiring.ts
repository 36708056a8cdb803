/** Layout of the diagram of the node's streams and their consumers. */
import type { Consumer } from './inside.js';

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
  readonly consumers: readonly Place[];
  readonly lines: readonly { readonly from: Place; readonly to: Place }[];
}

const WIDTH = 760;
const ROW = 34;
const LEFT = 170;
const RIGHT = WIDTH - 230;

/** Positions streams on the left, and consumers on the right in delivery order, with lines between them. */
export function pictureOf(consumers: readonly Consumer[]): Picture {
  const names = [...new Set(consumers.flatMap(({ hears }) => hears))].toSorted();
  const height = Math.max(consumers.length, names.length) * ROW + 16;
  const place = (name: string, index: number, count: number, x: number, phase: string): Place => ({
    name,
    x,
    y: (height / count) * (index + 0.5),
    phase,
  });
  const streams = names.map((name, index) => place(name, index, names.length, LEFT, ''));
  const right = consumers.map(({ consumer, phase }, index) => place(consumer, index, consumers.length, RIGHT, phase));
  const lines = consumers.flatMap(({ hears }, index) => {
    const to = right[index];
    return to === undefined
      ? []
      : hears.flatMap((name) => {
          const from = streams.find((one) => one.name === name);
          return from === undefined ? [] : [{ from, to }];
        });
  });
  return { width: WIDTH, height, streams, consumers: right, lines };
}
