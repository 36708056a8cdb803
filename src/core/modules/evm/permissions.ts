/** Permissions to create and call contracts, from the parameters (cosmos/evm v0.6 `x/vm/types/permissions.go`). */
import { bytesOfDigits } from '../../bytes/hex.js';
import type { EvmPermission, EvmPermissions } from '../../evm/transaction.js';
import { checksumAddress } from '../../keys/address.js';
import type { Crypto } from '../../ports/crypto.js';
import { AccessType, type AccessControlType, type Params } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';

const NOBODY: EvmPermission = { kind: 'nobody', addresses: [] };

/**
 * Permissions of the parameters; undefined when everybody may create and call. Like cosmos/evm, only checksummed
 * addresses match.
 */
export function permissionsOf(crypto: Crypto, { accessControl }: Params): EvmPermissions | undefined {
  const create = permissionOf(crypto, accessControl?.create);
  const call = permissionOf(crypto, accessControl?.call);
  return isOpen(create) && isOpen(call) ? undefined : { create, call };
}

const isOpen = ({ kind, addresses }: EvmPermission): boolean => kind === 'all but' && addresses.length === 0;

function permissionOf(crypto: Crypto, access: AccessControlType | undefined): EvmPermission {
  const addresses = (access?.accessControlList ?? []).flatMap((text) => {
    const address = bytesOfDigits(text.replace(/^0[xX]/, ''));
    return address?.length === 20 && checksumAddress(crypto, address) === text ? [address] : [];
  });
  switch (access?.accessType) {
    case AccessType.RESTRICTED:
      return NOBODY;
    case AccessType.PERMISSIONED:
      return { kind: 'only', addresses };
    case AccessType.PERMISSIONLESS:
    case undefined:
      return { kind: 'all but', addresses };
  }
  // A number that the enum does not contain; valid parameters do not have it.
  return NOBODY;
}
