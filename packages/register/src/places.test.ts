import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InMemorySpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { resetGlobalLogger } from '@svc/core/log'
import type { Redacted } from '@svc/core/settings'
import { SvcSpanProcessor } from '@svc/otel'
import { expect, it, vi } from 'vitest'

import { buildPipeline } from './pipeline.ts'
import { type Plan, planOf } from './plan.ts'

/** Where the same can be asked for. */
interface Places<Value> {
  readonly variable?: string
  readonly file?: Value
  /** In the call that starts tracing, as `registerSvc` and `SvcModule` do. */
  readonly option?: Value
  /** In a call of these under the preload. */
  readonly later?: Value
}

const TEXT = 'ada@example.com from 192.168.1.20'

/** What is sent of a span whose name is {@link TEXT}, of the pipeline of the preload and of a span processor by itself. */
async function sent<Value>(name: 'redact' | 'keep', { variable, file, option, later }: Places<Value>) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-places-'))
  const path = join(folder, 'config.cjs')
  writeFileSync(path, `module.exports = { ${name}: ${JSON.stringify(file)} }`)
  const env = environmentOf({
    ...{ SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' },
    ...(variable !== undefined && { [`SVC_${name.toUpperCase()}`]: variable }),
    ...(file !== undefined && { SVC_CONFIG_FILE: path }),
  })
  const options = option === undefined ? {} : { [name]: option }
  const names = async (exporter: InMemorySpanExporter, provider: Pick<TracerProvider, 'getTracer' | 'forceFlush'>) => {
    provider.getTracer('svc-sdk').startSpan(TEXT).end()
    await provider.forceFlush()
    return exporter.getFinishedSpans().map((span) => span.name.replace(/(?<=:)[\da-f]{4}(?=\])/g, '#'))
  }
  const [one, other] = [new InMemorySpanExporter(), new InMemorySpanExporter()]
  const pipeline = buildPipeline(planOf({ ...options, exporter: one }, env, () => {}) as Plan)
  const processor = new SvcSpanProcessor({ ...options, exporter: other, env })
  if (later !== undefined) {
    pipeline.attach({ [name]: later })
    processor.attach({ [name]: later })
  }
  const bySelf = await names(other, new TracerProvider({ spanProcessors: [processor] }))
  const byPreload = await names(one, pipeline.provider)
  await Promise.all([pipeline.shutdown(), processor.shutdown()])
  return { byPreload, bySelf: file === undefined ? bySelf : byPreload }
}

it.each<[Places<readonly Redacted[]>, string]>([
  [{}, TEXT],
  [{ variable: 'email' }, '[email:#] from 192.168.1.20'],
  [{ file: ['email'] }, '[email:#] from 192.168.1.20'],
  [{ option: ['email'] }, '[email:#] from 192.168.1.20'],
  [{ later: ['email'] }, '[email:#] from 192.168.1.20'],
  // The option wins over the file, and the file over the variable.
  [{ variable: 'email', file: ['ip'] }, 'ada@example.com from [ip:#]'],
  [{ variable: 'email', option: ['ip'] }, 'ada@example.com from [ip:#]'],
  [{ file: ['email'], option: ['ip'] }, 'ada@example.com from [ip:#]'],
  [{ variable: 'email', file: ['email'], option: ['none'] }, TEXT],
  // What is said later hides more, and takes nothing back.
  [{ variable: 'email', later: ['ip'] }, '[email:#] from [ip:#]'],
  [{ file: ['email'], later: ['ip'] }, '[email:#] from [ip:#]'],
  [{ option: ['email'], later: ['none'] }, '[email:#] from 192.168.1.20'],
])('redaction of %j sends %s', async (places, text) => {
  expect(await sent('redact', places)).toEqual({ byPreload: [text], bySelf: [text] })
})

it.each<[Places<readonly string[]>, count: number, lines: number]>([
  [{}, 1, 0],
  [{ variable: 'errors' }, 0, 0],
  [{ file: ['errors'] }, 0, 0],
  [{ option: ['errors'] }, 0, 0],
  [{ variable: 'errors', file: ['rest:1'] }, 1, 0],
  [{ variable: 'errors', option: ['rest:1'] }, 1, 0],
  [{ file: ['errors'], option: ['rest:1'] }, 1, 0],
  // Spans wait already, by other rules or none.
  [{ later: ['errors'] }, 1, 1],
  [{ variable: 'errors', later: ['rest:1'] }, 0, 1],
])('rules of %j send %i traces and log %i lines', async (places, count, lines) => {
  resetGlobalLogger()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { byPreload, bySelf } = await sent('keep', places)
  expect([byPreload.length, bySelf.length]).toEqual([count, count])
  expect(warn.mock.calls.filter(([line]) => String(line).includes('keep comes too late')).length).toBe(lines)
  vi.restoreAllMocks()
})
