/** The rounds of a height as lines of time. */
import { useAnswer } from '../data/answer.js';
import { ask } from '../data/ethereum.js';
import type { LogPage } from '../data/log.js';
import { roundsOf, type Traced } from '../data/rounds.js';
import { Shown } from './answers.js';
import { Card } from './layout.js';

/** Steps and votes of each round, in the order in which the node heard them. */
export function Rounds({ height }: { height: bigint }) {
  const answer = useAnswer(
    ['rounds', height],
    async () => {
      const { events } = await ask<LogPage>('chronicle_logEvents', {
        height: Number(height),
        types: ['BlockDecided'],
        descending: true,
        limit: 5,
      });
      const data = events.find(({ abandoned }) => !abandoned)?.data as
        | { readonly trace?: readonly Traced[] }
        | undefined;
      return roundsOf(data?.trace ?? []);
    },
    { isFixed: true },
  );
  return (
    <Card title="Rounds">
      <Shown answer={answer}>
        {(rounds) =>
          rounds.length === 0 ? (
            <p class="empty">The log of this node does not tell how this block was decided.</p>
          ) : (
            rounds.map(({ round, marks }) => (
              <div key={round} class="round">
                <strong>Round {round}</strong>
                <ol>
                  {marks.map(({ kind, label, by }, index) => (
                    <li key={index} class={kind} title={by}>
                      {label}
                      {kind === 'nil' && ' for nothing'}
                    </li>
                  ))}
                </ol>
              </div>
            ))
          )
        }
      </Shown>
    </Card>
  );
}
