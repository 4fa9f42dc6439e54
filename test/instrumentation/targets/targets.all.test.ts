import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, runNode } from '../run-app.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

const run = (...args: string[]): Promise<Ended> => {
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'none' }
  return runNode(args, import.meta.dirname, env)
}

const bareRuns = new Map<string, Promise<Ended>>()

/** Without instrumentation: once for both ways to load it. */
function runBare(app: string): Promise<Ended> {
  const ended = bareRuns.get(app) ?? run(app)
  bareRuns.set(app, ended)
  return ended
}

// Application → its spans.
const applications: Readonly<Record<string, string>> = {
  'chat.mjs': 'chat gpt-4o-mini',
  'chat.cjs': 'chat gpt-4o-mini',
  'both.cjs': 'chat required, chat imported',
  'parts.mjs': 'chat client, chat azure',
  'required-module.cjs': 'chat gpt-4o-mini',
  'unhandled.mjs': 'chat error-429 failed',
  'unawaited.mjs': 'chat error-429 failed',
}

describe.each([
  ['--import', './preload.mjs'],
  ['--require', './preload.cjs'],
])('under %s', (flag, preload) => {
  it.each(Object.entries(applications))(
    '%s has the same output and end as without instrumentation, and makes %s',
    async (app, spans) => {
      const [bare, seen] = await Promise.all([runBare(app), run(flag, preload, app)])
      const [line, reported] = /^spans: (.*)\n/m.exec(seen.stderr) ?? []
      expect(reported).toBe(spans)
      expect(comparable({ ...seen, stderr: seen.stderr.replace(line ?? '', '') })).toEqual(comparable(bare))
    },
  )
})

/** Without what differs from run to run, and without the places in a stack, where we may stand. */
function comparable({ stderr, ...ended }: Ended): Ended {
  return { ...ended, stderr: stderr.replace(/^ {4}at .*\n/gm, '').replace(/req_\d+/, 'req') }
}
