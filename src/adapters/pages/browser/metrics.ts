/** Script of the page at the root of the metrics face. */
import { linkApplication } from './application-link.js';

await linkApplication();
