import { beforeAll, expect, it } from 'vitest'
import { nodeOf } from '../../support/nodes.ts'
import { type Ended, runNode } from '../../support/run.ts'
import type { Service } from '../../support/service.ts'
import { app, cwd } from '../apps.ts'

/** The two flags and the two module systems, on that Node. */
export function callsOn(version: string, service: () => Service): void {
  let node: string
  /** Without the preload: once for each application. */
  const bareRuns = new Map<string, Promise<Ended>>()
  beforeAll(() => {
    node = nodeOf(version)
  })

  it.each([
    ['--import', 'chat.mjs'],
    ['--import', 'chat.cjs'],
    ['--require', 'chat.mjs'],
    ['--require', 'chat.cjs'],
  ])('%s @svc/register %s records the call and does not change the output', async (flag, name) => {
    const release = `${version} ${flag} ${name}`
    const env = { ...service().env, SVC_RELEASE: release }
    const seen = runNode([flag, '@svc/register', app(name)], { node, cwd, env })
    const bare = bareRuns.get(name) ?? runNode([app(name)], { node, cwd, env: service().env })
    bareRuns.set(name, bare)
    const { code, signal, stdout, stderr } = await seen
    expect({ code, signal, stdout, stderr }).toEqual({ code: 0, signal: null, stdout: (await bare).stdout, stderr: '' })

    // chat gpt-test
    const spans = service()
      .local.spans()
      .filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })
}
