/** Setup of every test file: removes folders and processes that a test or a file made. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import './equal-bytes.js';
import { beginTest, endFile, endTest } from './temporary.js';

beforeEach(beginTest);
afterEach(endTest);
afterAll(endFile);
