import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

const paths: (string | undefined)[] = []
const intake = createServer((request, response) => {
  paths.push(request.url)
  request.resume().on('end', () => response.end())
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(intake.address() as AddressInfo).port}`
})
afterAll(() => intake.close())
beforeEach(() => {
  paths.length = 0
})

it.each([
  ['', '/api/public/otel/v1/traces'],
  ['/', '/api/public/otel/v1/traces'],
  ['///', '/api/public/otel/v1/traces'],
  ['/behind/a/proxy/', '/behind/a/proxy/api/public/otel/v1/traces'],
])('SVC_BASE_URL that ends in %j sends to %s', async (end, path) => {
  const { lines } = await chat({ SVC_BASE_URL: url + end })
  expect({ paths, lines }).toEqual({ paths: [path], lines: [] })
})

it('SVC_BASE_URL wins over SVC_BASEURL, which is used in its absence', async () => {
  await chat({ SVC_BASE_URL: url, SVC_BASEURL: `${url}/second` })
  await chat({ SVC_BASE_URL: undefined, SVC_BASEURL: `${url}/second` })
  expect(paths).toEqual(['/api/public/otel/v1/traces', '/second/api/public/otel/v1/traces'])
})
