import type { Outcome } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import {
  type ControlCommand,
  controlled,
  isTooMuch,
  NO_CONTROLS,
  type PacketControls,
} from '../../core/relayer/controls.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { PathEnds, Side } from '../../core/relayer/path.js';
import type { Remotes } from './reverted.js';

/** The open channel of a relayer, and its two chains. */
export interface OpenPath {
  readonly remotes: Remotes;
  readonly ends: PathEnds;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

/**
 * State shared by a relayer and its commands: commands set controls, which the relayer reads before it relays
 * anything, and the relayer sets the open channel. Neither calls the other.
 */
export class RelayerState {
  readonly #controls: Record<Side, PacketControls> = { a: NO_CONTROLS, b: NO_CONTROLS };
  #changes = 0;
  /** Undefined while the channel is not open. */
  path: OpenPath | undefined;

  /** The controls for packets that a chain sent. */
  controls(side: Side): PacketControls {
    return this.#controls[side];
  }

  /** A version that changes with every change of the controls. */
  get changes(): number {
    return this.#changes;
  }

  /** Changes the controls for a chain's packets; refused beyond the limit `relayerControls`. */
  change(side: Side, command: ControlCommand): Outcome<undefined> {
    const after = controlled(this.#controls[side], command);
    const { relayerControls: maximum } = FIXED_LIMITS;
    if (isTooMuch(after)) return { ok: false, error: { code: 'limit-exceeded', limit: 'relayerControls', maximum } };
    this.#controls[side] = after;
    this.#changes += 1;
    return { ok: true, value: undefined };
  }
}
