/** What `text`, base64 that generated code holds, stands for. */
export function base64Decode(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
