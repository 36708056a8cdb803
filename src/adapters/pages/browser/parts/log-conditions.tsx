/** Conditions on events of a log, as a row of fields. Asks: `rpc_discover` (names of types). */
import { useAnswer } from '../data/answer.js';
import { ask } from '../data/ethereum.js';
import type { LogFilter } from '../data/log.js';

const STREAMS = ['chain', 'mempool', 'upgrade', 'filters', 'node'];

/** Conditions that a person types, with their labels. */
const TYPED = [
  ['height', 'Height'],
  ['tx', 'Transaction'],
  ['cause', 'Cause'],
] as const;

/** The row; `change` is called with what the reader chose. */
export function LogConditions({ filter, change }: { filter: LogFilter; change: (part: Partial<LogFilter>) => void }) {
  const types = useAnswer(['log-types'], readTypes, { isFixed: true });
  return (
    <div class="row query">
      <Choice label="Stream" value={filter.stream} options={STREAMS} set={(stream) => change({ stream })} />
      <Choice
        label="Type"
        value={filter.type}
        options={types.state === 'there' ? types.value : []}
        set={(type) => change({ type })}
      />
      {TYPED.map(([name, label]) => (
        <label key={name} class="field">
          <span>{label}</span>
          <input
            value={filter[name]}
            spellcheck={false}
            autocomplete="off"
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  set,
}: {
  label: string;
  value: string;
  options: readonly string[];
  set: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Described {
  readonly components: {
    readonly schemas: {
      readonly LogFilter: { readonly properties: { readonly types: { readonly items: { readonly enum: string[] } } } };
    };
  };
}

/** Names of the types of events, from the description of `chronicle_logEvents`. */
async function readTypes(): Promise<readonly string[]> {
  const { components } = await ask<Described>('rpc_discover');
  return components.schemas.LogFilter.properties.types.items.enum;
}
