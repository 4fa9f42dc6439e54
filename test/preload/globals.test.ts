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

/** What another module of the process can notice of us, and the reason. */
const ON_PURPOSE = {
  // State that copies of our packages share, and the place where copies of OpenTelemetry's API meet.
  symbols: /^Symbol\((?:svc\.[\w.-]+|opentelemetry\.js\.api\.1)\)$/,
  // The last spans are delivered at each end of the process; signals without a listener of the application end it as before.
  listeners: /^(?:newListener|removeListener|beforeExit|exit|SIGTERM|SIGINT|SIGHUP|SIGQUIT|SIGUSR2) \d$/,
  // The AI SDK looks there for who listens to it.
  names: /^AI_SDK_TELEMETRY_INTEGRATIONS$/,
  resources: /^$/,
}

it('an application that calls a model has the globals, listeners and open handles that it has without us', async () => {
  const footprint = fileURLToPath(new URL('apps/footprint.mjs', import.meta.url))
  const seen = async (...flags: string[]): Promise<Record<keyof typeof ON_PURPOSE, string[]>> => {
    const { code, stdout, stderr } = await runNode([...flags, footprint], { cwd, env: service.env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout.split('\n')[1] ?? '')
  }
  const [bare, ours] = [await seen(), await seen('--import', '@svc/register')]
  for (const [kind, reason] of Object.entries(ON_PURPOSE) as [keyof typeof ON_PURPOSE, RegExp][]) {
    const more = ours[kind].filter((each) => !bare[kind].includes(each) && !reason.test(each))
    const missing = bare[kind].filter((each) => !ours[kind].includes(each) && !reason.test(each))
    expect({ kind, more, missing }).toEqual({ kind, more: [], missing: [] })
  }
})
