import { refusal, STATUS } from '../services/status.js';
import type { HttpResponse } from '../transport/index.js';
import { errorResponse } from './errors.js';

/** The response to a body above the limit. */
export const REST_BODY_TOO_LARGE: HttpResponse = {
  ...errorResponse(refusal(STATUS.resourceExhausted, 'request body too large (limit httpBodyBytes)')),
  status: 413,
};
