// POST /chat/:id with two model calls, served by one of several frameworks.
import { createServer } from 'node:http'
import { propagateAttributes } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = (content) => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content }] })
const chat = async (id) => {
  await identified(`ada ${id}`, () => ask(`first ${id}`))
  const { choices } = await identified('another', () => ask(`second ${id}`))
  return choices[0].message.content
}
const identified = (userId, work) => propagateAttributes({ userId, sessionId: `of ${userId}` }, work)
/** A listener of `node:http`, or what listens by itself. */
const frameworks = {
  plain: () => async (request, response) => {
    const [, , id, status = 200] = request.url.split(/[/?]/)
    const answer = await chat(id)
    response.writeHead(Number(status) || 200).end(answer)
  },
  async express() {
    const { default: express } = await import('express')
    const router = express.Router().post('/:id', async (request, response) => {
      response.send(await chat(request.params.id))
    })
    const app = express().use((request, _, next) => identified(`ada ${request.path.at(-1)}`, next))
    return app.use('/chat', router)
  },
  async fastify() {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    app.register(
      async (inside) => {
        inside.post('/:id', (request) => chat(request.params.id))
      },
      { prefix: '/chat' },
    )
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  async 'fastify-inject'() {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    app.post('/part/:id', (request) => chat(request.params.id))
    app.post('/chat/:id', async ({ params }) => {
      const { body } = await app.inject({ method: 'POST', url: `/part/${params.id}` })
      return body
    })
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  koa: async () => koaWith(await import('@koa/router')),
  'koa-router': async () => koaWith(await import('koa-router')),
  async hono() {
    const [{ Hono }, { getRequestListener }] = [await import('hono'), await import('@hono/node-server')]
    const inside = new Hono().post('/:id', async (c) => c.text(await chat(c.req.param('id'))))
    const app = new Hono()
    app.use('*', (_, next) => next())
    app.get('/chat/:id', (c) => c.text('another method'))
    return getRequestListener(app.route('/chat', inside).fetch)
  },
  async 'hono-request'() {
    const [{ Hono }, { getRequestListener }] = [await import('hono'), await import('@hono/node-server')]
    const app = new Hono().post('/part/:id', async (c) => c.text(await chat(c.req.param('id'))))
    app.post('/chat/:id', (c) => app.request(`/part/${c.req.param('id')}`, { method: 'POST' }, c.env))
    return getRequestListener(app.fetch)
  },
  async 'hono-mounted'() {
    const [{ Hono }, { getRequestListener }] = [await import('hono'), await import('@hono/node-server')]
    const inside = new Hono().post('/chat/:id', async (c) => c.text(await chat(c.req.param('id'))))
    return getRequestListener(new Hono().all('*', (c) => inside.fetch(c.req.raw, c.env)).fetch)
  },
  async h3() {
    const { H3, toNodeHandler } = await import('h3')
    const app = new H3()
    app.use((_, next) => next())
    return toNodeHandler(app.post('/chat/:id', (event) => chat(event.context.params.id)))
  },
  async 'h3-request'() {
    const { H3, toNodeHandler } = await import('h3')
    const app = new H3().post('/part/:id', (event) => chat(event.context.params.id))
    app.post('/chat/:id', (event) => app.request(`/part/${event.context.params.id}`, { method: 'POST' }))
    return toNodeHandler(app)
  },
  async 'h3-1'() {
    const { createApp, createRouter, eventHandler, toNodeListener } = await import('h3-1')
    const router = createRouter().post(
      '/chat/:id',
      eventHandler((event) => chat(event.context.params.id)),
    )
    return toNodeListener(createApp().use(router))
  },
  async 'h3-1-request'() {
    const { createApp, createRouter, eventHandler, toNodeListener, toWebHandler } = await import('h3-1')
    const router = createRouter().post(
      '/part/:id',
      eventHandler((event) => chat(event.context.params.id)),
    )
    const app = createApp().use(router)
    const ask = toWebHandler(app)
    const part = ({ context }) => new Request(`http://localhost/part/${context.params.id}`, { method: 'POST' })
    router.post(
      '/chat/:id',
      eventHandler((event) => ask(part(event))),
    )
    return toNodeListener(app)
  },
}

async function koaWith({ default: Router }) {
  const { default: Koa } = await import('koa')
  const router = new Router({ prefix: '/chat' })
  router.use((_, next) => next())
  router.post('/:id', async (ctx) => {
    ctx.body = await chat(ctx.params.id)
  })
  return new Koa().use(router.routes()).callback()
}

const server = createServer(await frameworks[process.env.FRAMEWORK]())
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
