import { SvcClient, type SvcClientOptions } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

/** The service on loopback, clients of it, and what the packages say. */
export interface Bench {
  readonly local: LocalService
  /** A client of it, with more options; the environment of the tests does not matter. */
  client(options?: SvcClientOptions): SvcClient
  /** What was said at level warn and above. */
  logged(): string[]
}

/** One service for the tests of a file. Clients are flushed after each test. */
export function useBench(): Bench {
  let local: LocalService
  let logged: string[] = []
  let clients: SvcClient[] = []
  beforeAll(async () => {
    local = await startLocal()
  })
  beforeEach(() => {
    logged = []
    for (const method of ['warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
      )
    }
    configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    clients = []
    vi.restoreAllMocks()
    resetGlobalLogger()
  })
  afterAll(() => local.close())
  return {
    get local() {
      return local
    },
    client(options) {
      const client = new SvcClient({ env: environmentOf(local.env), ...options })
      clients.push(client)
      return client
    },
    logged: () => [...logged],
  }
}
