import { refused } from '../../core/errors.js';
import type { FoundMoment, Moment } from '../../core/inspection/api.js';
import type { Outcome } from '../../core/node-api.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { SectionName } from '../../store/codec/sections.js';

/** The sources in which a moment (height or log position) is looked up. */
export interface MomentSource {
  readonly ledger: Pick<Ledger, 'earliestState'> & { readonly state: { readonly height: Height } };
  readonly log: Pick<EventLog, 'recordOf' | 'read' | 'isOnBranch'>;
  /** Position of the newest published record. */
  readonly shown: () => Position;
}

const SMALL_SECTIONS: ReadonlySet<SectionName> = new Set(['envelope', 'other']);

/** Resolves a moment to its height and log position. Refuses one that the chain does not have. */
export async function findMoment(source: MomentSource, moment: Moment): Promise<Outcome<FoundMoment>> {
  const { ledger } = source;
  switch (moment.kind) {
    case 'latest':
      return { ok: true, value: foundAt(source, ledger.state.height) };
    case 'earliest':
      return { ok: true, value: foundAt(source, ledger.earliestState()) };
    case 'height':
      if (moment.height > ledger.state.height)
        return refused(`height ${moment.height} is above the head, ${ledger.state.height}`);
      return moment.height < ledger.earliestState()
        ? { ok: false, error: { code: 'state-pruned', height: moment.height, lowest: ledger.earliestState() } }
        : { ok: true, value: foundAt(source, toHeight(moment.height)) };
    case 'position':
      return findPosition(source, moment.position);
  }
}

async function findPosition(source: MomentSource, wanted: bigint): Promise<Outcome<FoundMoment>> {
  const { ledger, log, shown } = source;
  if (wanted < 1n || wanted > shown()) return refused(`position ${wanted} is not between 1 and ${shown()}`);
  const lowest = ledger.earliestState();
  // The state of the genesis, or of a snapshot, is of no block; nothing before it is pruned.
  if ((executedAt(source, lowest) ?? 0n) > wanted)
    return refused(`the state at position ${wanted} is pruned, states are kept from height ${lowest} on`);
  // Binary search: on one branch, positions increase with heights.
  let [low, high] = [lowest, ledger.state.height];
  while (low < high) {
    const middle = toHeight((low + high + 1n) / 2n);
    const at = executedAt(source, middle);
    if (at !== undefined && at > wanted) high = toHeight(middle - 1n);
    else low = middle;
  }
  const found = foundAt(source, low);
  const after = toPosition((found.position ?? 0n) + 1n);
  const limit = Number(wanted - after + 1n);
  if (limit <= 0) return { ok: true, value: found };
  for await (const events of log.read({ from: after, limit, sections: SMALL_SECTIONS }))
    for (const recorded of events)
      if (recorded.event.type === 'BlockExecuted' && !log.isOnBranch(recorded))
        return refused(`position ${wanted} is of a branch that was reverted`);
  return { ok: true, value: found };
}

function foundAt(source: MomentSource, height: Height): FoundMoment {
  return { height, position: executedAt(source, height) };
}

function executedAt({ log }: MomentSource, height: Height): Position | undefined {
  return log.recordOf(height)?.executed?.position;
}
