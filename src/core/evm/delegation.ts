/** Code of an account that delegates to a contract (EIP-7702): this prefix, then the address. */
const PREFIX = [0xef, 0x01, 0x00] as const;
const LENGTH = PREFIX.length + 20;

/** The address (20 bytes) that the code of an account delegates to; undefined for code that runs itself. */
export function delegateOfCode(code: Uint8Array | undefined): Uint8Array | undefined {
  if (code?.length !== LENGTH || !PREFIX.every((byte, index) => code[index] === byte)) return undefined;
  return code.subarray(PREFIX.length);
}
