/** Values of a chain by kind, for use in queries. The set grows with the answers. */
import type { DescMessage } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { fromBinary } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';

const KINDS = ['account', 'operator', 'consensus', 'hex', 'hash', 'text', 'bytes', 'pageKey', 'number'] as const;
export type Kind = (typeof KINDS)[number];

/** Values of one kind that are kept; later ones take the place of earlier ones. */
const KEPT = 300;

export class KnownValues {
  readonly #values = new Map<Kind, (string | Uint8Array | bigint)[]>(KINDS.map((kind) => [kind, []]));
  readonly #seen = new Set<string>();
  #added = 0;

  of(kind: Kind): readonly (string | Uint8Array | bigint)[] {
    return this.#values.get(kind) ?? [];
  }

  add(value: string | Uint8Array | bigint, kind = kindOf(value)): void {
    const mark = `${kind} ${typeof value === 'object' ? Buffer.from(value).toString('hex') : value}`;
    const values = this.#values.get(kind);
    if (values === undefined || this.#seen.has(mark)) return;
    this.#seen.add(mark);
    this.#added += 1;
    if (values.length < KEPT) values.push(value);
    else values[this.#added % KEPT] = value;
  }

  /** Every text, number and short run of bytes in an encoded message. */
  addAll(desc: DescMessage, bytes: Uint8Array): void {
    this.#addMessage(reflect(desc, fromBinary(desc, bytes)));
  }

  #addMessage(message: ReflectMessage): void {
    for (const field of message.fields) {
      if (!message.isSet(field)) continue;
      if (field.fieldKind === 'list') {
        const list = message.get(field);
        for (const one of [...list].slice(0, 20)) this.#addOne(field.name, one);
      } else if (field.fieldKind !== 'map') this.#addOne(field.name, message.get(field));
    }
  }

  #addOne(name: string, value: unknown): void {
    if (typeof value === 'string' && value.length <= 120) this.add(value);
    else if (typeof value === 'bigint') this.add(value);
    else if (value instanceof Uint8Array && value.length <= 200) {
      this.add(value, name === 'next_key' && value.length > 0 ? 'pageKey' : 'bytes');
    } else if (typeof value === 'object' && value !== null && 'fields' in value)
      this.#addMessage(value as ReflectMessage);
  }
}

function kindOf(value: string | Uint8Array | bigint): Kind {
  if (typeof value === 'bigint') return 'number';
  if (typeof value !== 'string') return 'bytes';
  if (/^[a-z]+valoper1/.test(value)) return 'operator';
  if (/^[a-z]+valcons1/.test(value)) return 'consensus';
  if (/^[a-z]+1[02-9ac-hj-np-z]{38,}$/.test(value)) return 'account';
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return 'hex';
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(value)) return 'hash';
  return 'text';
}

/** Likely kind of value for a field of a query. */
export function kindWanted(name: string, type: ScalarType): Kind {
  if (type === ScalarType.BYTES) return 'bytes';
  if (type !== ScalarType.STRING) return 'number';
  if (/cons_address|consensus/.test(name)) return 'consensus';
  if (/validator|operator/.test(name)) return 'operator';
  if (/hash|^key$/.test(name)) return 'hash';
  if (/addr|delegator|granter|grantee|depositor|voter|owner/.test(name)) return 'account';
  return 'text';
}
