import { expect, it } from 'vitest'
import { Replayer } from './replayer.ts'
import { startReplayServer } from './server.ts'

it('a program that does not know the path of this start gets no answer, and nothing is sent for it', async () => {
  const reported: string[] = []
  const report = (difference: string) => void reported.push(difference)
  const replayer = new Replayer({ calls: [], isLiveAfter: false, onDivergence: 'fail', report })
  const server = await startReplayServer(replayer)
  const { origin, pathname } = new URL(server.url)
  const target = `/1/${encodeURIComponent('https://api.openai.com')}//v1/chat/completions`
  const statusOf = async (path: string) => (await fetch(origin + path, { method: 'POST', body: '{}' })).status
  const statuses = [await statusOf(target), await statusOf(`${pathname}x${target}`)]
  expect([statuses, reported]).toEqual([[404, 404], []])
  expect(await statusOf(pathname + target)).toBe(400)
  expect(reported).toHaveLength(1)
  server.close()
})
