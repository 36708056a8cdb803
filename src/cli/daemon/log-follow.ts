import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { hexData } from '../../core/bytes/hex.js';
import { formatTime } from '../../core/comet/time.js';
import { eventText } from '../../core/inspection/event-line.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toTimeNs } from '../../core/primitives.js';
import { asObject } from '../../core/text/json-object.js';
import { printableJson, printableLine } from '../../core/text/printable.js';
import { askEthereum } from '../client/eth-client.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { CommandOutput } from './command-output.js';
import { exitingOnSignals } from './end-signals.js';

type Members = Readonly<Record<string, unknown>>;

/** `log show --follow`: prints new events of the node at `--json-rpc.address` until the command is stopped. */
export function logFollow(
  { listen }: DaemonOptions,
  { from, height, types, tx, output: format }: CommandArguments<'log show'>,
  output: CommandOutput,
): Promise<number> {
  const { host, port } = listen.eth_http;
  const node = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const filter = {
    ...(types !== undefined && { types }),
    ...(tx !== undefined && { tx: hexData(tx) }),
    ...(height !== undefined && { height: height.toString() }),
    data: format === 'json' ? 'decoded' : 'none',
  };
  return exitingOnSignals(async () => {
    const ask = async (more: Members): Promise<Members> => {
      const page = asObject(await askEthereum(node, 'chronicle_logEvents', [{ ...filter, ...more }]));
      if (page === undefined) throw new CommandError(EXIT.failed, `${node} answered something else than events`);
      return page;
    };
    let next = from === undefined ? BigInt(textOf((await ask({ limit: 1, descending: true }))['head'])) + 1n : from;
    for (;;) {
      const page = await ask({ from: next.toString(), wait: FIXED_LIMITS.logWaitMs / 2 });
      const events: readonly unknown[] = Array.isArray(page['events']) ? page['events'] : [];
      for (const event of events) output.stdout(`${lineOf(asObject(event) ?? {}, format)}\n`);
      const after = BigInt(textOf(page['next'] ?? page['head'])) + (page['next'] === null ? 1n : 0n);
      next = after > next ? after : next;
    }
  });
}

/** Formats an event with the member names of `log show`. */
function lineOf(event: Members, output: 'text' | 'json'): string {
  const { position, stream, streamPosition, time, cause, type, v, data, line } = event;
  if (output === 'json')
    return printableJson({ position, stream, stream_position: streamPosition, time, cause, type, v, data });
  const when = formatTime(toTimeNs(BigInt(textOf(time))));
  return printableLine(eventText(textOf(position), when, textOf(stream), textOf(line)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '0';
}
