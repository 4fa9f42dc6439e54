import { afterAll, beforeAll, expect } from 'vitest'
import { type Series, startMetricsEndpoint } from '../support/metrics-endpoint.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

/** The service of a file of tests, and what `apps/counted.mjs` has exported when it has ended by itself. */
export function useCounted() {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  async function exported(env: Readonly<Record<string, string>>, release: string, end: number | string = 0) {
    const endpoint = await startMetricsEndpoint()
    const variables = { ...service.env, ...endpoint.env, ...env, SVC_RELEASE: release }
    const { code, signal, stderr } = await runNode([...PRELOAD, app('counted.mjs')], { cwd, env: variables })
    const all = endpoint.series()
    await endpoint.close()
    expect(code ?? signal, stderr).toBe(end)
    const spans = service.local.spans().filter(({ attributes }) => attributes['svc.release'] === release)
    return { all, stderr, spans }
  }
  return { service: () => service, exported }
}

export const named = (all: readonly Series[], name: string) => all.filter((each) => each.name === name)
export const countOf = (all: readonly Series[], name: string) =>
  named(all, name).reduce((sum, { count }) => sum + count, 0)

/** What the application has counted, under the released names. */
export const RELEASED = {
  'gen_ai.client.operation.duration': 4,
  'gen_ai.client.token.usage': 6,
  'gen_ai.client.operation.time_to_first_chunk': 1,
  'gen_ai.invoke_agent.duration': 1,
  'gen_ai.execute_tool.duration': 1,
  'mcp.client.operation.duration': 1,
}
