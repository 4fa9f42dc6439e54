import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

it('what is sent on goes to the host that was asked, also where its path begins with two slashes', async () => {
  const asked: string[] = []
  const model = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`)
    response.end('{}')
  })
  await once(model.listen(0, '127.0.0.1'), 'listening')
  const replayer = new Replayer({ calls: [], isLiveAfter: true, onDivergence: 'live', report: () => {} })
  const server = await startReplayServer(replayer)
  const address = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
  for (const origin of [address, `${address}/`]) {
    const url = `${server.url}/1/${encodeURIComponent(origin)}///v1/chat/completions?a=1`
    const body = JSON.stringify({ model: 'a', messages: [] })
    expect((await fetch(url, { method: 'POST', body, headers: { authorization: 'Bearer key' } })).status).toBe(200)
  }
  expect(asked).toEqual(Array(2).fill('//v1/chat/completions?a=1 Bearer key'))
  server.close()
  model.close()
})
