import { fileURLToPath } from 'node:url'
import {
  AIMessage,
  ChatMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { ChatPromptClient, SvcClient } from '@svc/client'
import { type LocalService, startLocal } from '@svc/local'
import { convertToModelMessages, type UIMessage } from 'ai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runNode } from '../support/run.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const client = () =>
  new SvcClient({ publicKey: local.publicKey, secretKey: local.secretKey, baseUrl: local.url, timeout: 60 })
/** A prompt that is one placeholder. */
const historyPrompt = () =>
  new ChatPromptClient({
    ...{ name: 'talk', version: 1, config: {}, labels: [], tags: [] },
    prompt: [{ type: 'placeholder', name: 'history' }],
  })
/** Requests for prompts of that name. */
const callsAbout = (name: string) => local.calls().filter(({ path }) => path.includes(encodeURIComponent(name)))

describe('prompts over the wire', () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
  afterEach(() => silent.mockClear())

  it('a text prompt is stored, fetched by label and version, and compiled', async () => {
    const { prompt } = client()
    await prompt.create({
      name: 'a/b c',
      prompt: 'Hello {{name}}',
      labels: ['production'],
      config: { m: 1 },
    })
    await prompt.create({ name: 'a/b c', prompt: 'Bye {{name}}', labels: ['latest'] })
    const fetched = await prompt.get('a/b c')
    expect(fetched).toMatchObject({ name: 'a/b c', version: 1, type: 'text', config: { m: 1 }, isFallback: false })
    expect(fetched.compile({ name: '<Ada>' })).toBe('Hello <Ada>')
    expect((await prompt.get('a/b c', { version: 2 })).prompt).toBe('Bye {{name}}')
    expect((await prompt.get('a/b c', { label: 'latest' })).version).toBe(2)
    expect(callsAbout('a/b c').map(({ method, path }) => `${method} ${path}`)).toContain(
      'GET /api/public/v2/prompts/a%2Fb%20c',
    )
  })

  it('a chat prompt with a placeholder is read back unchanged', async () => {
    const { prompt } = client()
    const entries = [
      { role: 'system', content: 'You know {{topic}}.' },
      { type: 'placeholder', name: 'history' } as const,
    ]
    await prompt.create({ name: 'chat', type: 'chat', prompt: entries, labels: ['production'] })
    const fetched = await prompt.get('chat', { type: 'chat' })
    expect(fetched.compile({ topic: 'Oslo' }, { history: [{ role: 'user', content: 'Hi' }] })).toEqual([
      { role: 'system', content: 'You know Oslo.' },
      { role: 'user', content: 'Hi' },
    ])
  })

  it('takes messages of LangChain in each form that it keeps them in', () => {
    const tool_calls = [{ id: 'c', name: 'add', args: { a: 1 }, type: 'tool_call' as const }]
    const given = [
      new SystemMessage('Be brief.'),
      new HumanMessage('1 + 1?'),
      new AIMessage({ content: '', tool_calls }),
      new ToolMessage({ content: '2', tool_call_id: 'c' }),
      new ChatMessage('Two.', 'critic'),
    ]
    const calls = [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }]
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '1 + 1?' },
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: '2', tool_call_id: 'c' },
      { role: 'critic', content: 'Two.' },
    ]
    const pairs = [['human', 'a'] as const, ['assistant', 'b'] as const]
    const filled = (history: readonly object[]) => historyPrompt().compile({}, { history })
    expect(filled(given)).toEqual(messages)
    expect(filled(mapChatMessagesToStoredMessages(given))).toEqual(messages)
    expect(filled(JSON.parse(JSON.stringify(given)))).toEqual(messages)
    expect(filled(pairs)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ])
  })

  it("takes messages of the AI SDK's UI as convertToModelMessages does", async () => {
    const add = { type: 'tool-add' as const, input: { a: 1 } }
    const given: UIMessage[] = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: '1 + 1?' }] },
      {
        id: '2',
        role: 'user',
        parts: [
          { type: 'text', text: 'See this.' },
          { type: 'file', mediaType: 'image/png', url: 'https://a.example/b.png', filename: 'b.png' },
        ],
      },
      {
        id: '3',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { ...add, toolCallId: 'c', state: 'output-available', output: { sum: 2 } },
          { ...add, toolCallId: 'd', state: 'output-error', errorText: 'no' },
          { type: 'step-start' },
          { type: 'text', text: 'Two.' },
        ],
      },
    ]
    const converted = await convertToModelMessages(given)
    // Its messages may also say less of what is text, and of an address, which version 5 understands as well.
    const short = JSON.stringify(converted)
      .replaceAll(/\[\{"type":"text","text":("[^"]*")\}\]/g, '$1')
      .replaceAll(/\{"type":"url","url":("[^"]*")\}/g, '$1')
    expect(historyPrompt().compile({}, { history: given })).toEqual(JSON.parse(short))
  })

  it('LangChain accepts a chat prompt, directly and as pairs', async () => {
    const { prompt } = client()
    const entries = [
      { role: 'system', content: 'You know {{topic}}.' },
      { type: 'placeholder', name: 'history' } as const,
    ]
    await prompt.create({ name: 'for LangChain', type: 'chat', prompt: entries, labels: ['production'] })
    const messages = (await prompt.get('for LangChain', { type: 'chat' })).getLangchainPrompt()
    const values = { topic: 'Oslo', history: [['human', 'Hi']] }
    for (const template of [
      ChatPromptTemplate.fromMessages(messages),
      ChatPromptTemplate.fromMessages(messages.map((m) => [m.role, m.content])),
    ]) {
      const filled = await template.formatMessages(values)
      expect(filled.map(({ type, content }) => [type, content])).toEqual([
        ['system', 'You know Oslo.'],
        ['human', 'Hi'],
      ])
    }
  })

  it('get() fetches the version of a label that update() moved', async () => {
    const { prompt } = client()
    await prompt.create({ name: 'moved', prompt: 'one', labels: ['production'] })
    await prompt.create({ name: 'moved', prompt: 'two' })
    expect((await prompt.get('moved')).prompt).toBe('one')
    expect(await prompt.update({ name: 'moved', version: 2, newLabels: ['production'] })).toMatchObject({ version: 2 })
    expect((await prompt.get('moved')).prompt).toBe('two')
  })

  it('a deleted prompt is not found', async () => {
    const { prompt } = client()
    await prompt.create({ name: 'gone', prompt: 'one', labels: ['production'] })
    await prompt.get('gone')
    await prompt.delete('gone')
    await expect(prompt.get('gone')).rejects.toMatchObject({ name: 'NotFoundError', statusCode: 404 })
    expect(silent.mock.calls[0]?.[0]).toContain('prompt "gone" (label production) cannot be fetched: ')
  })

  it('concurrent calls fetch once', async () => {
    const { prompt } = client()
    await prompt.create({ name: 'once', prompt: 'one', labels: ['production'] })
    const before = callsAbout('once').length
    const prompts = await Promise.all(Array.from({ length: 20 }, () => prompt.get('once')))
    expect(callsAbout('once').length - before).toBe(1)
    expect(new Set(prompts).size).toBe(1)
  })

  it('the fallback is used if the service hangs, is down, or responds with invalid data', async () => {
    const { prompt } = client()
    const path = 'GET /api/public/v2/prompts/{name}'
    const fallback = 'Hello {{name}}'
    const fetched = (more: object = {}) => prompt.get('away', { fallback, maxRetries: 0, ...more })

    const hanging = local.respond(path, { until: new Promise(() => {}) })
    expect(await fetched({ fetchTimeoutMs: 20 })).toMatchObject({ isFallback: true })
    hanging.stop()
    const answers = [
      { status: 500 },
      { status: 401 },
      { drop: true },
      ...['<html>', 'null', {}, { type: 'chat', prompt: 'no list' }].map((body) => ({ status: 200, body })),
    ]
    for (const answer of answers) {
      const planned = local.respond(path, answer)
      expect((await fetched()).compile({ name: 'Ada' })).toBe('Hello Ada')
      planned.stop()
    }
    const nowhere = new SvcClient({ publicKey: 'p', secretKey: 's', baseUrl: 'http://127.0.0.1:1' })
    await expect(nowhere.prompt.get('away')).rejects.toThrow('did not reach')
  })

  it('a process ends although a prompt is being refreshed in the background', async () => {
    await client().prompt.create({ name: 'stale', prompt: 'Hello', labels: ['production'] })
    const path = 'GET /api/public/v2/prompts/stale'
    local.respond(path, {})
    const refresh = local.respond(path, { until: new Promise(() => {}) })
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const { code, stdout, stderr } = await runNode(['apps/prompt-refresh.mjs'], { cwd, env: local.env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'version 1\n', stderr: '' })
    refresh.stop()
  })

  it('an overloaded service that asks for a long pause is not waited for', async () => {
    const busy = local.respond('GET /api/public/v2/prompts/busy', {
      status: 503,
      headers: { 'retry-after': '60' },
      times: 2,
    })
    const { prompt } = client()
    expect((await prompt.get('busy', { fallback: 'Hello', fetchTimeoutMs: 30_000 })).prompt).toBe('Hello')
    await expect(prompt.get('busy', { fetchTimeoutMs: 30_000 })).rejects.toThrow('with no time left for a retry (30 s)')
    expect(busy.count()).toBe(2)
    busy.stop()
  })

  it('a fetch is retried as often as configured', async () => {
    const { prompt } = client()
    await prompt.create({ name: 'again', prompt: 'one', labels: ['production'] })
    const busy = local.respond('GET /api/public/v2/prompts/again', {
      status: 429,
      headers: { 'retry-after': '0.01' },
      times: 1,
    })
    expect((await prompt.get('again', { maxRetries: 1 })).prompt).toBe('one')
    expect(busy.count()).toBe(1)
  })
})
