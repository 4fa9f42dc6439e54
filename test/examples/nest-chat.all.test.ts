import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { renderTrace } from '@svc/local'
import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, screens, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('nest-chat')
const [job = '', query = ''] = screens(readFileSync(`${folder}README.md`, 'utf8'))
const CONVERSATION = 'summer-trip'
const QUESTION = 'Where is it warm in May?'

describe('examples/nest-chat', () => {
  let service: Service
  let app: Program
  let url = ''
  let token = ''
  beforeAll(async () => {
    service = await startService()
    app = startNode(args, { cwd: folder, env: { ...service.env, SVC_FLUSH_INTERVAL: '0.05', PORT: '0' } })
    url = (await app.printed(/listening on (\S+)/))[1] ?? ''
    token = (await app.printed(/a token for ada: (\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    app?.kill('SIGTERM')
    await app?.ended
    await service?.close()
  })

  const headers = () => ({ authorization: `Bearer ${token}`, 'x-conversation': CONVERSATION })
  const traceOf = (name: string) =>
    service.local.waitForTrace((trace) => trace.name === name && trace.observations.length > 1)

  it('streams a response, and creates the traces shown in its README', async () => {
    const answer = await supertest(url).post('/chat').set(headers()).send({ question: QUESTION })
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toMatch('text/event-stream')
    const words = [...answer.text.matchAll(/^data: (\{"text".*)$/gm)].map(([, data = '']) => JSON.parse(data).text)
    expect(words.join('')).toContain(`You asked "${QUESTION}"`)
    expect(answer.text).toMatch(/event: done\n(id: \d+\n)?data: \{"turns":1\}/)

    expect(timeless(renderTrace(await traceOf('ChatController.chat')))).toBe(timeless(promised))
    expect(timeless(renderTrace(await traceOf('summarize')))).toBe(timeless(job))
  })

  it('serves a GraphQL query in a trace of the same user and session', async () => {
    const document = `query Overview { conversation(id: "${CONVERSATION}") { turns title summary } }`
    const { body } = await supertest(url).post('/graphql').set(headers()).send({ query: document })
    expect(body).toEqual({
      data: { conversation: { turns: 1, title: expect.any(String), summary: expect.stringContaining('Summarize') } },
    })
    expect(timeless(renderTrace(await traceOf('Overview')))).toBe(timeless(query))
  })

  it('ends a request with a warning if the client disconnects', async () => {
    const reader = request(`${url}/chat`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
    })
    reader.end(JSON.stringify({ question: 'Tell me a long story.' }))
    const [response] = await once(reader, 'response')
    await once(response, 'data')
    reader.destroy()
    const left = await service.local.waitFor((local) =>
      local.observations(({ name, level }) => name === 'ChatController.chat' && level === 'WARNING').at(0),
    )
    expect(left).toMatchObject({ userId: 'ada', sessionId: CONVERSATION, isRoot: true })
  })

  it('refuses a forged token, and records no user', async () => {
    const forged = `Bearer ${token.slice(0, -4)}AAAA`
    const { status } = await supertest(url)
      .post('/chat')
      .set({ ...headers(), authorization: forged })
      .send({})
    expect(status).toBe(401)
    const refused = await service.local.waitFor((local) =>
      local.observations(({ isRoot, userId }) => isRoot && userId === null).at(0),
    )
    expect(refused).toMatchObject({ name: 'ChatController.chat', statusMessage: 'HTTP 401', level: 'DEFAULT' })
  })

  it('records no trace of the health route', async () => {
    expect((await supertest(url).get('/health')).text).toBe('ok')
    await traceOf('ChatController.chat')
    expect(service.local.observations(({ name }) => /health/.test(name))).toEqual([])
  })
})
