/** Code prefix of an account that delegates to a contract (EIP-7702); the address follows. */
const PREFIX = [0xef, 0x01, 0x00] as const;
const LENGTH = PREFIX.length + 20;

/** Address (20 bytes) that an account's code delegates to; undefined for ordinary code. */
export function delegateOfCode(code: Uint8Array | undefined): Uint8Array | undefined {
  if (code?.length !== LENGTH || !PREFIX.every((byte, index) => code[index] === byte)) return undefined;
  return code.subarray(PREFIX.length);
}
