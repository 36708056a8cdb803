/** Description of a validator (cosmos-sdk v0.53 `x/staking/types/validator.go`, Description). */
import { create } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import { DescriptionSchema, type Description } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';

/** Field text that an edit leaves unchanged. */
const DO_NOT_MODIFY = '[do-not-modify]';

/** Fields in order, with their names in errors and maximum bytes. */
const FIELDS = [
  ['moniker', 'moniker', 70],
  ['identity', 'identity', 3000],
  ['website', 'website', 140],
  ['securityContact', 'security contact', 140],
  ['details', 'details', 280],
] as const;

/** True when a description is absent or all of its fields are empty. */
export function isEmptyDescription(description: Description | undefined): boolean {
  return description === undefined || FIELDS.every(([field]) => description[field] === '');
}

/** Requires fields within their maximum length; SDK error 18. */
export function requireLengths(description: Description): Description {
  for (const [field, name, max] of FIELDS) {
    const { length } = utf8(description[field]);
    if (length > max) throw invalidRequest(`invalid ${name} length; got: ${length}, max: ${max}`);
  }
  return description;
}

/** Applies an edit to a description. */
export function editedDescription(before: Description, edit: Description): Description {
  const fields = FIELDS.map(([field]) => [field, edit[field] === DO_NOT_MODIFY ? before[field] : edit[field]] as const);
  return requireLengths(create(DescriptionSchema, Object.fromEntries(fields)));
}
