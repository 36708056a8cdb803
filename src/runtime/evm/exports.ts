/**
 * The exports of `engine/src`. Pointers are offsets into `memory`; a negative result means that the host stopped the
 * engine.
 */
export interface EngineExports {
  readonly memory: WebAssembly.Memory;
  /** Registers the address in `args` as a precompile; call before `init`. */
  add_precompile(): void;
  init(): void;
  input(length: number): number;
  scratch(length: number): number;
  scratch_pointer(): number;
  args(): number;
  output_pointer(): number;
  output_length(): number;
  begin_block(): void;
  transact(fees: number): number;
  call(fees: number, polls: number, byModule: number): number;
  trace(fees: number): number;
  cache_forget(): void;
  cache_clear(): void;
  journal_storage(): number;
  journal_set_storage(): number;
  journal_balance(): number;
  journal_set_balance(): number;
  journal_log(): void;
  journal_changes(): number;
  journal_call(): number;
}

/** Status codes of `transact`, `call` and `trace` (`engine/src/exports/outcome.rs`). */
export const ANSWERS = { executed: 0, refused: 1, stopped: 2, failed: 3 } as const;
