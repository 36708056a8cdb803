/** Measures of the disk that holds the data of a node. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskGauges } from '../../src/node/metrics.js';
import { temporaryFolder } from '../support/temporary.js';

test('free space has a value where the system tells it, and none elsewhere', async () => {
  const freeOf = async (folder: string): Promise<number> => await diskGauges(folder)[1][2]();
  const folder = temporaryFolder();
  expect(await freeOf(folder)).toBeGreaterThan(0);
  expect(await freeOf(join(folder, 'absent'))).toBeNaN();
});
