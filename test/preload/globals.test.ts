import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('apps/without-global.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('..', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('an application without the global process ends as it does without us, and its spans arrive', async () => {
  const { env, local } = service
  const args = ['--import', '@svc/register', app, 'process', 'deleted', 'exit']
  const { code, stderr } = await runNode(args, { cwd, env })
  expect({ code, stderr, spans: local.spans().length }).toEqual({ code: 3, stderr: '', spans: 2 })
})

/** What another module of the process can notice of us, with the reasons. */
const ON_PURPOSE: Readonly<Record<string, readonly RegExp[]>> = {
  members: [
    // State that copies of our packages share, and the place where copies of OpenTelemetry's API meet.
    /^globalThis\.Symbol\((?:svc\.[\w.-]+|opentelemetry\.js\.api\.1)\) /,
    // The AI SDK looks there for who listens to it.
    /^globalThis\.AI_SDK_TELEMETRY_INTEGRATIONS /,
    // What listens to a request has its context.
    /^http\.(?:IncomingMessage|ServerResponse)\.prototype\.(?:emit|Symbol\(followed request\)) /,
    // Loaders that are registered later and compile files themselves put theirs there.
    /^require\.extensions\.\.js /,
  ],
  listeners: [
    // The last spans are delivered at each end of the process; signals without a listener of the application end it as
    // before.
    /^(?:newListener|removeListener|beforeExit|exit|SIGTERM|SIGINT|SIGHUP|SIGQUIT|SIGUSR2) \d$/,
  ],
  resources: [],
  orders: [],
}

it('an application that calls a model and answers a request has the platform and the events that it has without us', async () => {
  const footprint = fileURLToPath(new URL('apps/footprint.mjs', import.meta.url))
  const seen = async (...flags: string[]): Promise<Record<string, string[]>> => {
    const { code, stdout, stderr } = await runNode([...flags, footprint], { cwd, env: service.env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, members = '', rest = ''] = stdout.split('\n')
    return { ...JSON.parse(members), ...JSON.parse(rest) }
  }
  const [bare, ours] = [await seen(), await seen('--import', '@svc/register')]
  expect(Object.keys(ours).sort()).toEqual(Object.keys(ON_PURPOSE).sort())
  for (const [kind, reasons] of Object.entries(ON_PURPOSE)) {
    const difference = (one: string[] = [], other: string[] = []) =>
      one.filter((each) => !other.includes(each) && !reasons.some((reason) => reason.test(each)))
    const [more, missing] = [difference(ours[kind], bare[kind]), difference(bare[kind], ours[kind])]
    expect({ kind, more, missing }).toEqual({ kind, more: [], missing: [] })
  }
  expect(bare.orders).toContain('process beforeExit, process exit')
})
