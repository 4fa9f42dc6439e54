import type { LoggerService } from '@nestjs/common'
import { configureGlobalLogger, LogLevel, logThrough, resetGlobalLogger } from '@svc/core/log'
import { afterEach, beforeEach, vi } from 'vitest'

/** Catches what the packages say from WARN on; every test of the file starts with a fresh logger. */
export function catchLog(): () => readonly string[] {
  let printed: string[] = []
  beforeEach(() => {
    printed = []
    for (const method of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void printed.push(String(parts[0])))
    }
    configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    resetGlobalLogger()
    logThrough(undefined)
  })
  return () => printed
}

const nothing = () => {}
const warn = (message: string, context: string) => {
  if (context === 'Svc') console.warn(`svc: [WARN] ${message}`)
}

/** A logger for Nest that has our warnings on the console, and nothing else. */
export const svcLines: LoggerService = { log: nothing, error: nothing, warn, debug: nothing }
