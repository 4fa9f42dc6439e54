import { setTimeout as wait } from 'node:timers/promises'
import { errorOf, QUESTION, WEATHER } from '../harness/kit.mjs'

const classic = { before: 1 }

export const parts = {
  'a vector store': ({ exports: { Document, VectorStore } }) => {
    class Notes extends VectorStore {
      _vectorstoreType() {
        return 'notes'
      }
      async similaritySearchVectorWithScore() {
        return [[new Document({ pageContent: 'A span has a beginning and an end.', metadata: { page: 1 } }), 0.9]]
      }
    }
    return new Notes({ embedQuery: async () => [1, 2, 3] }, {}).asRetriever(1).invoke(QUESTION)
  },
  'a batch in which one fails': async ({ exports: { RunnableLambda } }) => {
    const halve = RunnableLambda.from(async (number) => {
      await wait(5 * number)
      if (number % 2) throw new RangeError(`${number} is odd`)
      return number / 2
    })
    const results = await halve.batch([2, 3, 4], { maxConcurrency: 1 }, { returnExceptions: true })
    return results.map((result) => result.message ?? result)
  },
  'structured output by a tool': async ({ client }) => {
    const schema = { title: 'weather', ...WEATHER, ...WEATHER.parameters }
    return client
      .withStructuredOutput(schema, { method: 'functionCalling', name: 'weather' })
      .invoke('How is the weather in Paris?')
  },
  'timeout of a run': {
    since: 1,
    does: async ({ exports: { RunnableLambda } }) => {
      const slow = RunnableLambda.from(() => wait(500)).withConfig({ runName: 'slow' })
      return (await errorOf(slow.invoke(QUESTION, { timeout: 30 }))).name
    },
  },
  'a fallback': ({ exports: { RunnableLambda } }) => {
    const broken = RunnableLambda.from(async () => {
      await wait(2)
      throw new RangeError('not here')
    })
    return broken.withFallbacks({ fallbacks: [RunnableLambda.from(() => 'instead')] }).invoke(QUESTION)
  },
  'a chain of the first kind': {
    ...classic,
    does: ({ exports: { ChatPromptTemplate, LLMChain }, client }) =>
      new LLMChain({ llm: client, prompt: ChatPromptTemplate.fromTemplate('{question}') }).invoke({
        question: QUESTION,
      }),
  },
}
