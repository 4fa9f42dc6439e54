import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { followRuns } from '@svc/instrumentation/langchain'
import { instrumentOpenAI } from '@svc/instrumentation/openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DialectServer, recordedBy, startDialectServer } from '../../instrumentation/test/dialect-server.ts'
import { ABOUT, DIALECTS } from '../../instrumentation/test/dialects.ts'
import { useRecording } from '../test/support.ts'
import { CallbackHandler } from './index.ts'

const { attributes } = useRecording()
let server: DialectServer
beforeAll(async () => {
  server = await startDialectServer()
})
afterAll(() => server.close())

/** The client as the tests of libraries have it installed. */
const tests = fileURLToPath(new URL('../../../test/instrumentation/langchain/v1/', import.meta.url))
const load = createRequire(tests)
followRuns({
  ...load('@langchain/core/language_models/chat_models'),
  ...load('@langchain/core/singletons'),
  ...load('@langchain/core/utils/stream'),
})
instrumentOpenAI(createRequire(load.resolve('@langchain/openai'))('openai'))
const { ChatOpenAI } = load('@langchain/openai')

describe.each(Object.entries(DIALECTS))('%s', (name, { expected }) => {
  it.each(['whole', 'streamed'])('%s, by the handler', async (way) => {
    const configuration = { baseURL: server.urlOf(name) }
    const model = new ChatOpenAI({ model: 'model-test', apiKey: 'none', configuration })
    const callbacks = [new CallbackHandler()]
    if (way === 'streamed') for await (const _ of await model.stream('How is the weather?', { callbacks }));
    else await model.invoke('How is the weather?', { callbacks })
    const { text, thinking, calls, usage, ...facts } = { ...ABOUT, ...expected }
    const recorded = attributes('ChatOpenAI')
    const { usage: counted, ...others } = recordedBy(recorded)
    expect(others).toEqual(facts)
    // In the words of version 5, which has LangChain's for kinds of tokens.
    expect(Object.values(counted).sort()).toEqual(Object.values(usage).sort())
    expect(Object.keys(counted).join()).not.toMatch(/cached_tokens|reasoning_tokens/)
    for (const fact of [text, thinking, calls && 'weather'])
      expect(String(recorded['svc.observation.output'])).toContain(fact ?? '')
  })
})
