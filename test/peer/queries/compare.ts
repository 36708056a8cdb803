/** Sends one query to both programs and compares their answers. */
import { fromBinary, toJsonString } from '@bufbuild/protobuf';
import type { DescMessage, DescMethod } from '@bufbuild/protobuf';
import { servedFiles } from '../../../src/adapters/services/index.js';
import type { Height } from '../../../src/core/primitives.js';
import type { ResponseQuery } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { AbciQueryAnswer } from '../../../src/core/node-api.js';
import { intended } from './intended.js';
import type { Pair } from '../pair.js';

export interface Question {
  readonly path: string;
  readonly data: Uint8Array;
  readonly height: bigint;
  readonly prove: boolean;
}

/** Text for the report, and for a repetition of the query. */
export interface Difference {
  readonly path: string;
  readonly height: string;
  /** In hexadecimal, and decoded. */
  readonly data: string;
  readonly asked: string;
  /** Every member of the answer. */
  readonly ours: string;
  readonly theirs: string;
}

export interface Asked {
  readonly theirs: ResponseQuery;
  readonly difference: Difference | undefined;
}

/** `proofOps` of this program is a list, that on the wire holds one. */
type Answer = Pick<ResponseQuery, 'code' | 'codespace' | 'log' | 'info' | 'index' | 'key' | 'value' | 'height'> & {
  readonly proofOps?: ResponseQuery['proofOps'] | AbciQueryAnswer['proofOps'];
};

export async function ask(pair: Pair, question: Question, method: DescMethod | undefined): Promise<Asked> {
  const [theirs, mine] = await Promise.all([
    pair.evmd.call({ case: 'query', value: question }),
    pair.ours.engine.query({ ...question, height: question.height as Height }),
  ]);
  const [ours, other] = [shown(mine, method?.output), shown(theirs, method?.output)];
  const { path, data, height } = question;
  if (ours === other || intended({ path, ours: mine.log, theirs: theirs.log }) !== undefined)
    return { theirs, difference: undefined };
  const asked = decoded(data, method?.input);
  return { theirs, difference: { path, height: `${height}`, data: hex(data), asked, ours, theirs: other } };
}

/** Every member of an answer; the value decoded where it can be, for a person, and always as it is. */
function shown(answer: Answer, output: DescMessage | undefined): string {
  const { code, codespace, log, info, index, height, proofOps } = answer;
  const ops = proofOps === undefined || !('ops' in proofOps) ? (proofOps ?? []) : proofOps.ops;
  const proofs = ops.map(({ type, key, data }) => [type, hex(key), hex(data)]);
  const members = {
    code,
    codespace,
    log,
    info,
    index: String(index),
    height: String(height),
    key: hex(answer.key),
    proofs,
  };
  return `${JSON.stringify(members)} ${hex(answer.value)} ${decoded(answer.value, output)}`;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function decoded(value: Uint8Array, output: DescMessage | undefined): string {
  if (output === undefined || value.length === 0) return '';
  try {
    return toJsonString(output, fromBinary(output, value), { registry: servedFiles().registry });
  } catch {
    return 'not JSON';
  }
}
