/** Commands of dev mode in the header: blocks, clock, snapshots, mining. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import {
  mine,
  type Mining,
  moveClock,
  readMining,
  revertToSnapshot,
  setMining,
  snapshots,
  takeSnapshot,
} from '../data/dev.js';
import { messageOf } from './actions.js';
import { Icon } from './icon.js';

const MODES: readonly (readonly [Mining, string])[] = [
  ['instant', 'instant'],
  ['interval', 'every 2 s'],
  ['manual', 'on request'],
];

/** A button that opens the commands. */
export function DevControls() {
  const box = useRef<HTMLDetailsElement>(null);
  const [outcome, setOutcome] = useState({ text: '', isBad: false });
  const [isBusy, setBusy] = useState(false);
  const [looks, setLooks] = useState(0);
  const mining = useAnswer(['mining', looks], readMining);
  const run = async (action: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setOutcome(
      await action().then(
        (text) => ({ text, isBad: false }),
        (error: unknown) => ({ text: messageOf(error), isBad: true }),
      ),
    );
    setBusy(false);
    setLooks((before) => before + 1);
  };
  useEffect(() => {
    const close = (event: Event): void => {
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : box.current?.contains(event.target as Node) === true) return;
      if (box.current?.open === true) box.current.open = false;
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  const commands: readonly (readonly [string, () => Promise<string>, boolean?])[] = [
    ['Mine a block', () => mine(1)],
    ['Mine 10', () => mine(10)],
    ['An hour later', () => moveClock(3_600)],
    ['A day later', () => moveClock(86_400)],
    ['Take a snapshot', takeSnapshot],
    [
      `Revert${snapshots.value.length === 0 ? '' : ` to ${BigInt(snapshots.value.at(-1) ?? 0)}`}`,
      revertToSnapshot,
      snapshots.value.length === 0,
    ],
  ];
  return (
    <details class="menu" ref={box}>
      <summary>
        <Icon name="bolt" /> Dev
      </summary>
      <div class="panel" role="group" aria-label="Commands of dev mode">
        <div class="grid two">
          {commands.map(([label, action, isOff]) => (
            <button key={label} type="button" disabled={isBusy || isOff === true} onClick={() => void run(action)}>
              {label}
            </button>
          ))}
        </div>
        <fieldset class="choice">
          <legend>Blocks are made</legend>
          {MODES.map(([mode, label]) => (
            <label key={mode}>
              <input
                type="radio"
                name="mining"
                checked={mining.state === 'there' && mining.value === mode}
                disabled={isBusy}
                onChange={() => void run(() => setMining(mode))}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <p role="status" class={outcome.isBad ? 'outcome bad' : 'outcome'}>
          {outcome.text}
        </p>
      </div>
    </details>
  );
}
