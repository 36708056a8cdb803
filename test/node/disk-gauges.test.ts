/** Gauges of the disk that holds the data of a node. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskGauges } from '../../src/node/metrics.js';
import { temporaryFolder } from '../support/temporary.js';

test('the gauge of free disk space is NaN for a folder that does not exist', async () => {
  const freeOf = async (folder: string): Promise<number> => await diskGauges(folder)[1][2]();
  const folder = temporaryFolder();
  expect(await freeOf(folder)).toBeGreaterThan(0);
  expect(await freeOf(join(folder, 'absent'))).toBeNaN();
});
