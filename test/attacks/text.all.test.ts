import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'

/** Like no key of any vendor, and with what URLs, JSON and base64 write in another way. */
const SECRET = 'correct/horse+battery "staple"'
const PASSWORD = 'p@ss/word & more'
const HEADER = 'staple-battery-horse'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What nothing may print: the secrets in whatever form, and most of them. */
const FORBIDDEN = [SECRET, 'correct', base64(`pk:${SECRET}`), base64(SECRET).slice(0, 24)].concat(
  [PASSWORD, 'p@ss', 'p%40ss', base64(`ada:${PASSWORD}`)],
  [HEADER],
)
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts upon these.
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/

/** Starts a service, or a proxy, that refuses everything with a text about the request. */
async function startHostile(answer: (request: IncomingMessage) => string, status = 401): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer(request))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** All that the application prints whose service is hostile. */
async function printed(env: Readonly<Record<string, string>>): Promise<string> {
  const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: SECRET, SVC_ADDITIONAL_HEADERS: `x-team=${HEADER}` }
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('quoted.mjs')], {
    cwd,
    env: { ...keys, SVC_LOG_LEVEL: 'DEBUG', ...env },
  })
  expect(code).toBe(0)
  return stdout + stderr
}

const quoted = (text: string) => JSON.stringify({ error: text })

describe('a service that repeats the request leaves no secret in a log or an error:', () => {
  it.each<[form: string, answer: (request: IncomingMessage) => string]>([
    ['all headers, as JSON', ({ headers }) => JSON.stringify({ error: 'wrong keys', headers })],
    ['all headers, as JSON in JSON', ({ headers }) => quoted(JSON.stringify(headers))],
    ['all headers, line by line', ({ rawHeaders }) => rawHeaders.join('\r\n')],
    ['the key', () => `no such key: ${SECRET}, ${HEADER}`],
    [
      'the key in a URL',
      () => quoted(`https://x/?k=${encodeURIComponent(SECRET)}&${new URLSearchParams({ k: SECRET })}`),
    ],
    ['the key in base64', () => quoted(`${base64(SECRET)} ${base64(`x:${SECRET}`)} ${base64(`xy:${SECRET}`)}`)],
    ['with slashes escaped', ({ headers }) => JSON.stringify(headers).replaceAll('/', '\\/')],
    ['behind a megabyte', ({ headers }) => quoted('a '.repeat(30_000) + headers.authorization)],
    ['a thousand times', ({ headers }) => quoted(`${headers.authorization} `.repeat(1_000))],
  ])('%s', async (_, answer) => {
    const text = await printed({ SVC_BASE_URL: `http://127.0.0.1:${await startHostile(answer)}` })
    expect(text).toMatch(/401/)
    for (const each of FORBIDDEN.slice(0, 4).concat(HEADER)) expect(text).not.toContain(each)
  })
})

it('a proxy that repeats its password leaves none either', async () => {
  const port = await startHostile(({ headers, url }) => JSON.stringify({ headers, url, PASSWORD }), 407)
  const HTTP_PROXY = `http://ada:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
  const text = await printed({ HTTP_PROXY, http_proxy: HTTP_PROXY, SVC_BASE_URL: 'http://service.example' })
  expect(text).toMatch(/by way of the proxy 127\.0\.0\.1/)
  for (const each of FORBIDDEN) expect(text).not.toContain(each)
})

it('what a service says neither colours, hides, turns nor forges a line', async () => {
  const hostile = 'a\u001B[2J\u009B31m\u202Egpj.exe\u2066\u200B\r\n2026-01-01T00:00:00.000Z [Svc SDK] [ERROR] forged'
  const text = await printed({ SVC_BASE_URL: `http://127.0.0.1:${await startHostile(() => hostile)}` })
  // The body of an error is data, which the application prints as it likes.
  const lines = text.split('\n').filter((line) => /\[Svc SDK\]|answered 401/.test(line) && !line.startsWith('  body:'))
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.filter((line) => OBEYED.test(line) || /^\S+ \[Svc SDK\] \[ERROR\] forged/.test(line))).toEqual([])
})
