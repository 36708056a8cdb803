/** The part of the WebAssembly API that the engine's host uses; the configured libraries do not declare it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  /** `Exports` is the type of the module's exports. */
  class Instance<Exports> {
    constructor(
      module: Module,
      imports: Readonly<Record<string, Readonly<Record<string, (...values: number[]) => number | void>>>>,
    );
    readonly exports: Exports;
  }
  class RuntimeError extends Error {}
}
