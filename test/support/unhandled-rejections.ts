/** Calls `run`; resolves in a later turn with the reasons of promise rejections left unhandled. */
export async function unhandledRejections(run: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await run();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}
