import type { Terminal } from './bar.ts'

/** Where an import runs. */
export interface Room {
  /** Folder of the files that say how far imports came. */
  readonly folder: string
  /** For results. */
  print(line: string): void
  /** For progress, and for what stands in the way. */
  readonly terminal: Terminal
  /** Stops the import; what is written is noted. */
  readonly signal: AbortSignal
}
