/** The recorded gRPC calls, and the reasons why some cannot be compared. */
import { goldenLines, hasGolden } from '../../support/golden.js';

export interface Call {
  readonly name: string;
  readonly method: string;
  readonly request: unknown;
  readonly request_hex: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly code: string;
  readonly message?: string;
  readonly header: Readonly<Record<string, string>>;
  readonly response_hex?: string;
}

const HEIGHT = 'x-cosmos-block-height';
/** Services of the example application that do not exist here. */
const ABSENT = /^(cosmos\.autocli\.|testpb\.)/;

/** The reason why an answer cannot equal the recorded one; undefined when it must. */
export function skipped({ method, request, response_hex: response = '', code, header }: Call): string | undefined {
  const asked = JSON.stringify(request);
  if (ABSENT.test(method)) return 'the Go program itself';
  if (/v2alpha1.*(Codec|Tx|QueryServices)Descriptor|ListAllInterfaces/.test(method))
    return 'it lists the modules of the peer';
  if (/FileDescriptors$/.test(method)) return 'its answer was too big to record';
  if (/GetNodeInfo$/.test(method)) return "it describes the peer's build";
  if (method === 'sdk.upgrade.v1beta1.Query/CurrentPlan') return 'intended: the alias is served';
  if (/GetTx$/.test(method) && asked.includes('0x')) return 'intended: a hash may begin with 0x';
  if (/GetTxsEvent$/.test(method) && asked.includes('"events"'))
    return 'intended: the older form of the search is read';
  if (/ABCIQuery$/.test(method) && asked.includes('"prove":true'))
    return 'proofs come from the executor, which a recorded log has not';
  if (code === 'OK' && header[HEIGHT] === undefined && response === '') return 'nothing was recorded';
  return undefined;
}

export const calls: readonly Call[] = hasGolden
  ? goldenLines<Partial<Call>>('faces/grpc.jsonl').filter(
      (line): line is Call => line.method !== undefined && line.method !== '',
    )
  : [];

/** The head of the Go node when it answered. */
export function headOf({ header, metadata }: Call): bigint {
  return metadata === undefined && header[HEIGHT] !== undefined ? BigInt(header[HEIGHT]) : 557n;
}

/**
 * An error without the parts that only a Go node can have: the place in its source that it appends to errors of a
 * simulation, the gas of the parameters that it reads before it decodes (1156; here no gas is used at that point), and
 * the words of its JSON decoder.
 */
export function comparable(message: string): string {
  return message
    .replace(/ \[[\w./-]+@v[\d.]+[\w./-]*\.go:\d+\]/, '')
    .replace(/with gas used: '1156'$/, "with gas used: '0'")
    .replace(/^(invalid character .*|invalid args: not JSON)$/, 'not JSON');
}
