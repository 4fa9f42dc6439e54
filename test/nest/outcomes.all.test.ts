import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from './support/column.ts'

describe.each(['express', 'fastify'] as const)('the outcome of a request on %s', (adapter) => {
  let app: RunningApp
  beforeAll(async () => {
    const env = { OPTIONS: JSON.stringify({ exclude: ['/errands/excluded'] }) }
    app = await startApp({ nest: 12, adapter, node: '24.21.0', preload: true }, { entry: 'plain.js', env })
  })
  afterAll(() => app?.close())

  /** Asks as a user of its own, and returns the response with the observations of the request. */
  async function ask(path: string) {
    const headers = { 'x-user': 'ada', 'x-session': path }
    const response = await fetch(`${app.url}/errands/${path}`, { headers, redirect: 'manual' })
    const body = await response.text()
    return { status: response.status, body, headers: response.headers }
  }

  const root = (path: string) =>
    app.service.local.waitFor((local) => {
      const [span] = local.spans().filter((each) => each.name === `ErrandsController.${path}`)
      const [observation] = local.observations(({ name }) => name === `ErrandsController.${path}`)
      return span && observation && { ...observation, status: span.attributes['http.response.status_code'], span }
    })

  it.each([
    { path: 'ok', status: 200, level: 'DEFAULT', statusMessage: null },
    { path: 'redirect', status: 302, level: 'DEFAULT', statusMessage: null },
    { path: 'forbidden', status: 403, level: 'DEFAULT', statusMessage: 'not yours' },
    { path: 'unavailable', status: 503, level: 'ERROR', statusMessage: 'the model sleeps' },
    { path: 'broken', status: 500, level: 'ERROR', statusMessage: 'the model is on strike' },
  ])('$path: $status', async ({ path, status, level, statusMessage }) => {
    expect((await ask(path)).status).toBe(status)
    expect(await root(path)).toMatchObject({ status, level, statusMessage, userId: 'ada', sessionId: path })
  })

  it('has the exception with its type on the root', async () => {
    const { span } = await root('broken')
    expect(span.events).toMatchObject([
      {
        name: 'exception',
        attributes: { 'exception.type': 'TypeError', 'exception.message': 'the model is on strike' },
      },
    ])
  })

  it('has no root, user or session on an excluded or skipped route', async () => {
    for (const path of ['excluded', 'skipped']) expect((await ask(path)).body).toBe('ok')
    await root('ok')
    const { local } = app.service
    expect(local.observations(({ sessionId }) => sessionId === 'excluded' || sessionId === 'skipped')).toEqual([])
    expect(local.observations(({ name }) => /excluded|skipped/.test(name))).toEqual([])
  })

  it('has name and tags of a public trace, whose id the handler can read', async () => {
    const { body } = await ask('public')
    // Its spans may arrive in two batches.
    const trace = await app.service.local.waitForTrace(
      (each) => each.sessionId === 'public' && each.name !== null && each.public,
    )
    expect(trace).toMatchObject({ traceId: JSON.parse(body).id, name: 'errand', tags: ['public'], public: true })
  })

  it('has the user set by the handler over that of resolvers, also on ended spans', async () => {
    await ask('identified')
    const { traceId } = await root('identified')
    const observations = app.service.local.observations((each) => each.traceId === traceId)
    const last = observations.filter(({ name }) => name.startsWith('Errands'))
    expect(last).toMatchObject([{ userId: 'identified', sessionId: 'later' }])
  })

  it('does not execute a lazy thenable, whose observation ends when it is awaited', async () => {
    expect(JSON.parse((await ask('lazy')).body)).toEqual({ executed: 0 })
    expect(JSON.parse((await ask('awaited')).body)).toEqual({ rows: 'rows' })
    const { traceId } = await root('awaited')
    const query = await app.service.local.waitFor((local) =>
      local.observations((each) => each.traceId === traceId && each.name === 'query').at(0),
    )
    expect(query).toMatchObject({ type: 'RETRIEVER', level: 'DEFAULT', userId: 'ada', output: 'rows' })
  })
})
