import { renderTrace, startLocal } from '@svc/local'
import { expect, it } from 'vitest'
import { app, cwd } from '../preload/apps.ts'
import { runNode, startNode } from '../support/run.ts'
import { readmeOf, timeless } from './readme.ts'

it('examples/model-server serves the openai package at the URL it prints, and creates the trace shown in its README', async () => {
  const { folder, args, trace } = readmeOf('model-server')
  const local = await startLocal()
  const server = startNode(args, { cwd: folder, env: { PORT: '0' } })
  const [, url] = await server.printed(/(http:\S+)/)
  const env = { ...local.env, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none' }
  const ask = () => runNode(['--import', '@svc/register', app('chat.mjs')], { cwd, env })
  const [first, second] = [await ask(), await ask()]
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^answer: ./) })
  expect(second.stdout).toBe(first.stdout)
  server.kill('SIGTERM')
  await server.ended
  expect(local.traces().map((each) => timeless(renderTrace(each)))).toEqual([timeless(trace), timeless(trace)])
  await local.close()
})
