import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip, gzipSync } from 'node:zlib'
import { MediaManager, SvcClient, SvcMediaReference } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { resetGlobalLogger } from '@svc/core/log'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { useChat } from '../support/chat.ts'

/** A service that means harm, against the client. Nothing here needs a clock: what never ends is ended by us. */

const KEYS = { SVC_PUBLIC_KEY: 'public-1234567', SVC_SECRET_KEY: 'not-like-a-key-7654321' }
const MIB = 1_048_576

type Attack = (response: ServerResponse, path: string, asked: number) => void

/** A service, the paths it was asked for, and the bytes that it could send before the connection was closed. */
async function useService(attack: Attack) {
  const asked: { path: string; headers: Record<string, unknown> }[] = []
  const closed: Promise<unknown>[] = []
  const server = createServer((request, response) => {
    request.resume()
    const { url = '', headers } = request
    asked.push({ path: url, headers })
    closed.push(once(response, 'close'))
    attack(response, url, asked.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, closed }
}

const client = (baseUrl: string, more: Record<string, string> = {}) =>
  new SvcClient({ env: environmentOf({ ...KEYS, SVC_BASE_URL: baseUrl, SVC_TIMEOUT: '60', ...more }) })

/** Sends parts for ever, as fast as they are read. */
function endless(response: ServerResponse | ReturnType<typeof createGzip>, part: Buffer | string): void {
  const more = () => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

const ENDLESS: Readonly<Record<string, (status: number) => Attack>> = {
  'a body without an end': (status) => (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    endless(response, Buffer.alloc(MIB, '[1],'))
  },
  'a gzip bomb without an end': (status) => (response) => {
    response.writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    const bomb = createGzip({ level: 1 })
    bomb.on('error', () => {})
    bomb.pipe(response)
    response.once('close', () => bomb.destroy())
    endless(bomb, Buffer.alloc(MIB))
  },
  'a gzip bomb in a gzip bomb': (status) => (response) => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(80 * MIB)))
    response.writeHead(status, { 'content-encoding': 'gzip, gzip', 'content-type': 'application/json' }).end(bomb)
  },
}

let lines: string[] = []
beforeEach(() => {
  lines = []
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void lines.push(parts.map(String).join(' ')))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
  expect(lines.join('\n')).not.toContain(KEYS.SVC_SECRET_KEY)
})

describe.each(Object.entries(ENDLESS))('%s', (_, attack) => {
  it('as an answer is not read beyond 64 MiB, and its connection is closed', async () => {
    const { url, closed } = await useService(attack(200))
    await expect(client(url).api.datasets.list()).rejects.toThrow(/with too much to read: it has more than 64 MiB/)
    await closed[0]
    await expect(client(url).prompt.get('a', { fallback: 'b' })).resolves.toMatchObject({ isFallback: true })
    await closed[1]
  })

  it('as an error is not read beyond 1 MiB', async () => {
    const { url, closed } = await useService(attack(500))
    await expect(client(url).api.datasets.list({}, { maxRetries: 0 })).rejects.toMatchObject({ statusCode: 500 })
    await closed[0]
  })

  it('as media is not read beyond 64 MiB', async () => {
    const { url, closed } = await useService(attack(200))
    const media = new SvcMediaReference({ mediaId: 'm', contentType: 'image/png', url, referenceString: '@' })
    await expect(media.fetchBytes()).rejects.toThrow('Media m cannot be fetched: it has more than 64 MiB.')
    await closed[0]
  })
})

it.each([
  ['levels', '['.repeat(30 * MIB)],
  ['objects', `[${'{},'.repeat(10 * MIB)}{}]`],
])('millions of %s in a small answer are not parsed', async (_, text) => {
  const answer = gzipSync(text, { level: 1 })
  const { url } = await useService((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(answer))
  await expect(client(url).api.datasets.list()).rejects.toThrow('it has more than 2 million objects and lists')
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%d takes no key to another address', async (status) => {
    const thief = await useService((response) => response.end('{}'))
    const service = await useService((response) => response.writeHead(status, { location: `${thief.url}/x` }).end())
    const { api, prompt, dataset, score } = client(service.url, { SVC_ADDITIONAL_HEADERS: 'x-token=t' })
    score.create({ traceId: '0'.repeat(32), name: 'a', value: 1 })
    const calls = [api.datasets.list(), prompt.get('a'), dataset.get('a'), api.scores.create([{ name: 'a', value: 1 }])]
    for (const call of calls) await expect(call).rejects.toThrow('redirect')
    await score.shutdown()
    expect(thief.asked).toEqual([])
  })

  it('of media is followed without any header of ours', async () => {
    const storage = await useService((response) => response.end('bytes'))
    const service = await useService((response, path) => {
      if (path.startsWith('/go')) return void response.writeHead(307, { location: storage.url }).end()
      response.end(JSON.stringify({ mediaId: 'm', contentType: 'text/plain', url: `${service.url}/go` }))
    })
    const reference = '@@@svcMedia:type=text/plain|id=m|source=bytes@@@'
    const { media } = client(service.url)
    expect(media).toBeInstanceOf(MediaManager)
    expect(await media.resolveReferences({ obj: reference, resolveWith: 'base64DataUri' })).toContain(
      ';base64,Ynl0ZXM=',
    )
    const sent = [...storage.asked, ...service.asked.filter(({ path }) => path.startsWith('/go'))]
    expect(JSON.stringify(sent)).not.toMatch(/authorization|x-svc/)
  })
})

/** Each ends only if we end it. */
const NEVER: Readonly<Record<string, Attack>> = {
  'says nothing': () => {},
  'sends headers without an end': (response) => {
    const timer = setInterval(() => response.socket?.write('x-more: 1\r\n'), 20)
    response.socket?.write('HTTP/1.1 200 OK\r\n')
    response.once('close', () => clearInterval(timer))
  },
  'sends 1xx without an end': (response) => {
    const timer = setInterval(() => response.writeProcessing(), 20)
    response.once('close', () => clearInterval(timer))
  },
  'sends a byte now and then': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  },
  'sends a byte of gzip now and then': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const bytes = gzipSync(JSON.stringify({ a: 'x'.repeat(1_000) }))
    let at = 0
    const timer = setInterval(() => at < 10 && response.write(bytes.subarray(at, ++at)), 20)
    response.once('close', () => clearInterval(timer))
  },
  'is overloaded for an hour': (response) => void response.writeHead(503, { 'retry-after': '3600' }).end(),
  'is overloaded until next year': (response) =>
    void response.writeHead(429, { 'retry-after': new Date(Date.now() + 3e10).toUTCString() }).end(),
  'resets its rate limit next year': (response) =>
    void response.writeHead(429, { 'x-ratelimit-reset': new Date(Date.now() + 3e10).toISOString() }).end(),
}

describe.each(Object.entries(NEVER))('a service that %s', (_, attack) => {
  const hasty = { SVC_TIMEOUT: '2' }

  it('does not hold up who has a fallback', async () => {
    const { url, asked } = await useService(attack)
    const prompt = await client(url, hasty).prompt.get('a', { fallback: 'b' })
    expect(prompt.isFallback).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('does not hold up any call', async () => {
    const { url } = await useService(attack)
    const svc = client(url, hasty)
    const { api, prompt, dataset } = svc
    const calls = [
      api.datasets.list({}, { timeoutInSeconds: 2 }),
      prompt.get('a'),
      prompt.create({ name: 'a', prompt: 'b' }),
      dataset.get('a'),
      svc.getProjectId(),
    ]
    const ends = await Promise.allSettled(calls)
    expect(ends.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'))
  })
})

describe('a service that repeats the keys', () => {
  it('is quoted without them', async () => {
    const basic = Buffer.from(`${KEYS.SVC_PUBLIC_KEY}:${KEYS.SVC_SECRET_KEY}`).toString('base64')
    const { url } = await useService((response) =>
      response.writeHead(401).end(JSON.stringify({ message: `no: Basic ${basic}, ${KEYS.SVC_SECRET_KEY}` })),
    )
    const error = await client(url)
      .prompt.get('a')
      .catch((reason: unknown) => reason)
    const said = [String(error), JSON.stringify(error), ...lines].join('\n')
    expect(said).toContain('answered 401')
    expect(said).not.toMatch(new RegExp(`${KEYS.SVC_SECRET_KEY}|${basic}`))
  })
})

describe('a service that floods headers', () => {
  it('is refused', async () => {
    const { url } = await useService((response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${`x-flood: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`)
    })
    await expect(client(url).api.datasets.list()).rejects.toThrow('GET /api/public/v2/datasets did not reach')
  })
})

/** Valid JSON, or nearly, that is no answer. */
const ANSWERS = [
  ...['null', '5', '"a"', '[]', '{}', '{"data":5}', '{"data":{}}', '{"data":[null]}', '{"data":[5],"meta":{"page":1}}'],
  ...['{"type":"chat","prompt":[null]}', '{"type":"chat","prompt":{}}', '{"prompt":["a"]}', '{"name":{},"prompt":"a"}'],
  ...['{"__proto__":{"polluted":1},"prompt":"a","data":[]}', '{"constructor":{"prototype":{"polluted":1}}}'],
  ...[
    '{',
    '<html>',
    '\u0000',
    '[[[[',
    '{"data":[{"id":"a","input":{"__proto__":{"polluted":1}}}],"meta":{"totalPages":1}}',
  ],
]

it.each(ANSWERS)('an answer %j changes nothing but its own call', async (answer) => {
  const { url } = await useService((response) => response.end(answer))
  const svc = client(url)
  const reference = '@@@svcMedia:type=text/plain|id=m|source=bytes@@@'
  svc.score.create({ traceId: '0'.repeat(32), name: 'a', value: 1 })
  const calls = [
    svc.prompt.get('a', { fallback: 'b' }),
    svc.prompt.get('a', { type: 'chat', fallback: [] }),
    svc.dataset.get('a'),
    svc.getProjectId(),
    svc.getTraceUrl('t'),
    svc.media.resolveReferences({ obj: { reference }, resolveWith: 'base64DataUri' }),
    svc.experiment.delete({ datasetId: 'd', name: 'n', fromStartTime: new Date(0).toISOString() }),
  ]
  const ends = await Promise.allSettled(calls)
  await svc.shutdown()
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(Error)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

describe('under the preload, an application ends as it does without a service that', () => {
  const chat = useChat()
  const basic = Buffer.from(`${KEYS.SVC_PUBLIC_KEY}:${KEYS.SVC_SECRET_KEY}`).toString('base64')

  it.each<[string, Attack, seconds?: string]>([
    // Sent again until the process may wait no longer.
    ...['a body without an end', 'a gzip bomb without an end'].flatMap((name): [string, Attack, string][] => {
      const attack = ENDLESS[name] as (status: number) => Attack
      return [
        [`answers ${name}`, attack(200), '2'],
        [`fails with ${name}`, attack(500), '2'],
      ]
    }),
    ...Object.entries(NEVER).map(([name, attack]): [string, Attack, string] => [name, attack, '2']),
    ['repeats the keys', (response) => void response.writeHead(401).end(`Basic ${basic} ${KEYS.SVC_SECRET_KEY}`)],
  ])('%s', async (_, attack, seconds = '60') => {
    const { url, asked } = await useService(attack)
    const env = { ...KEYS, SVC_BASE_URL: url, SVC_TIMEOUT: seconds, SVC_SHUTDOWN_TIMEOUT: seconds }
    const { code, stdout, stderr } = await chat(env)
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await chat({ SVC_TRACING_ENABLED: 'false' })).stdout })
    expect(stderr).not.toMatch(new RegExp(`${KEYS.SVC_SECRET_KEY}|${basic}`))
    expect(asked).not.toEqual([])
  })

  it('redirects', async () => {
    const thief = await useService((response) => response.end('{}'))
    const service = await useService((response) => response.writeHead(307, { location: thief.url }).end())
    expect(await chat({ ...KEYS, SVC_BASE_URL: service.url })).toMatchObject({ code: 0 })
    expect([service.asked.length > 0, thief.asked]).toEqual([true, []])
  })
})
