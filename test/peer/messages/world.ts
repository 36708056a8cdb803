/** State of the chain as its player knows it when it makes a message. */
import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { Metadata } from '../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import type { Random } from '../random.js';
import type { Actor } from './actors.js';
import type { Standing } from './standing.js';

export interface Grant {
  readonly granter: Actor;
  readonly grantee: Actor;
  /** Type of the messages that it allows. */
  readonly url: string;
}

export interface Delegation {
  readonly delegator: string;
  readonly operator: string;
  /** Amount of the bonded denomination. */
  readonly amount: bigint;
}

export interface Unbonding extends Delegation {
  readonly height: bigint;
}

export interface Validator {
  readonly operator: string;
  readonly jailed: boolean;
}

/** A proposal that is not decided: one with votes, or one that waits for deposits. */
export interface Proposal {
  readonly id: bigint;
  readonly proposer: string;
  readonly isVoted: boolean;
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
  readonly coinMetadata: ReadonlyMap<string, Metadata>;
  /** The chain before the block. */
  standing: Standing;
  /** Keys of validators that were made. */
  readonly consensusKeys: readonly Uint8Array[];
  /** Ids of clients, connections and channels. */
  readonly ibcIds: string[];
  proposals: number;
  height: bigint;
  /** Time of the newest block in nanoseconds. */
  time: bigint;
  /** Probability of an invalid or unusual value or form. */
  mischief: number;
}

/** True when the next value is to be unusual. */
export const isDue = (world: World): boolean => world.random.chance(world.mischief);
