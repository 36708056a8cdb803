/** Setup of every test file: what a test or a file made outside of its process is taken away after it. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import './equal-bytes.js';
import { beginTest, endFile, endTest } from './temporary.js';

beforeEach(beginTest);
afterEach(endTest);
afterAll(endFile);
