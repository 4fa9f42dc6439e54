import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { type Ended, runNode } from './run.ts'
import { type Service, startService } from './service.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const app = fileURLToPath(new URL('../preload/apps/chat.mjs', import.meta.url))

type Spans = ReturnType<Service['local']['spans']>
type Requests = ReturnType<Service['local']['requests']>
type ModelRequests = ReturnType<Service['models']['requests']>

/** What one run of the smallest application did: how it ended, and what reached the service. */
export interface Chat extends Ended {
  readonly spans: Spans
  readonly requests: Requests
  /** What the model was asked. */
  readonly asked: ModelRequests
  /** The lines on stderr. */
  readonly lines: readonly string[]
}

/** A service for the tests of one file, and the smallest application run under the preload with more variables. */
export function useChat(): (env: Readonly<Record<string, string | undefined>>) => Promise<Chat> {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  return async (env) => {
    const [spans, requests] = [service.local.spans().length, service.local.requests().length]
    const asked = service.models.requests().length
    const ended = await runNode(['--import', '@svc/register', app], { cwd, env: { ...service.env, ...env } })
    return {
      ...ended,
      spans: service.local.spans().slice(spans),
      requests: service.local.requests().slice(requests),
      asked: service.models.requests().slice(asked),
      lines: ended.stderr.split('\n').filter((line) => line !== ''),
    }
  }
}
