import { SvcAPIError, SvcClient, type SvcClientOptions } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import type { LocalService } from '@svc/local'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { startPatient } from '../support/service.ts'

/** The service on loopback, clients of it, and what the packages log. */
export interface Bench {
  readonly local: LocalService
  /** A client of it, with more options; the environment of the tests does not matter. */
  client(options?: SvcClientOptions): SvcClient
  /** What was logged at level warn and above. */
  logged(): string[]
}

/** One service for the tests of a file. Clients are flushed after each test. */
export function useBench(): Bench {
  let local: LocalService
  let logged: string[] = []
  let clients: SvcClient[] = []
  beforeAll(async () => {
    local = await startPatient()
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
      // Time is not what is tested: on a busy machine no request takes too long.
      const client = new SvcClient({ env: environmentOf({ ...local.env, SVC_TIMEOUT: '60' }), ...options })
      clients.push(client)
      return client
    },
    logged: () => [...logged],
  }
}

/** The response to a call that fails: status and body. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number | undefined; text: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SvcAPIError)
  const { statusCode, body } = error as SvcAPIError
  return { status: statusCode, text: JSON.stringify(body) }
}

export const refused = (text: string) => ({ status: 400, text: expect.stringContaining(text) })
export const missing = (text: string) => ({ status: 404, text: expect.stringContaining(text) })
export const isoDate: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

let calls = 0
/** Sends a call of a model, as any exporter does. */
export async function sendCall(
  api: SvcClient['api'],
  model: string,
  usage: Record<string, number>,
  attributes: Record<string, string> = {},
) {
  calls += 1
  const traceId = calls.toString(16).padStart(32, 'c')
  const values = {
    'svc.observation.type': 'generation',
    'svc.observation.model.name': model,
    'svc.observation.usage_details': JSON.stringify(usage),
    ...attributes,
  }
  const span = {
    traceId,
    spanId: calls.toString(16).padStart(16, 'd'),
    name: 'call',
    startTimeUnixNano: '1760000000000000000',
    endTimeUnixNano: '1760000001000000000',
    attributes: Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }
  const resourceSpans = [{ scopeSpans: [{ scope: { name: 'svc-sdk' }, spans: [span] }] }]
  await api.opentelemetry.exportTraces({ resourceSpans } as never)
  const { data } = await api.observations.getMany({ traceId, fields: 'core,basic,model,usage' })
  return { traceId, observation: data[0] }
}
