import type { RoundState } from '../../core/consensus/round-state.js';
import type { DomainError, Outcome } from '../../core/errors.js';
import type { ChildSpec } from '../shell/child.js';
import { Inbox } from '../shell/inbox.js';
import type { LeaseId } from './command-queue.js';
import { consensusMachine, type ConsensusCommand, type ConsensusInput } from './machine.js';
import type { Mining } from '../../core/chain/mining.js';
import { type ConsensusPorts } from './ports.js';
import { ConsensusMemory, Production, type ConsensusMode } from './production.js';

/** The readable state of block production. */
export interface ConsensusView {
  mode(): ConsensusMode;
  /** Round state of the first local validator; undefined when none is in the validator set. */
  roundState(): RoundState | undefined;
  mining(): Mining;
  /** True when an arriving transaction triggers a block. */
  isInstant(): boolean;
}

/** While a lease is held, only its holder's blocks are made. It outlives the actor. */
export interface Lease {
  /** Makes one block now; resolves when it is applied, or with `halted` when no block will be made. */
  mine(): Promise<Outcome<undefined>>;
  /** Ends the lease; idempotent. */
  release(): void;
}

/** Interface of block production to the rest of the node. */
export interface Consensus {
  readonly child: ChildSpec<'consensus'>;
  readonly view: ConsensusView;
  /**
   * Makes one block after the one in flight, in any mining mode; resolves when it is applied, or with `halted` when no
   * block will be made.
   */
  mine(): Promise<Outcome<undefined>>;
  /** Changes the mining mode; a block in flight is finished first. */
  setMining(mining: Mining): Promise<Outcome<undefined>>;
  /**
   * Resolves with a lease as soon as no block is in flight. While it is held, other requests for blocks and leases
   * wait, or are refused with `refusing`.
   */
  pause(refusing?: DomainError): Promise<Outcome<Lease>>;
}

/** Creates block production; the supervisor starts its actor. */
export function createConsensus(ports: ConsensusPorts): Consensus {
  const memory = new ConsensusMemory(ports);
  const inbox = new Inbox<ConsensusCommand>({ name: 'block production', maximum: ports.limits.actorInbox });
  let present = new Production(ports, memory);

  const mine = (lease?: LeaseId): Promise<Outcome<undefined>> => inbox.ask((reply) => ({ type: 'mine', lease, reply }));
  return {
    child: {
      id: 'consensus',
      logic: consensusMachine,
      input: (): ConsensusInput => {
        present = new Production(ports, memory);
        return { production: present, ports };
      },
      inbox: {
        get waiting() {
          return inbox.waiting;
        },
        open: (deliver) => inbox.open(deliver),
        close: () => inbox.close(),
        end(error) {
          inbox.end(error);
          memory.commands.end(error);
        },
      },
    },
    view: {
      mode: () => present.mode,
      roundState: () => present.roundState,
      mining: () => memory.mining,
      isInstant: () => present.isInstant,
    },
    mine: () => mine(),
    setMining: (mining) => inbox.ask((reply) => ({ type: 'setMining', mining, reply })),
    async pause(refusing) {
      const granted = await inbox.ask<LeaseId>((reply) => ({ type: 'pause', refusing, reply }));
      if (!granted.ok) return granted;
      const lease = granted.value;
      return {
        ok: true,
        value: {
          mine: () => mine(lease),
          release() {
            memory.commands.release(lease);
            // Makes the actor check whether a block is due; a restarted actor does that anyway.
            inbox.tell({ type: 'released' });
          },
        },
      };
    },
  };
}
