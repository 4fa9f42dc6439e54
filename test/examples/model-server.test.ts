import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { readmeOf } from './readme.ts'

it('examples/model-server answers the openai package at the URL it prints', async () => {
  const { folder, args } = readmeOf('model-server')
  const server = startNode(args, { cwd: folder, env: { PORT: '0' } })
  const [, url] = await server.said(/(http:\S+)/)
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const ask = () =>
    client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'Hello.' }] })
  const [first, second] = [await ask(), await ask()]
  expect(first.choices[0]?.message.content).toBeTruthy()
  expect(second.choices[0]?.message.content).toBe(first.choices[0]?.message.content)
  server.kill('SIGTERM')
  await server.ended
})
