/** Storage of a contract by the names of its variables; entries of mappings and lists by keys. */
import { useRef, useState } from 'preact/hooks';
import type { StorageLayout, StorageVariable } from '../../../../core/abi/storage-layout.js';
import type { StorageLocation } from '../../../../core/abi/storage-locations.js';
import { useAnswer } from '../data/answer.js';
import { addressOf } from '../data/crypto.js';
import { hexOf } from '../data/ethereum.js';
import { shortText } from '../data/format.js';
import { keysOf, partsBy, placesWith, type ReadPlace, readPlaces } from '../data/named-storage.js';
import { blockTag, facts } from '../data/store.js';
import { fieldText, messageOf } from './actions.js';
import { Shown } from './answers.js';
import { Id } from './ids.js';
import { Card, Table } from './layout.js';
import { Value } from './events.js';

type Asked = ReadonlyMap<string, readonly StorageVariable[]>;

/** Variables of a contract at the moment that is shown. */
export function NamedStorage({ address, layout }: { address: string; layout: StorageLayout }) {
  const [asked, setAsked] = useState<Asked>(new Map());
  const places = placesWith(layout, asked);
  const answer = useAnswer(['variables', address, places.map(({ name, slot }) => [name, slot])], () =>
    readPlaces(address, places, blockTag.value),
  );
  // the forms stay where they are while a new part is read
  const before = useRef(answer);
  const shown = answer.state === 'loading' ? before.current : answer;
  before.current = shown;
  const add = (place: StorageLocation, parts: readonly StorageVariable[]): void => {
    const others = (asked.get(place.name) ?? []).filter(({ name }) => !parts.some((one) => one.name === name));
    setAsked(new Map([...asked, [place.name, [...others, ...parts]]]));
  };
  return (
    <Card title="Variables" id="variables">
      <Shown answer={shown}>
        {(read) => (
          <Table
            label="Variables"
            columns={['Name', 'Type', 'Value', 'Slot', 'Word']}
            rows={read.map((one) => ({
              key: `${one.place.name} ${one.place.slot} ${one.place.offset}`,
              cells: [
                <span class="text">{one.place.name}</span>,
                <span class="muted text">{one.place.type.label}</span>,
                <>
                  <PlaceValue read={one} />
                  {(one.place.type.kind === 'mapping' || one.place.type.kind === 'array') && (
                    <Lookup layout={layout} read={one} add={(parts) => add(one.place, parts)} />
                  )}
                </>,
                <span>
                  <Id id={hexOf(one.place.slot)} what="slot" name={shortText(hexOf(one.place.slot), 6, 4)} />
                  {one.place.offset > 0 && <small class="muted"> byte {one.place.offset}</small>}
                </span>,
                one.place.type.kind === 'mapping' ? '' : <Id id={one.word} what="word" />,
              ],
            }))}
          />
        )}
      </Shown>
    </Card>
  );
}

function PlaceValue({ read: { place, value, isCut } }: { read: ReadPlace }) {
  if (value === undefined) return null;
  if (place.type.kind === 'array')
    return (
      <span class="muted">
        <Value value={value} /> elements
      </span>
    );
  return (
    <>
      <Value value={value} />
      {isCut && <span class="muted"> and more</span>}
    </>
  );
}

function Lookup({
  layout,
  read,
  add,
}: {
  layout: StorageLayout;
  read: ReadPlace;
  add: (parts: readonly StorageVariable[]) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState('');
  const { place } = read;
  const labels = place.type.kind === 'array' ? ['index'] : keysOf(layout, place).map(({ label }) => label);
  const submit = (event: Event): void => {
    event.preventDefault();
    try {
      add(
        partsBy(
          layout,
          read,
          labels.map((_, index) => fieldText(form.current, `key-${index}`)),
          addressNamed,
        ),
      );
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form class="row" ref={form} onSubmit={submit}>
      {labels.map((label, index) => (
        <input
          key={index}
          name={`key-${index}`}
          aria-label={`${label} of ${place.name}`}
          placeholder={label}
          spellcheck={false}
          autocomplete="off"
        />
      ))}
      <button>Read</button>
      <span role="status" class="outcome bad">
        {problem}
      </span>
    </form>
  );
}

/** The 0x address of a dev account's name, or of an address in either spelling; any other text as it is. */
function addressNamed(text: string): string {
  const known = facts.value?.accounts.find(({ name }) => name === text)?.hex;
  return known ?? addressOf(text, facts.value?.bech32_prefix ?? '')?.hex ?? text;
}
