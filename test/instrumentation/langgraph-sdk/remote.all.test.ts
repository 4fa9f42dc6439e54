import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { startGraphs } from './server.mjs'

const OWN = '00-11111111111111111111111111111111-2222222222222222-01'

/** The traces that the requests of `remote.mjs` named, and those of the runs. */
async function named(propagateTo?: string) {
  const [service, server] = await Promise.all([startService(), startGraphs()])
  try {
    const env = { SERVER: server.url, OWN, SVC_PROPAGATE_TO: propagateTo === 'it' ? server.url : propagateTo }
    const program = fileURLToPath(new URL('remote.mjs', import.meta.url))
    await runNode([...PRELOAD, program], { cwd, env: { ...service.local.env, ...env } })
    const runs = service.local.observations().filter(({ type }) => type === 'AGENT')
    const requests: { headers: { traceparent?: string } }[] = server.takeRequests()
    return {
      runs: runs.map(({ traceId, id }) => `00-${traceId}-${id}-01`),
      sent: requests.map(({ headers }) => headers.traceparent),
    }
  } finally {
    await service.close()
    server.close()
  }
}

describe('the trace context of a remote LangGraph run', () => {
  it('is sent to an allowed origin with the run as parent, unless the application sets another', async () => {
    const { runs, sent } = await named('it')
    expect(sent).toEqual([...runs.slice(0, 3), OWN])
  })

  it.each([undefined, 'http://127.0.0.1:1'])('is not sent elsewhere (SVC_PROPAGATE_TO=%s)', async (propagateTo) => {
    expect((await named(propagateTo)).sent).toEqual([undefined, undefined, undefined, OWN])
  })
})
