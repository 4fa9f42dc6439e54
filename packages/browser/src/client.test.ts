import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLOUD_BASE_URL } from '@svc/core/cloud'
import { VERSION } from '@svc/core/version'
import { afterEach, describe, expect, it } from 'vitest'
import { SvcBrowserClient, type SvcBrowserClientOptions } from './client.ts'
import { SvcBrowserError } from './error.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a service that sends the same response to each request, and keeps the requests. */
async function service({ status, body }: Answer) {
  const requests: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      requests.push({ request, body: text })
      response.writeHead(status).end(body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closers.push(() => server.close())
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const SCORE = { traceId: '0bafe22156d2698c143b86040446d366', name: 'user-feedback', value: 1 }

const refusal = async (answer: Answer): Promise<SvcBrowserError> => {
  const { baseUrl } = await service(answer)
  return new SvcBrowserClient({ publicKey: 'pk-1', baseUrl }).score(SCORE).then(
    () => expect.fail('the score was taken'),
    (error) => error as SvcBrowserError,
  )
}

describe('SvcBrowserClient', () => {
  it('posts one score with the public key and its data type', async () => {
    const { requests, baseUrl } = await service({ status: 200, body: '{"id":"s-1"}' })
    const svc = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl: `${baseUrl}//`, environment: 'staging' })
    expect(await svc.score({ ...SCORE, id: 's-1' })).toEqual({ id: 's-1' })
    const [{ request, body }] = requests as [(typeof requests)[0]]
    expect(`${request.method} ${request.url}`).toBe('POST /api/public/scores')
    expect(request.headers).toMatchObject({
      authorization: 'Bearer pk-1',
      'content-type': 'application/json',
      'x-svc-public-key': 'pk-1',
      'x-svc-sdk-name': 'javascript',
      'x-svc-sdk-version': VERSION,
      'x-svc-sdk-integration': 'browser',
    })
    expect(JSON.parse(body)).toEqual({ ...SCORE, id: 's-1', environment: 'staging' })
  })

  it('makes an id if none is given, keeps an empty one, and prefers the environment of the score', async () => {
    const { requests, baseUrl } = await service({ status: 202, body: '{"message":"Accepted"}' })
    const svc = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl, environment: 'staging' })
    const { id } = await svc.score({ ...SCORE, environment: 'production' })
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await svc.score({ ...SCORE, id: '' })).toEqual({ id: '' })
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
      { ...SCORE, id, environment: 'production' },
      { ...SCORE, id: '', environment: 'staging' },
    ])
  })

  it('names a redirect, which it does not follow', async () => {
    const { requests, baseUrl } = await service({ status: 308, body: '' })
    const error = await new SvcBrowserClient({ publicKey: 'pk-1', baseUrl }).score(SCORE).catch((reason) => reason)
    expect(error).toBeInstanceOf(SvcBrowserError)
    expect(error.message).toBe(
      `The score was not sent: ${baseUrl}/api/public/scores redirects, which is not followed. Set baseUrl to the address ` +
        'it leads to.',
    )
    expect(requests).toHaveLength(1)
  })

  it('takes an empty response for accepted', async () => {
    const { baseUrl } = await service({ status: 202, body: '' })
    expect(await new SvcBrowserClient({ publicKey: 'pk-1', baseUrl }).score({ ...SCORE, id: 's-1' })).toEqual({
      id: 's-1',
    })
  })

  it.each([null, undefined, ''])(
    'takes the hosted service for the base URL %j of plain JavaScript',
    async (baseUrl) => {
      const urls: unknown[] = []
      const given = async (url: unknown) => {
        urls.push(url)
        return new Response('{}')
      }
      const options = { publicKey: 'pk-1', baseUrl, additionalHeaders: null, fetch: given }
      await new SvcBrowserClient(options as never as SvcBrowserClientOptions).score(SCORE)
      expect(urls).toEqual([`${CLOUD_BASE_URL}/api/public/scores`])
    },
  )

  it('may be served by the host of the page', async () => {
    const fetch = async (url: unknown) => new Response(JSON.stringify({ id: url }))
    const svc = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl: '/svc/', fetch })
    expect(await svc.score(SCORE)).toEqual({ id: '/svc/api/public/scores' })
  })

  it.each(['svc.example.com', 'localhost:3000'])(
    'does not send to the base URL %s, which has no scheme',
    async (baseUrl) => {
      const fetch = () => expect.fail('it was sent')
      await expect(new SvcBrowserClient({ publicKey: 'pk-1', baseUrl, fetch }).score(SCORE)).rejects.toThrow(
        `The score was not sent: baseUrl needs http:// or https:// (${baseUrl}/api/public/scores).`,
      )
    },
  )

  it('sends additional headers, which never replace its own', async () => {
    const { requests, baseUrl } = await service({ status: 200, body: '{"id":"s-1"}' })
    const additionalHeaders = { 'X-Team': 'search', Authorization: 'Basic x', 'X-Svc-Sdk-Name': 'mine' }
    await new SvcBrowserClient({ publicKey: 'pk-1', baseUrl, additionalHeaders }).score(SCORE)
    expect(requests[0]?.request.headers).toMatchObject({
      'x-team': 'search',
      authorization: 'Bearer pk-1',
      'x-svc-sdk-name': 'javascript',
    })
  })

  it('calls the fetch that it is given unchanged', async () => {
    const receivers: unknown[] = []
    const given = function (this: unknown) {
      receivers.push(this)
      return Promise.resolve(new Response('{"id":"s-1"}'))
    }
    await new SvcBrowserClient({ publicKey: 'pk-1', baseUrl: 'http://svc.test', fetch: given }).score(SCORE)
    expect(receivers).toEqual([undefined])
  })

  const none = undefined as unknown as SvcBrowserClientOptions
  it.each<[string, SvcBrowserClientOptions, RegExp]>([
    ['no options', none, /^No public key\./],
    ['an empty public key', { publicKey: '' }, /^No public key\./],
    ['a secret key for a public one', { publicKey: 'sk-1' }, /^A secret key must not be in a web page/],
    ['a placeholder for a public key', { publicKey: 'pk-1…' }, /^The public key has characters that no key has/],
    ['a secret key as well', { publicKey: 'pk-1', secretKey: 'sk-1' } as never, /^A secret key must not/],
  ])('refuses %s, with a message that contains no key', (_, options, message) => {
    const create = () => new SvcBrowserClient(options)
    expect(create).toThrow(SvcBrowserError)
    expect(create).toThrow(message)
    expect(create).not.toThrow(/[ps]k-1/)
  })

  it('rejects with a clear message if there is no fetch', () => {
    const { fetch } = globalThis
    Reflect.deleteProperty(globalThis, 'fetch')
    try {
      expect(() => new SvcBrowserClient({ publicKey: 'pk-1' })).toThrow(/^There is no fetch here/)
    } finally {
      globalThis.fetch = fetch
    }
  })
})

describe('a score that the service does not accept', () => {
  it('is rejected with the status and the reason', async () => {
    const error = await refusal({ status: 401, body: '{"message":"Invalid credentials."}' })
    expect(error).toBeInstanceOf(SvcBrowserError)
    expect(error).toMatchObject({
      message: 'The service refused the score with status 401: Invalid credentials.',
      status: 401,
      response: { message: 'Invalid credentials.' },
    })
  })

  it('is rejected with the text of the response body', async () => {
    expect(await refusal({ status: 502, body: 'Bad gateway' })).toMatchObject({ status: 502, response: 'Bad gateway' })
  })

  it('is rejected if the response cannot be read', async () => {
    expect(await refusal({ status: 200, body: '<html>' })).toMatchObject({
      message: 'The service answered status 200 with something that is not JSON.',
      response: '<html>',
    })
  })

  it('is rejected if a 207 response lists it as rejected', async () => {
    const errors = [{ message: 'user-feedback: value is no number' }]
    expect(await refusal({ status: 207, body: JSON.stringify({ accepted: 0, rejected: 1, errors }) })).toMatchObject({
      message: 'The service rejected the score: user-feedback: value is no number.',
      status: 207,
      errors,
    })
  })

  it('is rejected with the network error as cause', async () => {
    const svc = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl: 'http://127.0.0.1:1' })
    const error = await svc.score(SCORE).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ message: expect.stringContaining('cannot be reached'), status: undefined })
    expect((error as SvcBrowserError).originalError).toBeInstanceOf(TypeError)
  })

  it.each([
    ['an empty name', { ...SCORE, name: '' }, 'its name is empty, expected a string'],
    ['no number', { ...SCORE, value: Number.NaN }, 'its value is NaN, expected a finite number or a string'],
    ['no target', { name: 'n', value: 1 }, 'it has no target, expected one of traceId, sessionId and datasetRunId'],
  ])('is not sent with %s', async (_, score, problem) => {
    const { requests, baseUrl } = await service({ status: 200, body: '{}' })
    const sending = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl }).score(score)
    await expect(sending).rejects.toThrow(`The score was not sent: ${problem}.`)
    await expect(sending).rejects.toBeInstanceOf(SvcBrowserError)
    expect(requests).toEqual([])
  })

  it('is rejected with a clear message if it cannot be serialized', async () => {
    const metadata: Record<string, unknown> = {}
    metadata.self = metadata
    const svc = new SvcBrowserClient({ publicKey: 'pk-1', baseUrl: 'http://127.0.0.1:1' })
    await expect(svc.score({ ...SCORE, metadata })).rejects.toThrow('The score was not sent: it cannot be written')
    await expect(svc.score(undefined as never)).rejects.toThrow(/^The score was not sent: expected an object/)
  })
})
