// GET /chat/:topic of Hono, whose module is loaded before any library of models.
import { once } from 'node:events'
import { get } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono().get('/chat/:topic', async (c) => {
  await import('./chat.mjs')
  return c.text('done')
})
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
const [response] = await once(get({ port: server.address().port, path: '/chat/weather', agent: false }), 'response')
response.resume().on('end', () => server.close())
