import type { OpenAI } from 'openai'
import { describe, expect, it, vi } from 'vitest'
import { cases } from '../../test/cases.ts'
import type { Models } from '../../test/models.ts'
import { recordSpans } from '../../test/spans.ts'
import { loadTwice, type RecordedCall, recordedBy, recordWire } from '../../test/wire.ts'
import { PATCHES } from '../patches.ts'

recordSpans()
recordWire()
const { plain, patched } = loadTwice(import.meta.url, 'openai')
PATCHES.openai(patched)

const sound = new File(['a sound'], 'sound.mp3', { type: 'audio/mpeg' })
const recording = { file: sound, model: 'whisper-test' }
const more: Readonly<Record<string, (client: OpenAI, server: Models) => unknown>> = {
  'a picture': (client) => client.images.generate({ model: 'gpt-image-1', prompt: 'A cat' }),
  'a picture that is edited': (client) =>
    client.images.edit({ model: 'gpt-image-1', prompt: 'A blue cät', image: sound, n: 2 }),
  speech: async (client) =>
    (await client.audio.speech.create({ model: 'tts-test', voice: 'alloy', input: 'Hello' })).arrayBuffer(),
  'a transcription': (client) =>
    client.audio.transcriptions.create({ ...recording, prompt: 'A proverb.', temperature: 0.5 }),
  'a streamed transcription': async (client) => {
    for await (const _ of await client.audio.transcriptions.create({ ...recording, stream: true }));
  },
  'a translation': (client) => client.audio.translations.create(recording),
  'a rate limit, and a retry': (client) =>
    client.embeddings
      .create({ model: 'error-429', input: 'a' }, { maxRetries: 1 })
      .catch(({ status }) => expect(status).toBe(429)),
  'a broken answer': (client) =>
    expect(client.responses.create({ model: 'cut', input: 'Hi' }, { maxRetries: 0 })).rejects.toThrow(),
  'an abort before the answer': async (client, { requests }) => {
    const controller = new AbortController()
    const { signal } = controller
    const asked = client.chat.completions.create(
      { model: 'hang', messages: [{ role: 'user', content: 'Hi' }] },
      { signal },
    )
    await vi.waitUntil(async () => (await requests()) > 0, 60_000)
    controller.abort()
    await expect(asked).rejects.toThrow('aborted')
  },
}

/**
 * Some whose requests may not have left yet: of these nothing is recorded. Else the timer of the library ends one as its
 * caller does, and it is cancelled.
 */
const RACES = ['aborting before the answer', 'a timeout']

const failed = (message: string) => expect.objectContaining({ status: { code: 2, message } })
const all = expect.objectContaining({
  attributes: expect.objectContaining({ 'svc.observation.output': expect.stringContaining('less than people think') }),
})
/** What requests say otherwise than the library, which is told to say the same of all else. */
const OTHERWISE: Readonly<Record<string, (byLibrary: RecordedCall[]) => unknown[]>> = {
  // Each request is a call.
  'two retries': (byLibrary) => [failed('Try again'), failed('Try again'), ...byLibrary],
  'a rate limit, and a retry': (byLibrary) => [...byLibrary, ...byLibrary],
  // Agents and tools are no requests.
  runTools: (byLibrary) => byLibrary.filter(({ name }) => name.startsWith('chat ')),
  // An answer that had arrived whole is whole, however much of it was read.
  'leaving the loop': () => [all],
  'an error in the loop': () => [all],
  'leaving a streamed response': () => [all],
}

const titles = [...Object.keys(cases).filter((title) => !RACES.includes(title)), ...Object.keys(more)]

describe.each(titles)('openai: %s', (title) => {
  const { does, spans } = cases[title] ?? {}
  const recorded = (openai: typeof plain, count: number) =>
    recordedBy(async (server) => {
      const { url } = server
      const client = new openai.OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
      await (does?.({ openai, client, url }) ?? more[title]?.(client, server))
    }, count)

  it('is recorded by the request as by the library', async () => {
    const byLibrary = await recorded(patched, spans?.length ?? 1)
    const expected = OTHERWISE[title]?.(byLibrary) ?? byLibrary
    expect(await recorded(plain, expected.length)).toEqual(expected)
  })
})
