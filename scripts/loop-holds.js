/**
 * Measures how long the main thread of a process blocks the event loop; loaded with `--import`. Times are processor
 * milliseconds, so that other work on the machine does not count. Answers each message of the parent with the longest
 * hold since the last message and with the memory of the process. Linux only.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;

/** Processor time of the main thread, in milliseconds. */
const used = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

if (isMainThread) {
  let last = used();
  let longest = 0;
  setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, EVERY_MS).unref();
  process.on('message', () => {
    const status = readFileSync('/proc/self/status', 'utf8');
    const mib = (name) => Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)[1]) / 1_024;
    const { user, system } = process.cpuUsage();
    process.send({ longest, cpu: (user + system) / 1_000, resident: mib('VmRSS'), peak: mib('VmHWM') });
    longest = 0;
  });
  process.channel?.unref();
}
