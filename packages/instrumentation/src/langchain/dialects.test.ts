import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DialectServer, recordedBy, startDialectServer } from '../../test/dialect-server.ts'
import { ABOUT, DIALECTS } from '../../test/dialects.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { patchOpenAI } from '../openai/patch.ts'
import { instrumentLangChain } from './instrument.ts'

let server: DialectServer
recordSpans()
beforeAll(async () => {
  server = await startDialectServer()
})
afterAll(() => server.close())

/** The clients of both majors, as the tests of libraries have them installed. */
const CLIENTS = ['v0', 'v1'].map((version) => {
  const tests = fileURLToPath(new URL(`../../../../test/instrumentation/langchain/${version}/`, import.meta.url))
  const load = createRequire(tests)
  for (const name of ['callbacks/manager', 'language_models/chat_models']) {
    instrumentLangChain(load(`@langchain/core/${name}`))
  }
  patchOpenAI(createRequire(load.resolve('@langchain/openai'))('openai'))
  return [version, load('@langchain/openai').ChatOpenAI] as const
})
const ways = CLIENTS.flatMap(([version, ChatOpenAI]) =>
  [false, true].map((stream) => ({ version, ChatOpenAI, stream, way: stream ? 'streamed' : 'whole' })),
)

describe.each(Object.entries(DIALECTS))('%s', (name, { expected }) => {
  it.each(ways)('$way, by ChatOpenAI of $version', async ({ ChatOpenAI, stream }) => {
    forgetSpans()
    const model = new ChatOpenAI({
      model: 'model-test',
      apiKey: 'none',
      configuration: { baseURL: server.urlOf(name) },
    })
    if (stream) for await (const _ of await model.stream('How is the weather?'));
    else await model.invoke('How is the weather?')
    expect(finishedSpans().map(({ attributes }) => recordedBy(attributes))).toEqual([{ ...ABOUT, ...expected }])
  })
})
