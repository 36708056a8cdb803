/** Consensus steps and votes of a height's rounds, from the trace of the log event `BlockDecided`. */

/** A consensus event as stored in the log. */
export interface Traced {
  readonly type: string;
  readonly value?: {
    readonly round?: number;
    readonly step?: string;
    readonly Vote?: {
      readonly type: number;
      readonly round: number;
      readonly timestamp: string;
      readonly validator_address: string;
      readonly block_id: { readonly hash: string };
    };
  };
}

export interface Mark {
  readonly kind: 'step' | 'vote' | 'nil';
  readonly label: string;
  /** Validator of a vote, and its time. */
  readonly by: string;
}

export interface Round {
  readonly round: number;
  readonly marks: readonly Mark[];
}

/** Maximum number of marks, because a chain with many validators has many votes. */
const MOST_MARKS = 500;
const PREVOTE = 1;

/** The rounds and their marks, in order. */
export function roundsOf(trace: readonly Traced[]): readonly Round[] {
  const rounds = new Map<number, Mark[]>();
  for (const { type, value = {} } of trace.slice(0, MOST_MARKS)) {
    const { Vote: vote } = value;
    const round = vote?.round ?? value.round ?? 0;
    const marks = rounds.get(round) ?? [];
    rounds.set(round, marks);
    if (vote !== undefined)
      marks.push({
        kind: vote.block_id.hash === '' ? 'nil' : 'vote',
        label: vote.type === PREVOTE ? 'prevote' : 'precommit',
        by: `${vote.validator_address} at ${vote.timestamp}`,
      });
    else if (type !== 'NewRoundStep') marks.push({ kind: 'step', label: wordsOf(type), by: '' });
  }
  return [...rounds].toSorted(([a], [b]) => a - b).map(([round, marks]) => ({ round, marks }));
}

/** Splits an event name into words: `CompleteProposal` becomes `complete proposal`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
