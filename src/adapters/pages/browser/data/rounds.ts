/** How a height was decided: the steps and votes of its rounds, from the trace in the log's event `BlockDecided`. */

/** An event of CometBFT's event bus as the log keeps it. */
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
  /** Validator and time of a vote. */
  readonly by: string;
}

export interface Round {
  readonly round: number;
  readonly marks: readonly Mark[];
}

/** Marks of a trace that are kept: a chain of many validators has many votes. */
const MOST_MARKS = 500;
const PREVOTE = 1;

/** The rounds in their order, each with its marks in theirs. */
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

/** `CompleteProposal` as `complete proposal`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
