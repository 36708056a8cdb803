/** Calls `run`; resolves in a later turn with the reasons of promise rejections left unhandled. */
export async function unheardRejections(run: () => Promise<void>): Promise<readonly unknown[]> {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  try {
    await run();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', hear);
  }
  return unheard;
}
