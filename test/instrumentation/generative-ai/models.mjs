import { collect, errorOf, fiftyAtOnce, QUESTION, readUntil, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

const weather = { tools: [{ functionDeclarations: [WEATHER] }] }

const systemInstruction = { role: 'system', parts: [{ text: 'Be brief.' }] }

/** What one gets beside a stream, once it has been read. */
const pair = async ({ stream, response }) => [(await collect(stream)).length, (await response).candidates]

/** What Google's two earlier clients have in common: `client.model(parameters)` gives one of their models. */
export const modelCases = {
  plain: ({ client }) =>
    client
      .model({
        systemInstruction,
        generationConfig: { temperature: 0.5, topP: 0.9, topK: 40, maxOutputTokens: 100, stopSequences: ['END'] },
      })
      .generateContent(QUESTION),
  'a request': ({ client }) =>
    client.model().generateContent({
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      generationConfig: { temperature: 0.1 },
    }),
  streamed: async ({ client }) => pair(await client.model().generateContentStream(QUESTION)),
  // Before, the response of a stream has no usage.
  'streamed, the response alone': {
    since: '0.24',
    does: async ({ client }) => (await (await client.model().generateContentStream(QUESTION)).response).candidates,
  },
  'left early': {
    since: '0.24',
    does: async ({ client }) =>
      readUntil((await client.model().generateContentStream(QUESTION)).stream, (_, { length }) => length === 2),
  },
  tools: async ({ client }) => {
    const model = client.model(weather)
    const { response } = await model.generateContent(WEATHER_QUESTION)
    const { content } = response.candidates[0]
    const answers = content.parts.map(({ functionCall: { name } }) => ({
      functionResponse: { name, response: { output: 'sunny' } },
    }))
    const question = { role: 'user', parts: [{ text: WEATHER_QUESTION }] }
    return model.generateContent({ contents: [question, content, { role: 'function', parts: answers }] })
  },
  'streamed tools': async ({ client }) => pair(await client.model(weather).generateContentStream(WEATHER_QUESTION)),
  chat: async ({ client }) => {
    const chat = client.model({ systemInstruction }).startChat({ generationConfig: { temperature: 0.2 } })
    const first = await chat.sendMessage('Who are you?')
    return [first.response.candidates, await pair(await chat.sendMessageStream(QUESTION)), await chat.getHistory()]
  },
  'error 429': ({ client }) => errorOf(client.model({ model: 'error-429' }).generateContent(QUESTION)),
  'error on a stream': ({ client }) => errorOf(client.model({ model: 'error-400' }).generateContentStream(QUESTION)),
  'error in a chat': ({ client }) => errorOf(client.model({ model: 'error-400' }).startChat().sendMessage(QUESTION)),
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = `Question ${number}?`
      if (Number(number) % 2) return (await client.model().generateContent(question)).response.candidates
      return pair(await client.model().generateContentStream(question))
    }),
}
