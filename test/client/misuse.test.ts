import { SvcClient, SvcMedia, type SvcPromptClient } from '@svc/client'
import { SvcSpanProcessor } from '@svc/otel'
import { describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

// Plain JavaScript may pass anything: one sentence names the value and what is expected, and nothing is sent.
const bench = useBench()
const media = () => new SvcMedia({ source: 'bytes', contentBytes: new Uint8Array([1]), contentType: 'image/png' })

// biome-ignore lint/suspicious/noExplicitAny: anything is given, that is the point.
type Call = (client: SvcClient, given: any) => Promise<unknown>
const create: Call = (client, body) => client.prompt.create(body)
const update: Call = (client, body) => client.prompt.update(body)
const get: Call = (client, [name, options]: [never, never]) => client.prompt.get(name, options)
const createItem: Call = (client, body) => client.dataset.createItem(body)
const scores: Call = async (client, list) => client.api.scores.create(list)
const upload: Call = (client, [piece, place]: [never, never]) => client.media.upload(piece, place)
const resolve: Call = (client, params) => client.media.resolveReferences(params)

describe('an invalid client call rejects with one sentence:', () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  it.each<[Call, unknown, string]>([
    [create, undefined, 'prompt.create needs { name, prompt }: got undefined.'],
    [create, {}, 'prompt.create needs a name (a string): got undefined.'],
    [
      create,
      { name: 'p', prompt: messages },
      /a prompt that is a string \(.+ type: 'chat'\): got a list of 1\.$/ as never,
    ],
    [create, { name: 'p', type: 'chat', prompt: 'Hi' }, /a prompt that is a list of messages: got "Hi"\.$/ as never],
    [
      create,
      { name: '..', prompt: 'Hi' },
      'POST /api/public/v2/prompts needs a name that an address can have: got "..".',
    ],
    [
      createItem,
      { datasetName: 'd', id: '.' },
      'POST /api/public/dataset-items needs an id that an address can have: got ".".',
    ],
    [
      (client, body) => client.api.datasets.create(body).then(),
      { name: '..' },
      'POST /api/public/v2/datasets needs a name that an address can have: got "..".',
    ],
    [update, undefined, 'prompt.update needs a name (a string): got undefined.'],
    [update, { version: 'x' }, 'prompt.update needs a name (a string): got undefined.'],
    [update, { name: 'p', version: 'x' }, 'prompt.update needs a version that is a whole number: got "x".'],
    [update, { name: 'p', version: 1 }, 'prompt.update needs newLabels that are a list of strings: got undefined.'],
    [get, [], 'prompt.get needs the name of a prompt: got undefined.'],
    [
      (client, version) => client.prompt.delete('p', version),
      3,
      'prompt.delete needs options such as prompt.delete("p", { version: 3 }): got 3.',
    ],
    [
      (client, version) => client.dataset.get('d', version),
      new Date(0),
      'dataset.get needs options such as dataset.get("d", { version: "1970-01-01T00:00:00.000Z" }): got a value of type object.',
    ],
    [
      (client, version) => client.api.prompts.delete('p', version).then(),
      3,
      'DELETE /api/public/v2/prompts/{promptName} needs a request that is an object, after its ids: got 3.',
    ],
    [
      (client, options) => client.api.projects.get(options).then(),
      5,
      'GET /api/public/projects needs a request that is an object, after its ids: got 5.',
    ],
    [createItem, undefined, 'dataset.createItem needs a datasetName (a string): got undefined.'],
    [createItem, {}, 'dataset.createItem needs a datasetName (a string): got undefined.'],
    [scores, [], 'POST /api/public/scores needs a list that is not empty: got a list of 0.'],
    [
      scores,
      { name: 'n', value: 1 },
      'POST /api/public/scores needs a list that is not empty: got a value of type object.',
    ],
    [upload, [], 'media.upload needs an SvcMedia: got undefined.'],
    [upload, [media()], "media.upload needs a place with the field: { field: 'input', … }: got undefined."],
    [resolve, undefined, 'media.resolveReferences needs { obj, resolveWith }: got undefined.'],
    [resolve, {}, 'media.resolveReferences needs { obj, resolveWith }: got a value of type object.'],
  ])('%o with %j', async (call, given, sentence) => {
    const before = bench.local.calls().length
    const rejected = expect(call(bench.client(), given)).rejects
    await rejected.toThrow(TypeError)
    expect(bench.local.calls()).toHaveLength(before)
    await expect(call(bench.client(), given)).rejects.toThrow(
      typeof sentence === 'string' ? `svc: ${sentence}` : sentence,
    )
  })
})

describe('a prompt fallback of another type than requested', () => {
  it.each([
    ['chat', 'Judge.', 'svc: prompt.get needs for type "chat" a fallback that is a list of messages: got "Judge.".'],
    ['text', [], 'svc: prompt.get needs for type "text" a fallback that is a string: got a list of 0.'],
    [undefined, {}, 'svc: prompt.get needs for type "text" a fallback that is a string: got a value of type object.'],
  ])('is an error: type %j with %j', async (type, fallback, sentence) => {
    await expect(bench.client().prompt.get('missing', { type, fallback } as never)).rejects.toThrow(sentence)
  })

  it('is accepted without a requested type', async () => {
    const get = (fallback: unknown): Promise<SvcPromptClient> =>
      bench.client().prompt.get('missing', { fallback, maxRetries: 0 } as never)
    expect([(await get('Judge.')).type, (await get([{ role: 'user', content: 'Judge.' }])).type]).toEqual([
      'text',
      'chat',
    ])
  })
})

describe('invalid client options are ignored with a warning:', () => {
  it.each([
    [null, 'null'],
    ['pk-1', '"pk-1"'],
    [[], 'a list of 0'],
  ])('new SvcClient(%j)', async (given, shown) => {
    await new SvcClient(given as never).shutdown()
    expect(bench.logged().join()).toContain(`the options of SvcClient are ignored: expected an object, got ${shown}.`)
  })

  const keys = { publicKey: 'pk', secretKey: 'sk' }
  it.each([
    ['SvcSpanProcessor', (env: never) => new SvcSpanProcessor({ ...keys, env })],
    ['SvcClient', (env: never) => new SvcClient({ ...keys, env })],
  ])('new %s({ env: process.env })', async (_, make) => {
    await make(process.env as never).shutdown()
    expect(bench.logged().join()).toContain(
      'option env = a value of type object is ignored: expected a function, (name) => process.env[name].',
    )
  })
})
