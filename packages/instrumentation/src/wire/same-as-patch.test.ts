import * as openai from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../../test/cases.ts'
import { recordSpans } from '../../test/spans.ts'
import { keepingFetch, recordedBy, recordWire, type SentRequest, sendAgain } from '../../test/wire.ts'
import { patchOpenAI } from '../openai/patch.ts'

recordSpans()
recordWire()
beforeAll(() => patchOpenAI(openai))

/**
 * Cases that end otherwise than by the last byte, whose requests call no model, or are not sent by the `fetch` that keeps
 * them. What a library knows beyond its requests stays with its patch: retries as one call, tool loops.
 */
const OTHERS = /abort|leaving|left|retr|runTools|parse|AzureOpenAI|listing|timeout|breaks|in the loop/i

const chats = Object.entries(cases).filter(([title]) => !OTHERS.test(title))

const sound = new File(['a sound'], 'sound.mp3', { type: 'audio/mpeg' })
const recording = { file: sound, model: 'whisper-test' }
const others: [title: string, { does(kit: { client: openai.OpenAI }): unknown }][] = [
  ['a picture', { does: ({ client }) => client.images.generate({ model: 'gpt-image-1', prompt: 'A cat' }) }],
  [
    'a picture that is edited',
    { does: ({ client }) => client.images.edit({ model: 'gpt-image-1', prompt: 'A blue cät', image: sound, n: 2 }) },
  ],
  [
    'speech',
    {
      does: async ({ client }) =>
        (await client.audio.speech.create({ model: 'tts-test', voice: 'alloy', input: 'Hello' })).arrayBuffer(),
    },
  ],
  [
    'a transcription',
    {
      does: ({ client }) =>
        client.audio.transcriptions.create({ ...recording, prompt: 'A proverb.', temperature: 0.5 }),
    },
  ],
  [
    'a streamed transcription',
    {
      does: async ({ client }) => {
        for await (const _ of await client.audio.transcriptions.create({ ...recording, stream: true }));
      },
    },
  ],
  ['a translation', { does: ({ client }) => client.audio.translations.create(recording) }],
]

describe.each([...chats, ...others])('openai: %s', (_, { does }) => {
  it('is recorded by the request as by the library', async () => {
    const sent: SentRequest[] = []
    const byLibrary = await recordedBy(async (url) => {
      const client = new openai.OpenAI({
        baseURL: `${url}/v1`,
        apiKey: 'none',
        fetch: keepingFetch(sent),
        maxRetries: 0,
      })
      await does({ openai, client, url })
    })
    expect(byLibrary.length).toBeGreaterThan(0)
    const byRequest = await recordedBy((url) => sendAgain(sent, url))
    expect(byRequest).toEqual(byLibrary)
  })
})
