import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

it.each(['', '/', '///'])('may end in %j', async (end) => {
  const { requests, spans } = await chat({ SVC_BASE_URL: undefined, SVC_BASEURL: `${await base()}${end}` })
  expect(requests.map(({ path }) => path)).toEqual(['/api/public/otel/v1/traces'])
  expect(spans).toHaveLength(1)
})

it('may have a path, which is kept', async () => {
  const { lines, requests } = await chat({ SVC_BASE_URL: `${await base()}/behind/a/proxy` })
  expect(requests.map(({ path }) => path)).toEqual(['/behind/a/proxy/api/public/otel/v1/traces'])
  expect(lines).toEqual([expect.stringMatching(/404/)])
})

it('beats SVC_BASEURL', async () => {
  const { spans } = await chat({ SVC_BASEURL: 'http://127.0.0.1:1' })
  expect(spans).toHaveLength(1)
})

/** The URL that the service of this file listens on, as its own requests show it. */
async function base(): Promise<string> {
  const { requests } = await chat({})
  return `http://${requests[0]?.headers.host}`
}
