/** Events of a log as a list, of the node or of a file. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import type { LogEvent } from '../data/log.js';
import { Callout, Shown } from './answers.js';
import { BlockLink } from './ids.js';
import { Badge, Code, When } from './values.js';
import { Json } from './json.js';

export interface EventsProps {
  readonly events: readonly LogEvent[];
  readonly chosen: string | undefined;
  readonly choose: (position: string | undefined) => void;
  /** Reads an event with its data. */
  readonly read: (position: string, data: 'decoded' | 'raw') => Promise<LogEvent | undefined>;
  /** The event is out of sight in a long list (`Virtual`). */
  readonly isAside?: (event: LogEvent) => boolean;
  /** Actions of an event of this chain; without it the events are of a file, and lead nowhere. */
  readonly actions?: ((event: LogEvent) => ComponentChildren) | undefined;
}

/** Events in lines; the one that is chosen with its data. */
export function Events({ events, chosen, choose, read, isAside, actions }: EventsProps) {
  if (events.length === 0) return <p class="empty">No event matches.</p>;
  return (
    <ul class="events log">
      {events.map((event) => {
        const isOpen = chosen === event.position;
        return (
          <li
            key={event.position}
            data-rank={Number(event.position) - 1}
            class={isAside?.(event) === true ? 'unseen' : ''}
          >
            <div class="frame">
              <button
                type="button"
                class="quiet call"
                aria-expanded={isOpen}
                onClick={() => choose(isOpen ? undefined : event.position)}
              >
                <code>{event.position}</code>
              </button>
              <Badge kind={KINDS[event.stream] ?? 'plain'}>{event.type}</Badge>
              <span class="text">{event.line}</span>
              {event.abandoned === true && <Badge kind="warn">taken back</Badge>}
              <span class="gas">
                {event.height !== null && event.abandoned !== true && (
                  <>block {actions === undefined ? event.height : <BlockLink height={event.height} />}, </>
                )}
                <When milliseconds={Number(BigInt(event.time) / 1_000_000n)} />
              </span>
            </div>
            {isOpen && <Whole event={event} read={read} actions={actions} />}
          </li>
        );
      })}
    </ul>
  );
}

const KINDS: Readonly<Record<string, string>> = { chain: 'accent', mempool: 'cosmos', upgrade: 'warn', node: 'good' };

function Whole({ event, read, actions }: { event: LogEvent } & Pick<EventsProps, 'read' | 'actions'>) {
  const [isRaw, setRaw] = useState(false);
  const answer = useAnswer(['event', event.position, isRaw], () => read(event.position, isRaw ? 'raw' : 'decoded'), {
    isFixed: true,
  });
  return (
    <div class="stack whole-event">
      <p class="muted">
        {event.stream} {event.streamPosition}, version {event.v}
        {event.cause !== '' && `, caused by ${event.cause}`}
      </p>
      <div class="choices" role="group" aria-label="Form of the data">
        <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          in words
        </button>
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          as bytes
        </button>
      </div>
      <Shown answer={answer}>
        {(whole) =>
          whole?.data === undefined ? (
            <Callout>The data of this event is too long to be shown.</Callout>
          ) : isRaw ? (
            <Code text={JSON.stringify(whole.data, undefined, 2)} what="data of the event" />
          ) : (
            <Json value={whole.data} />
          )
        }
      </Shown>
      {actions?.(event)}
    </div>
  );
}
