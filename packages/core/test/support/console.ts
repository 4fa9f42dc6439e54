import { afterEach, beforeEach, vi } from 'vitest'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '../../src/log.ts'

/** Catches what the packages say; every test starts with a fresh logger at `level`. */
export function catchLog(level: LogLevel = LogLevel.INFO): { lines: (text?: string) => string[] } {
  let printed: string[] = []
  beforeEach(() => {
    printed = []
    for (const method of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...parts: unknown[]) => void printed.push(parts.map(String).join(' ')),
      )
    }
    configureGlobalLogger({ level, prefix: 'svc:', enableTimestamp: false })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    resetGlobalLogger()
  })
  return { lines: (text = '') => printed.filter((line) => line.includes(text)) }
}
