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
  /** State of the first validator of this process; undefined when none is in the validator set. */
  roundState(): RoundState | undefined;
  mining(): Mining;
  /** True when a transaction that comes asks for a block. */
  isInstant(): boolean;
}

/** While it is held, no block begins but those that its holder asks for. It outlives the actor. */
export interface Lease {
  /** Makes one block now; resolves when it is applied, or with `halted` when there will be none. */
  mine(): Promise<Outcome<undefined>>;
  /** Ends the lease; calling it twice is harmless. */
  release(): void;
}

/** Block production as the rest of the node sees it. */
export interface Consensus {
  readonly child: ChildSpec<'consensus'>;
  readonly view: ConsensusView;
  /**
   * Makes one block, in any mining mode, after the one in flight; resolves when it is applied, or with `halted` when
   * there will be none.
   */
  mine(): Promise<Outcome<undefined>>;
  /** Blocks begin by another rule from now on; one in flight is finished. */
  setMining(mining: Mining): Promise<Outcome<undefined>>;
  /**
   * Resolves with a lease when no block is in flight: now, or right after the one that is. While it is held, other
   * requests for blocks and leases wait, or are refused with `refusing`.
   */
  pause(refusing?: DomainError): Promise<Outcome<Lease>>;
}

/** Makes block production; the supervisor starts it. */
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
            // The actor looks whether a block is due; a new incarnation does that by itself.
            inbox.tell({ type: 'released' });
          },
        },
      };
    },
  };
}
