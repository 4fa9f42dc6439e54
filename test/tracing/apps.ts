import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { type Ended, runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

export { cwd, PRELOAD }

type Spans = ReturnType<Service['local']['spans']>
type Traces = ReturnType<Service['local']['traces']>

/** Path of a program in `apps/`. */
export const app = (name: string): string => fileURLToPath(new URL(`./apps/${name}`, import.meta.url))

/** What one run of an application did: how it ended, and what reached the service. */
export interface Run extends Ended {
  readonly spans: Spans
  /** The attributes of the span of that name; throws when none arrived. */
  attributes(name: string): Spans[number]['attributes']
  readonly traces: Traces
  /** The lines on stderr. */
  readonly lines: readonly string[]
}

export interface AppOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly node?: string
  /** Default: `--import @svc/register`. */
  readonly flags?: readonly string[]
  /** Arguments of the application. */
  readonly args?: readonly string[]
}

/** A service for the tests of one file, and applications of `apps/` run against it. */
export function useApps(): {
  readonly service: () => Service
  readonly run: (name: string, options?: AppOptions) => Promise<Run>
} {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  return {
    service: () => service,
    run: async (name, { env, node, flags = PRELOAD, args = [] } = {}) => {
      const before = service.local.spans().length
      const ended = await runNode([...flags, app(name), ...args], {
        cwd,
        env: { ...service.env, ...env },
        ...(node ? { node } : {}),
      })
      const spans = service.local.spans().slice(before)
      const ids = new Set(spans.map(({ traceId }) => traceId))
      return {
        ...ended,
        spans,
        attributes: (wanted) => attributesOf(spans, wanted),
        traces: service.local.traces().filter(({ traceId }) => ids.has(traceId)),
        lines: ended.stderr.split('\n').filter((line) => line !== ''),
      }
    },
  }
}

/** The attributes of the span of that name; throws when none arrived. */
export function attributesOf(spans: Spans, name: string): Spans[number]['attributes'] {
  const found = spans.find((span) => span.name === name)
  if (found) return found.attributes
  throw new Error(`no span "${name}" arrived, only: ${spans.map((span) => span.name).join(', ')}`)
}
