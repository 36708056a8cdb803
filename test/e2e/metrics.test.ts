import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';

it('the first scrape counts processor time from the start of the process, and every sample has a value', async () => {
  const { endpoints } = await startDaemonProcess();
  const scrape = async (): Promise<string> => (await fetch(`${endpoints.metrics}/metrics`)).text();
  const first = await scrape();
  const seconds = (text: string, name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  // A start takes several tenths of a second of processor time on any machine; a scrape takes a few hundredths.
  expect(seconds(first, 'process_cpu_seconds_total')).toBeGreaterThan(0.15);
  expect(seconds(first, 'process_cpu_seconds_total')).toBeCloseTo(
    seconds(first, 'process_cpu_user_seconds_total') + seconds(first, 'process_cpu_system_seconds_total'),
    1,
  );
  const second = await scrape();
  expect(seconds(second, 'process_cpu_seconds_total')).toBeGreaterThanOrEqual(
    seconds(first, 'process_cpu_seconds_total'),
  );
  expect(seconds(first, 'chronicle_height')).toBeGreaterThan(0);
  for (const name of ['chronicle_data_bytes', 'chronicle_disk_free_bytes'])
    expect(seconds(first, name)).toBeGreaterThan(100_000);
  for (const text of [first, second]) expect(text).not.toMatch(/nan$/im);
});
