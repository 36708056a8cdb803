import { describe, it } from 'vitest';
import { createServer } from '../../../src/adapters/transport/index.js';
import { loadUws } from '../../../src/adapters/transport/uws-library.js';
import { contract } from './contract.js';

contract({ name: 'node', create: (options) => createServer({ ...options, preferred: 'node' }) });

if ((await loadUws()) === undefined)
  describe('is skipped: it has no binary for this Node', () => it.skip('has no binary for this Node'));
else contract({ name: 'uws', create: (options) => createServer({ ...options, preferred: 'uws' }) });
