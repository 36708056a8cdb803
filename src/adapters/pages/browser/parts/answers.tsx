/** An answer in a view: it loads, it came, or the node refuses. */
import type { ComponentChildren } from 'preact';
import type { Answer } from '../data/answer.js';
import { meaningOf } from '../data/format.js';
import { moment } from '../data/store.js';
import { Icon } from './icon.js';
import { Title } from './layout.js';

/** The parts of a view once its answer is there; before, a place for it, and the node's words when it refuses. */
export function Shown<Value>({ answer, children, lines = 3, title }: ShownProps<Value>) {
  if (answer.state === 'loading')
    return (
      <div class="skeleton" aria-busy="true">
        <span class="unseen">Loading</span>
        {Array.from({ length: lines }, (_, index) => (
          <i key={index} />
        ))}
      </div>
    );
  if (answer.state === 'failed')
    return (
      <>
        {title !== undefined && (
          <Title kicker={title}>{meaningOf(answer.message) === '' ? 'Not found' : 'Not available'}</Title>
        )}
        <Failure message={answer.message} />
      </>
    );
  return (
    <div class={answer.isOld ? 'shown old' : 'shown'} aria-busy={answer.isOld}>
      {children(answer.value)}
    </div>
  );
}

interface ShownProps<Value> {
  answer: Answer<Value>;
  children: (value: Value) => ComponentChildren;
  lines?: number;
  /** Heading of a whole view; shown when the node refuses. */
  title?: string;
}

/** The node's own words when it refuses, and what they mean where that is known. */
export function Failure({ message }: { message: string }) {
  const meaning = meaningOf(message);
  return (
    <p class="callout bad">
      <Icon name="alert" />
      <span>
        {meaning !== '' && <strong>{meaning}</strong>}
        {message}
      </span>
    </p>
  );
}

/** A remark with an icon. */
export function Callout({ kind = 'info', children }: { kind?: 'info' | 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <p class={`callout ${kind}`}>
      <Icon name={kind === 'info' ? 'info' : 'alert'} />
      <span>{children}</span>
    </p>
  );
}

/** Says that a thing of a block is later than the moment that the application shows. */
export function Later({ height }: { height: bigint }) {
  const at = moment.value;
  if (at === undefined || height <= at) return null;
  return (
    <Callout kind="warn">
      This is of block {height.toString()}: it came after block {at.toString()}, the moment that is shown.
    </Callout>
  );
}
