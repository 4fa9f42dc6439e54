import { createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type PromptFiles, SvcClient, type SvcClientOptions } from '@svc/client'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runNode } from '../support/run.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => {
  warned.mockClear()
  failed.mockClear()
})
/** On a busy machine the service may not answer within the 250 ms that it usually has. */
const PATIENT = { fileAfterMs: 60_000 }
const lines = (spy: typeof warned) => spy.mock.calls.map(([line]) => String(line).replace(/^.*\[(WARN|ERROR)\] /, ''))

const file = (prompt: string, more: object = {}) =>
  ({ type: 'text', version: 3, labels: ['production'], config: { m: 1 }, prompt, ...more }) as const
const client = (prompts: PromptFiles, more: SvcClientOptions = {}) =>
  new SvcClient({
    ...{ publicKey: local.publicKey, secretKey: local.secretKey, baseUrl: local.url, timeout: 60 },
    ...{ prompts, ...more },
  })

/** A port that takes connections and never answers. */
async function hangingPort(): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

describe('a cold start with prompts in files', () => {
  // A call that waits for a response, or for the end of a fetch, takes longer than any test.
  const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_TIMEOUT: '600' }

  it('uses the file if the service never responds, and the process ends', async () => {
    const SVC_BASE_URL = `http://127.0.0.1:${await hangingPort()}`
    const { code, stdout, stderr } = await runNode(['apps/prompt-file.mjs'], { cwd, env: { ...keys, SVC_BASE_URL } })
    expect(code).toBe(0)
    const { text, got, first } = JSON.parse(stdout)
    expect(text).toBe('Judge Dune.')
    expect(got).toEqual([
      { name: 'movie-critic', version: 3, isFallback: true },
      { name: 'movie-critic', version: 3, isFallback: true },
      { name: 'guide', version: 1, isFallback: true },
    ])
    expect(first).toBeGreaterThanOrEqual(245)
    // No call waited for a response about the other prompt.
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /prompt "movie-critic" \(label production\) cannot be fetched, so its file \(version 3\) is used: no answer within 250 ms$/,
      ),
    ])
  })

  it('uses the file at once if nothing listens', async () => {
    const env = { ...keys, SVC_BASE_URL: 'http://127.0.0.1:1' }
    const { code, stdout, stderr } = await runNode(['apps/prompt-file.mjs'], { cwd, env })
    expect({ code, got: JSON.parse(stdout).got.length }).toEqual({ code: 0, got: 3 })
    expect(stderr).toMatch(/"movie-critic" .* so its file \(version 3\) is used: GET .* did not reach 127\.0\.0\.1:1/)
  })
})

describe('prompt.get with prompts in files', () => {
  it('returns the prompt of the service if it responds', async () => {
    const { prompt } = client({ there: file('of the file') })
    await prompt.create({ name: 'there', prompt: 'of the service', labels: ['production'] })
    expect(await prompt.get('there', PATIENT)).toMatchObject({
      prompt: 'of the service',
      version: 1,
      isFallback: false,
    })
    expect(lines(warned)).toEqual([])
  })

  it('returns the file until a slow response arrives, which is used from then on', async () => {
    const { prompt } = client({ slow: file('of the file') })
    await prompt.create({ name: 'slow', prompt: 'of the service', labels: ['production'] })
    const answer = Promise.withResolvers<void>()
    const planned = local.respond('GET /api/public/v2/prompts/slow', { until: answer.promise })
    expect(await prompt.get('slow', { fileAfterMs: 5 })).toMatchObject({ prompt: 'of the file', isFallback: true })
    const facts = { prompt: 'of the file', config: { m: 1 }, labels: ['production'] }
    expect(await prompt.get('slow')).toMatchObject({ ...facts, fallbackReason: 'no answer within 5 ms' })
    await vi.waitFor(() => expect(planned.count()).toBe(1), 60_000)
    planned.stop()
    answer.resolve()
    await vi.waitFor(async () => expect((await prompt.get('slow')).prompt).toBe('of the service'), 60_000)
    expect(lines(warned)).toEqual([
      'prompt "slow" (label production) cannot be fetched, so its file (version 3) is used: no answer within 5 ms',
    ])
  })

  it('waits for the service again once it responds', async () => {
    const { prompt } = client({ first: file('of the file'), next: file('of the file') })
    for (const name of ['first', 'next'])
      await prompt.create({ name, prompt: 'of the service', labels: ['production'] })
    const answer = Promise.withResolvers<void>()
    local.respond('GET /api/public/v2/prompts/first', { until: answer.promise })
    expect((await prompt.get('first', { fileAfterMs: 5 })).prompt).toBe('of the file')
    answer.resolve()
    await vi.waitFor(async () => expect((await prompt.get('first')).prompt).toBe('of the service'), 60_000)
    expect((await prompt.get('next', PATIENT)).prompt).toBe('of the service')
  })

  it('prefers a fetched prompt to the file while the service is unavailable', async () => {
    const { prompt } = client({ known: file('of the file') })
    await prompt.create({ name: 'known', prompt: 'of the service', labels: ['production'] })
    await prompt.get('known', PATIENT)
    const planned = local.respond('GET /api/public/v2/prompts/known', { status: 500, times: 100 })
    const asking = { ...PATIENT, cacheTtlSeconds: 0, maxRetries: 0 }
    expect((await prompt.get('known', asking)).prompt).toBe('of the service')
    expect((await prompt.get('known')).prompt).toBe('of the service')
    expect(planned.count()).toBe(1)
    expect(lines(warned)).toEqual([])
    planned.stop()
  })

  it('prefers the file to the fallback, unless it has another version or label', async () => {
    const { prompt } = client({ away: file('of the file', { label: 'staging' }) }, { baseUrl: 'http://127.0.0.1:1' })
    const get = async (more: object) =>
      (await prompt.get('away', { fallback: 'in the code', maxRetries: 0, ...more })).prompt
    expect(await get({})).toBe('of the file')
    expect(await get({ label: 'production' })).toBe('of the file')
    expect(await get({ label: 'staging' })).toBe('of the file')
    expect(await get({ version: 3 })).toBe('of the file')
    expect(await get({ version: 2 })).toBe('in the code')
    expect(await get({ version: 3, label: 'staging' })).toBe('in the code')
    expect(await get({ label: 'beta' })).toBe('in the code')
    await expect(prompt.get('away', { label: 'beta' })).rejects.toThrow('did not reach')
    await expect(prompt.get('constructor' as string)).rejects.toThrow('did not reach')
  })

  it('uses the file of a prompt that the service does not have, without reporting an outage', async () => {
    const { prompt } = client({ 'not pushed': file('of the file', { version: 0 }), other: file('of the file') })
    expect(await prompt.get('not pushed', PATIENT)).toMatchObject({ prompt: 'of the file', version: 0 })
    expect(lines(warned)).toEqual([expect.stringMatching(/so its file is used: GET \S+ answered 404/)])
    await expect(prompt.get('not pushed', { version: 0 })).rejects.toThrow(/answered 40[04]/)
    await prompt.create({ name: 'other', prompt: 'of the service', labels: ['production'] })
    expect((await prompt.get('other', PATIENT)).prompt).toBe('of the service')
  })

  it('fetches on every call with cacheTtlSeconds 0, and once while the service hangs', async () => {
    const { prompt } = client({ zero: file('of the file') })
    await prompt.create({ name: 'zero', prompt: 'of the service', labels: ['production'] })
    const get = (more: object = {}) => prompt.get('zero', { ...PATIENT, cacheTtlSeconds: 0, ...more })
    const path = 'GET /api/public/v2/prompts/zero'
    const requests = () => local.calls().filter((call) => call.path === '/api/public/v2/prompts/zero').length
    await get()
    await get()
    expect(requests()).toBe(2)
    const answer = Promise.withResolvers<void>()
    const planned = local.respond(path, { until: answer.promise, times: 100 })
    const hanging = await Promise.all(Array.from({ length: 10 }, () => get({ fileAfterMs: 5, label: 'production' })))
    const later = await Promise.all(Array.from({ length: 10 }, () => get({ fileAfterMs: 5, label: 'production' })))
    expect([...hanging, ...later].map((each) => each.prompt)).toEqual(Array(20).fill('of the service'))
    await vi.waitFor(() => expect(planned.count()).toBe(11), 60_000)
    planned.stop()
    answer.resolve()
  })

  it('does not wait with fileAfterMs 0, without a warning', async () => {
    const { prompt } = client({ eager: file('of the file') })
    await prompt.create({ name: 'eager', prompt: 'of the service', labels: ['production'] })
    expect((await prompt.get('eager', { fileAfterMs: 0 })).prompt).toBe('of the file')
    await vi.waitFor(async () => {
      expect((await prompt.get('eager', { fileAfterMs: 0 })).prompt).toBe('of the service')
    }, 60_000)
    expect(lines(warned)).toEqual([])
  })

  it('warns with fileAfterMs 0 if the service turns out to be unavailable', async () => {
    const { prompt } = client({ 'eager away': file('of the file') }, { baseUrl: 'http://127.0.0.1:1' })
    const { prompt: text, fallbackReason } = await prompt.get('eager away', { fileAfterMs: 0 })
    expect([text, fallbackReason]).toEqual(['of the file', 'it is not waited for'])
    await vi.waitFor(
      () => expect(lines(warned)).toEqual([expect.stringMatching(/"eager away".*did not reach/)]),
      60_000,
    )
  })

  it('fills in the placeholders of a chat in a file', async () => {
    const entries = [
      { role: 'system', content: 'You know {{city}}.' },
      { type: 'placeholder', name: 'history' } as const,
    ]
    const chat = { type: 'chat', version: 1, labels: ['production'], config: {}, prompt: entries } as const
    const { prompt } = client({ guide: chat }, { baseUrl: 'http://127.0.0.1:1' })
    const guide = await prompt.get('guide', { type: 'chat' })
    expect(guide.compile({ city: 'Oslo' }, { history: [] })).toEqual([{ role: 'system', content: 'You know Oslo.' }])
  })

  it.each([
    ['a list', [1], 'prompts of SvcClient are ignored: expected the export prompts of svc-prompts, got a list of 1.'],
    ['an entry', { odd: { type: 'text' } }, 'prompt "odd" of the prompts of SvcClient is ignored: expected'],
    [
      'an option',
      { fine: file('x') },
      'fileAfterMs of a prompt is ignored: expected a number from 0, so 250 ms are used.',
    ],
  ])('warns about an invalid %s, and changes nothing else', async (_, prompts, message) => {
    const { prompt } = client(prompts as unknown as PromptFiles)
    await prompt.create({ name: 'fine', prompt: 'of the service', labels: ['production'] })
    await prompt.get('fine', PATIENT)
    expect((await prompt.get('fine', { fileAfterMs: -1 })).prompt).toBe('of the service')
    expect(lines(warned).join('\n')).toContain(message)
  })
})
