import { describe, expect, it } from 'vitest'
import { bind } from './bind.ts'
import { ENDPOINTS } from './endpoints.ts'

/** The API over answers in hand, and what it did: requests and pauses. */
function api(...answers: (Response | Error)[]) {
  const requests: { url: string; init: RequestInit | undefined }[] = []
  const pauses: number[] = []
  const bound = bind(ENDPOINTS, {
    baseUrl: 'http://h',
    headers: { authorization: 'Basic x', 'x-svc-sdk-name': 'javascript' },
    timeoutInSeconds: 60,
    fetch: async (url, init) => {
      requests.push({ url: String(url), init })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Response) return answer.clone()
      throw answer
    },
    clock: { now: () => 0, random: () => 0.5, sleep: async (ms) => void pauses.push(ms) },
  })
  return { api: bound, requests, pauses }
}

const failing = (status: number, headers: Record<string, string> = {}) => new Response('{}', { status, headers })
const fine = () => new Response('{"data":[],"meta":{}}', { status: 200, headers: { 'x-more': 'told' } })

describe('retries', () => {
  it('are two by default, after the pauses that the service requests', async () => {
    const { api: it, requests, pauses } = api(failing(429, { 'retry-after': '7' }), failing(503), fine())
    await it.datasets.list()
    expect(requests).toHaveLength(3)
    expect(pauses).toEqual([7_000, 2_000])
  })

  it('are as many as the caller allows, and the last response counts', async () => {
    const { api: it, requests, pauses } = api(failing(500))
    await expect(it.datasets.list({}, { maxRetries: 1 })).rejects.toMatchObject({ statusCode: 500 })
    expect([requests.length, pauses.length]).toEqual([2, 1])
  })

  it('are not made if they would fail again, or if the request may have arrived', async () => {
    for (const answer of [failing(400), failing(404), new TypeError('fetch failed')]) {
      const { api: it, requests } = api(answer)
      await expect(it.datasets.list()).rejects.toThrow()
      expect(requests).toHaveLength(1)
    }
  })
})

describe('the time of a call', () => {
  it.each(['60', '3600', '99999999999999999999', new Date(9e13).toUTCString()])(
    'ends with the status where the service asks for a pause beyond it: Retry-After %s',
    async (after) => {
      const { api: it, requests, pauses } = api(failing(503, { 'retry-after': after }))
      const call = it.datasets.list({}, { timeoutInSeconds: 2, maxRetries: 1 })
      await expect(call).rejects.toThrow('answered 503, with no time left for a retry (2 s)')
      expect([requests.length, pauses.length]).toEqual([1, 0])
    },
  )

  it.each(['-5', 'NaN', '1e9', 'soon', new Date(0).toUTCString()])(
    'is not spent on a pause that is none: Retry-After %s',
    async (after) => {
      const { api: it, pauses } = api(failing(503, { 'retry-after': after }), fine())
      await it.datasets.list({}, { timeoutInSeconds: 2 })
      expect(pauses).toEqual([1_000])
    },
  )

  it('is one for all tries', async () => {
    const { api: it, requests } = api(failing(503, { 'retry-after': '1' }), fine())
    await it.datasets.list()
    const [first, second] = requests.map(({ init }) => init?.signal)
    expect(first).toBeInstanceOf(AbortSignal)
    expect(second).toBe(first)
  })
})

describe('an API request', () => {
  const only = async (options: object) => {
    const { api: it, requests } = api(fine())
    await it.datasets.list({ page: 2, limit: undefined }, options)
    return requests[0]
  }

  it('has the headers of the call in place of the default ones, in any case', async () => {
    const sent = await only({ headers: { AUTHORIZATION: 'Bearer y', 'X-Team': 'z', 'x-none': undefined } })
    expect(sent?.init?.headers).toEqual({ authorization: 'Bearer y', 'x-svc-sdk-name': 'javascript', 'x-team': 'z' })
  })

  it('has three headers about the SDK, each with its own option', async () => {
    const sent = await only({ xSvcSdkName: 'mine', xSvcSdkVersion: '1', xSvcPublicKey: 'pk' })
    expect(sent?.init?.headers).toMatchObject({
      'x-svc-sdk-name': 'mine',
      'x-svc-sdk-version': '1',
      'x-svc-public-key': 'pk',
    })
  })

  it('has a query without undefined and null, with added parameters, and with objects as JSON', async () => {
    const sent = await only({ queryParams: { extra: ['a', null, 'b'], filter: [{ column: 'x' }], none: null } })
    expect(sent?.url).toBe('http://h/api/public/v2/datasets?page=2&extra=a&extra=b&filter=%7B%22column%22%3A%22x%22%7D')
  })
})

describe('the raw response of an API call', () => {
  it('is available through withRawResponse()', async () => {
    const call = api(fine()).api.datasets.list()
    const { data, rawResponse } = await call.withRawResponse()
    expect(data).toEqual({ data: [], meta: {} })
    expect(rawResponse).toMatchObject({ status: 200 })
    expect(rawResponse.headers.get('x-more')).toBe('told')
    expect(await call).toBe(data)
  })

  it('rejects with the failure of the call, which is then not reported as unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    await expect(api(failing(400)).api.datasets.list().withRawResponse()).rejects.toMatchObject({ statusCode: 400 })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('the result is an ordinary promise', async () => {
    const call = api(fine()).api.datasets.list()
    expect(call).toBeInstanceOf(Promise)
    const chained = call.then(() => 1)
    expect(Object.getPrototypeOf(chained)).toBe(Promise.prototype)
    expect(await Promise.all([call, chained])).toEqual([{ data: [], meta: {} }, 1])
  })
})
