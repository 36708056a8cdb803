/** What the player of a chain knows of it when it makes a message. */
import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { Random } from '../random.js';
import type { Actor } from './actors.js';

export interface Grant {
  readonly granter: Actor;
  readonly grantee: Actor;
  /** Type of the messages that it allows. */
  readonly url: string;
}

export interface Unbonding {
  readonly delegator: string;
  readonly operator: string;
  readonly height: bigint;
}

export interface World {
  readonly random: Random;
  readonly actors: readonly Actor[];
  readonly prefix: string;
  readonly chainId: string;
  readonly denoms: readonly string[];
  /** The address of the module gov, whose messages proposals hold. */
  readonly authority: string;
  /** Addresses of other modules. */
  readonly modules: readonly string[];
  readonly types: Registry;
  /** Types of messages that the chain executes. */
  readonly messages: readonly DescMessage[];
  /** Account number and sequence by address. */
  readonly accounts: Map<string, { readonly number: bigint; sequence: bigint }>;
  /** The parameters of modules as messages, by the name of their type. */
  readonly params: Map<string, Uint8Array>;
  readonly grants: Grant[];
  readonly allowances: Grant[];
  readonly unbondings: Unbonding[];
  /** Keys of validators that were made. */
  readonly consensusKeys: readonly Uint8Array[];
  /** Ids of clients, connections and channels. */
  readonly ibcIds: string[];
  proposals: number;
  height: bigint;
  /** Time of the newest block in nanoseconds. */
  time: bigint;
  /** How often a value or a form is chosen that is out of the ordinary. */
  mischief: number;
}

/** True when something out of the ordinary is due. */
export const isDue = (world: World): boolean => world.random.chance(world.mischief);
