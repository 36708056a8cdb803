/** What a part of a message is made of: who sends it, how deep it is in others, how parts of other types are made. */
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

/** The same, one message deeper. */
export const deeper = (making: Making): Making => ({ ...making, depth: making.depth + 1 });
