import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SvcAPIError, SvcAPITimeoutError } from '../api/errors.ts'
import type { Prompt } from '../api/types/prompts.ts'
import { PromptManager, type PromptParts } from './prompt-manager.ts'

/** A manager over an API that answers with the next version each time, or as a mock says. */
function setUp() {
  let version = 0
  const time = { now: 0 }
  const textOf = (name: string): Prompt => {
    version += 1
    return { type: 'text', name, version, prompt: `{{a}} ${version}`, config: {}, labels: [], tags: [] }
  }
  const prompts = {
    get: vi.fn(async (name: string, _request: object, _options: object): Promise<Prompt> => textOf(name)),
    create: vi.fn(async (body: object): Promise<Prompt> => ({ ...textOf('a'), ...body }) as Prompt),
    delete: vi.fn(async () => {}),
  }
  const promptVersion = { update: vi.fn(async (name: string): Promise<Prompt> => textOf(name)) }
  const parts = { api: { prompts, promptVersion }, background: { prompts }, clock: { now: () => time.now } }
  return { manager: new PromptManager(parts as unknown as PromptParts), prompts, promptVersion, time }
}

const chatEntries = [
  { role: 'system', content: 'Hello' },
  { type: 'placeholder', name: 'history' },
] as const

const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => {
  warned.mockClear()
  failed.mockClear()
})
const lines = (spy: typeof warned) => spy.mock.calls.map(([line]) => String(line).replace(/^.*\[(WARN|ERROR)\] /, ''))

describe('prompt.get', () => {
  it('requests the given name, version and label', async () => {
    const { manager, prompts } = setUp()
    await manager.get('a')
    await manager.get('a', { version: 0, maxRetries: 0, fetchTimeoutMs: 1_500 })
    await manager.get('a/b c', { label: 'latest' })
    expect(prompts.get.mock.calls).toEqual([
      ['a', { version: undefined, label: undefined }, { timeoutInSeconds: undefined, maxRetries: undefined }],
      ['a', { version: 0, label: undefined }, { timeoutInSeconds: 1.5, maxRetries: 0 }],
      ['a/b c', { version: undefined, label: 'latest' }, { timeoutInSeconds: undefined, maxRetries: undefined }],
    ])
  })

  it('caches a prompt for 60 seconds, then returns it while it fetches the next', async () => {
    const { manager, time } = setUp()
    const versions = async () => (await manager.get('a')).version
    expect([await versions(), await versions()]).toEqual([1, 1])
    time.now = 60_000
    expect(await versions()).toBe(1)
    expect(await versions()).toBe(2)
  })

  it('shares a first fetch only between calls with the same fetch options', async () => {
    const { manager, prompts } = setUp()
    await Promise.all([manager.get('a'), manager.get('a'), manager.get('a', { fetchTimeoutMs: 5 })])
    expect(prompts.get).toHaveBeenCalledTimes(2)
  })

  it('without a cache returns the cached prompt, before a fallback, where the service is busy or away', async () => {
    const { manager, prompts } = setUp()
    const options = { cacheTtlSeconds: 0, fallback: 'fallback' }
    await manager.get('a', options)
    for (const reason of [new SvcAPIError('busy', { statusCode: 503 }), new SvcAPITimeoutError('late')]) {
      prompts.get.mockRejectedValueOnce(reason)
      expect((await manager.get('a', options)).version).toBe(1)
    }
    prompts.get.mockRejectedValueOnce(new SvcAPIError('deleted', { statusCode: 404 }))
    expect((await manager.get('a', options)).prompt).toBe('fallback')
    expect(lines(failed)).toEqual([
      'prompt "a" (label production) cannot be fetched, so the cached version is used: busy',
      'prompt "a" (label production) cannot be fetched, so the cached version is used: late',
      'prompt "a" (label production) cannot be fetched, so the fallback is used: deleted',
    ])
  })

  it('requests the label production if no label is given', async () => {
    const { manager, prompts } = setUp()
    await manager.get('a')
    await manager.get('a', { label: 'production' })
    expect(prompts.get).toHaveBeenCalledTimes(1)
  })

  it('fetches on every call with cacheTtlSeconds 0', async () => {
    const { manager, prompts } = setUp()
    await manager.get('a', { cacheTtlSeconds: 0 })
    expect((await manager.get('a', { cacheTtlSeconds: 0 })).version).toBe(2)
    expect(prompts.get).toHaveBeenCalledTimes(2)
  })

  it.each([-1, Number.NaN, 'soon'])('cacheTtlSeconds %s is ignored with a warning', async (cacheTtlSeconds) => {
    const { manager, prompts } = setUp()
    await manager.get('a', { cacheTtlSeconds: cacheTtlSeconds as number })
    await manager.get('a')
    expect(prompts.get).toHaveBeenCalledTimes(1)
  })

  it('keeps the old prompt, with a warning, if a refresh fails', async () => {
    const { manager, prompts, time } = setUp()
    await manager.get('stale')
    time.now = 60_000
    prompts.get.mockRejectedValueOnce(new Error('down'))
    expect((await manager.get('stale')).version).toBe(1)
    await expect
      .poll(() => lines(warned))
      .toEqual(['prompt "stale" cannot be refreshed, so the cached version is used: down'])
    expect((await manager.get('stale')).version).toBe(1)
  })

  it('does not return a prompt any longer that was deleted, or lost its label', async () => {
    const { manager, prompts, time } = setUp()
    await manager.get('deleted')
    time.now = 60_000
    prompts.get.mockRejectedValue(new SvcAPIError('not found', { statusCode: 404 }))
    expect((await manager.get('deleted')).version).toBe(1)
    await expect
      .poll(() => lines(warned))
      .toEqual(['prompt "deleted" is no longer in the service, so the cached version is not used any more: not found'])
    const { isFallback, fallbackReason } = await manager.get('deleted', { fallback: 'fallback' })
    expect([isFallback, fallbackReason]).toEqual([true, 'not found'])
    await expect(manager.get('deleted')).rejects.toThrow('not found')
  })

  it.each([
    [[3], '{ version: 3 }): got 3.'],
    [['staging'], '{ label: "staging" }): got "staging".'],
    [[null], '{ label: "production" }): got null.'],
    [[[3]], '{ label: "production" }): got a list of 1.'],
    [[3n], '{ label: "production" }): got 3.'],
    [[3, { type: 'chat', x: 3n }], '{ version: 3, type: "chat", x: 3 }): got a value of type object.'],
    [[undefined, { label: 'staging' }], '{ label: "staging" }): got a value of type object.'],
  ])('refuses %o as options, with the line to write', async (options, line) => {
    const { manager, prompts } = setUp()
    const needs = 'svc: prompt.get needs options such as prompt.get("a",'
    await expect(manager.get('a', ...(options as never[]))).rejects.toThrow(new TypeError(`${needs} ${line}`))
    expect(prompts.get).not.toHaveBeenCalled()
  })

  it('rejects with name and label if the fetch fails', async () => {
    const { manager, prompts } = setUp()
    const down = new Error('down')
    prompts.get.mockRejectedValue(down)
    await expect(manager.get('gone', { label: 'beta' })).rejects.toBe(down)
    expect(lines(failed)).toEqual(['prompt "gone" (label beta) cannot be fetched: down'])
  })

  it('returns the fallback of each call, which is not cached', async () => {
    const { manager, prompts } = setUp()
    prompts.get.mockRejectedValueOnce(new Error('down'))
    const [text, chat] = await Promise.all([
      manager.get('a', { fallback: 'Hello {{name}}' }),
      manager.get('a', { type: 'chat', fallback: chatEntries }),
    ])
    expect(text).toMatchObject({
      isFallback: true,
      fallbackReason: 'down',
      type: 'text',
      version: 0,
      labels: [],
      config: {},
      tags: [],
    })
    expect(text.compile({ name: 'Ada' })).toBe('Hello Ada')
    expect(chat).toMatchObject({ isFallback: true, type: 'chat' })
    expect(chat.compile({}, { history: [] })).toEqual([{ role: 'system', content: 'Hello' }])
    expect(lines(failed)[0]).toBe('prompt "a" (label production) cannot be fetched, so the fallback is used: down')
    expect(await manager.get('a')).toMatchObject({ isFallback: false, version: 1 })
  })

  it('returns a fallback with the requested version and label', async () => {
    const { manager, prompts } = setUp()
    prompts.get.mockRejectedValue(new Error('down'))
    expect(await manager.get('a', { version: 7, fallback: 'x' })).toMatchObject({ version: 7, labels: [] })
    expect(await manager.get('a', { label: 'beta', fallback: 'x' })).toMatchObject({ version: 0, labels: ['beta'] })
  })

  it('treats an empty fallback as none', async () => {
    const { manager, prompts } = setUp()
    prompts.get.mockRejectedValue(new Error('down'))
    await expect(manager.get('a', { fallback: '' })).rejects.toThrow('down')
  })

  it('returns a prompt of the other type with a warning', async () => {
    const { manager } = setUp()
    expect((await manager.get('other', { type: 'chat' })).type).toBe('text')
    expect(lines(warned)).toEqual(['prompt "other" is of type text, but type "chat" was requested.'])
  })

  it('rejects a call without a name', async () => {
    await expect(setUp().manager.get('')).rejects.toThrow('svc: prompt.get needs the name of a prompt: got "".')
  })
})

describe('changes to prompts', () => {
  it('may omit the type of a text prompt', async () => {
    const { manager, prompts } = setUp()
    expect((await manager.create({ name: 'a', prompt: 'Hello {{name}}' })).compile({ name: 'Ada' })).toBe('Hello Ada')
    expect(prompts.create).toHaveBeenCalledWith({ name: 'a', prompt: 'Hello {{name}}', type: 'text' })
  })

  it('send the type of each chat entry', async () => {
    const { manager, prompts } = setUp()
    const prompt = await manager.create({ name: 'a', type: 'chat', prompt: [...chatEntries], labels: ['production'] })
    expect(prompt.type).toBe('chat')
    expect(prompts.create).toHaveBeenCalledWith({
      name: 'a',
      type: 'chat',
      labels: ['production'],
      prompt: [
        { type: 'chatmessage', role: 'system', content: 'Hello' },
        { type: 'placeholder', name: 'history' },
      ],
    })
  })

  it.each([
    ['create', (manager: PromptManager) => manager.create({ name: 'foo', prompt: 'x' })],
    ['update', (manager: PromptManager) => manager.update({ name: 'foo', version: 1, newLabels: ['production'] })],
    ['delete', (manager: PromptManager) => manager.delete('foo', { version: 1 })],
  ])('make the next get() fetch that prompt again, and no other: %s', async (_, change) => {
    const { manager, prompts } = setUp()
    await manager.get('foo')
    await manager.get('foo', { version: 1 })
    await manager.get('foobar')
    await change(manager)
    prompts.get.mockClear()
    await Promise.all([manager.get('foo'), manager.get('foo', { version: 1 }), manager.get('foobar')])
    expect(prompts.get.mock.calls.map(([name]) => name)).toEqual(['foo', 'foo'])
  })

  it('clear the cache also if the request may have failed half-way', async () => {
    const { manager, prompts, promptVersion } = setUp()
    await manager.get('foo')
    promptVersion.update.mockRejectedValueOnce(new Error('timeout'))
    await expect(manager.update({ name: 'foo', version: 1, newLabels: ['a'] })).rejects.toThrow('timeout')
    await manager.get('foo')
    expect(prompts.get).toHaveBeenCalledTimes(2)
  })

  it('send labels with their version', async () => {
    const { manager, promptVersion } = setUp()
    await manager.update({ name: 'foo', version: 2, newLabels: ['beta'] })
    expect(promptVersion.update).toHaveBeenCalledWith('foo', 2, { newLabels: ['beta'] })
  })
})
