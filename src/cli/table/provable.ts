import { create, type DescMethodUnary, type MessageInitShape } from '@bufbuild/protobuf';
import { ask } from './command-rows.js';
import type { CommandBody, CommandRow, OptionRow } from './command-table.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { print } from './output.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import { type ProvenValue, provenValue } from '../client/proven-value.js';
import { fieldsOf } from './query-rows.js';
import { evmUnary, type Request } from './unary.js';

/** The proof fields of an answer. */
type Proof = Pick<ProvenValue, 'proof' | 'proofHeight'>;

/** The arguments of a command. */
export interface Arguments {
  /** The argument as typed; empty when left out. */
  readonly text: (index: number) => string;
}

/** A query for one value of the ibc store. */
interface Provable<Method extends DescMethodUnary> {
  /** The value's key in the store. */
  readonly key: (args: Arguments) => Uint8Array;
  /** Creates the answer with the value. */
  readonly answer: (value: Uint8Array, proof: Proof) => MessageInitShape<Method['output']>;
  /** Error text if the key is missing; undefined if absence is a valid answer. */
  readonly missing: ((args: Arguments) => string) | undefined;
  /** Creates the request of the query method, for an answer without proof. */
  readonly request: Request<Method>;
}

/**
 * Creates a command that prints a value of the ibc store: with a proof, read from the store; with `--prove=false`
 * from the query method, which gives no proofs (ibc-go v10 `client/utils/utils.go` of each part).
 */
export function provable<Method extends DescMethodUnary>(method: Method, query: Provable<Method>): CommandBody {
  const plain = evmUnary(method, query.request);
  return async (context, args, flags) => {
    if (flags.text('prove') === 'false') return plain(context, args, flags);
    const given: Arguments = { text: (index) => args[index] ?? '' };
    const { value, proof, proofHeight } = await provenValue(context, query.key(given), flags.whole('height'));
    if (value === undefined && query.missing !== undefined) throw new CommandError(EXIT.notFound, query.missing(given));
    const { output } = method;
    const answer = create(output, query.answer(value ?? new Uint8Array(), { proof, proofHeight }));
    print({ ...context, indent: false }, protoJson(output, answer));
  };
}

/** The option of commands that `provable` creates. */
export const PROVE: OptionRow = {
  flag: '--prove <boolean>',
  doc: 'the answer with its proof',
  choices: ['true', 'false'],
  default: 'true',
};

/** Creates a command row below `query` for a value of the ibc store; its arguments are the request fields. */
export function proven<Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  query: Omit<Provable<Method>, 'request'>,
): CommandRow {
  return ask(line, doc, provable(method, { ...query, request: fieldsOf(line, method) }), { options: [PROVE] });
}
