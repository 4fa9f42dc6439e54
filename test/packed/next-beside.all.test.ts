import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, cp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { startNext } from './next-app.ts'
import { installPacked, manifestIn, NPM_TIMEOUT, program } from './pack.ts'

/** A project of Next beside a library that brings a provider, in each order of registration. */
const project = fileURLToPath(new URL('next-beside', import.meta.url))

/** What Sentry was sent: the types of what is in its envelopes. */
let sentryHas: string[] = []
const sentry = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString().split('\n')
  sentryHas.push(...lines.flatMap((line) => /^\{"type":"(event|transaction)"/.exec(line)?.[1] ?? []))
  response.end('{}')
})

let service: Service
beforeAll(async () => {
  service = await startService()
  sentry.listen(0, '127.0.0.1')
  await once(sentry, 'listening')
})
beforeEach(() => {
  sentryHas = []
})
afterAll(async () => {
  sentry.close()
  await service?.close()
})

/** Installs and builds the project beside `other`. */
async function built(other: 'sentry' | 'vercel', dependencies: Record<string, string>): Promise<string> {
  const manifest = await manifestIn(project)
  const home = await installPacked({ ...manifest, dependencies: { ...manifest.dependencies, ...dependencies } })
  await cp(project, home, { recursive: true, filter: (source) => !/package\.json$|others$/.test(source) })
  await copyFile(join(project, `others/${other}.ts`), join(home, 'other.ts'))
  await copyFile(join(project, `others/${other}.next.config.ts`), join(home, 'next.config.ts'))
  const printed = await program(home, 'next', ['build'], service.env)
  expect(existsSync(join(home, '.next/BUILD_ID')), printed).toBe(true)
  return home
}

/** The traces and the log of one question and one error. Sentry has the error, where it is there. */
async function outcomeOf(home: string, env: Record<string, string>) {
  const { local } = service
  const before = local.spans().length
  const SENTRY_DSN = `http://key@127.0.0.1:${(sentry.address() as AddressInfo).port}/1`
  await using app = await startNext(home, { ...service.env, SENTRY_DSN, ...env })
  const answer = await fetch(`${app.url}/api/ask`, { method: 'POST', body: 'Who was Ada?' })
  expect(answer.status).toBe(200)
  expect((await fetch(`${app.url}/api/broken`, { method: 'POST' })).status).toBe(500)
  if (env.SENTRY) await expect.poll(() => sentryHas).toContain('event')
  const { stderr, stdout } = await app.stop()
  const ids = new Set(
    local
      .spans()
      .slice(before)
      .map(({ spanId }) => spanId),
  )
  const all = local.observations(({ id, name }) => ids.has(id) && name !== 'POST /api/broken')
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return {
    observations: all.map(({ name, parentId, userId }) => [names.get(parentId ?? ''), name, userId]),
    traces: new Set(all.map(({ traceId }) => traceId)).size,
    lines: (stdout + stderr).match(/(?<=\[Svc SDK\] \[\w+\] ).*/g) ?? [],
  }
}

const RIGHT = {
  observations: [
    [undefined, 'ask', 'ada'],
    ['ask', 'chat gpt-test', 'ada'],
  ],
  traces: 1,
  lines: [],
}

// Of 11 the newest version that can be installed.
describe.each(['10.78.0', '11.0.0'])('beside Sentry %s', (version) => {
  let home: string
  beforeAll(async () => {
    home = await built('sentry', { '@sentry/nextjs': version })
  }, NPM_TIMEOUT)

  it.each(['svc first', 'svc second'])(
    'sends errors to both and traces to svc if Sentry registers no provider: %s',
    async (ORDER) => {
      expect(await outcomeOf(home, { SENTRY: version, ORDER, PROVIDER: 'svc' })).toEqual(RIGHT)
    },
  )

  // It is not of OpenTelemetry's SDK.
  it.each(['svc first', 'svc second'])('says that the provider of Sentry has spans of its own: %s', async (ORDER) => {
    const lines = [
      expect.stringMatching(/^spans of the application's own .* are not recorded by svc, because it is not of/),
    ]
    expect(await outcomeOf(home, { SENTRY: version, ORDER })).toEqual({ ...RIGHT, lines })
  })
})

describe.each(['1.14.2', '2.1.3'])('beside @vercel/otel %s', (version) => {
  let home: string
  beforeAll(async () => {
    home = await built('vercel', { '@vercel/otel': version })
  }, NPM_TIMEOUT)

  it('delivers traces through the span processor', async () => {
    expect(await outcomeOf(home, { ORDER: 'svc is a processor' })).toEqual(RIGHT)
  })

  it.each(['svc first', 'svc second'])('delivers traces beside its provider: %s', async (ORDER) => {
    expect(await outcomeOf(home, { ORDER })).toEqual(RIGHT)
  })
})
