/** The header of every view: the chain, its head, base fee and waiting transactions, search, and the moment shown. */
import { useEffect, useRef } from 'preact/hooks';
import { gweiText } from '../data/format.js';
import { connection, facts, head, headHeight, notice, open, standstill, waiting } from '../data/store.js';
import { DevControls } from './dev-controls.js';
import { Icon } from './icon.js';
import { TimeBar } from './time-bar.js';

/** The header with its facts, which follow the chain. */
export function Header() {
  const block = head.value;
  const counts = waiting.value;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="/">
          <span class="mark" aria-hidden="true">
            <Icon name="block" />
          </span>
          <span class="chain" id="chain">
            {facts.value?.chain_id ?? 'chronicled'}
          </span>
        </a>
        <Search />
        <dl class="facts">
          <div>
            <dt>Block</dt>
            <dd id="state">
              <span class={`dot ${connection.value}`} />
              {block === undefined ? '…' : <a href={`/block/${headHeight.value}`}>{headHeight.value.toString()}</a>}
            </dd>
          </div>
          <div>
            <dt>Base fee</dt>
            <dd>{block?.baseFeePerGas === undefined ? 'none' : gweiText(BigInt(block.baseFeePerGas))}</dd>
          </div>
          <div>
            <dt>Waiting</dt>
            {counts === undefined ? (
              <dd>{block === undefined ? '…' : 'not known'}</dd>
            ) : (
              <dd title={`${counts.pending} ready, ${counts.queued} behind a gap of nonces`}>
                {counts.pending + counts.queued} tx
              </dd>
            )}
          </div>
        </dl>
        {facts.value?.is_dev === true && <DevControls />}
      </div>
      <TimeBar />
      <Notices />
    </header>
  );
}

function Search() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text !== '') open({ view: 'search', text });
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input}
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Hash, height, address, denomination, validator, proposal"
        spellcheck={false}
        autocomplete="off"
        maxLength={200}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function Notices() {
  const isLost = connection.value === 'lost';
  return (
    <div role="status" class="notices">
      {isLost && (
        <p class="callout bad">
          <Icon name="alert" />
          <span>The node does not answer. What is shown is what it said last; this page tries again each second.</span>
        </p>
      )}
      {standstill.value !== undefined && !isLost && (
        <p class="callout warn" id="standstill">
          <Icon name="alert" />
          <span>
            {standstill.value} <a href="/health">Health</a>
          </span>
        </p>
      )}
      {notice.value !== undefined && (
        <p class="callout warn">
          <Icon name="alert" />
          <span>{notice.value}</span>
          <button type="button" class="quiet" onClick={() => (notice.value = undefined)}>
            Understood
          </button>
        </p>
      )}
    </div>
  );
}
