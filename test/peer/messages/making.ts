/** Material of a part of a message: its sender, its depth in others, and the makers of parts of other types. */
import type { DescMessage } from '@bufbuild/protobuf';
import type { Actor } from './actors.js';
import type { World } from './world.js';

export interface Making {
  readonly world: World;
  readonly actor: Pick<Actor, 'bech32' | 'operator' | 'address' | 'name'>;
  readonly depth: number;
  /** A message of a type, with everything in it. */
  readonly encode: (making: Making, desc: DescMessage) => Uint8Array;
}

/** A value of one field. */
export type Value = Uint8Array | string | bigint | number | boolean;

/** The making of parts one message deeper. */
export const deeper = (making: Making): Making => ({ ...making, depth: making.depth + 1 });
