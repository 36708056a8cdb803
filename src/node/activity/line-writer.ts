import { CLEARED_LINE } from '../../config/colours.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Writes a text to a stream; calls `done` once, asynchronously, with the error or undefined. */
export type WriteText = (text: string, done: (error: Error | undefined) => void) => void;

/**
 * Writes lines in order, one write at a time. A slow reader never blocks the node: lines beyond a limit are dropped,
 * and their number is written when it reads again. After a failed write nothing more is written.
 */
export class LineWriter {
  readonly #write: WriteText;
  readonly #isTerminal: boolean;
  #waiting = '';
  #status = '';
  #dropped = 0;
  #isWriting = false;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(write: WriteText, isTerminal: boolean) {
    this.#write = write;
    this.#isTerminal = isTerminal;
  }

  line(text: string): void {
    if (this.#waiting.length + text.length > FIXED_LIMITS.activityWaitingCharacters) {
      this.#dropped += 1;
      return;
    }
    this.#append(`${text}\n`);
  }

  /** Shows a status text that the next status or line replaces; only on a terminal. */
  status(text: string): void {
    if (this.#isTerminal && this.#waiting === '' && !this.#isWriting) this.#append('', text);
  }

  /** Removes the status; resolves when everything is written. */
  end(): Promise<void> {
    if (this.#status !== '') this.#append('');
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #append(text: string, status = ''): void {
    if (this.#isClosed) return;
    if (this.#status !== '') this.#waiting += CLEARED_LINE;
    this.#status = status;
    this.#waiting += text + status;
    this.#flush();
  }

  #flush(): void {
    if (this.#isWriting) return;
    if (this.#waiting === '') {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    const text = this.#waiting;
    this.#waiting = '';
    this.#isWriting = true;
    this.#write(text, (error) => {
      this.#isWriting = false;
      this.#isClosed ||= error !== undefined;
      if (this.#isClosed) this.#waiting = '';
      else if (this.#dropped > 0 && this.#waiting === '') {
        const count = this.#dropped;
        this.#dropped = 0;
        this.#waiting = `… ${count} ${count === 1 ? 'line' : 'lines'} left out: the reader of this log is too slow\n`;
      }
      this.#flush();
    });
  }
}
