/** A module for applications that calls a model: an answer, and one as a stream. */
export const MODEL = `import OpenAI from 'openai'
let client
const create = (content, more) =>
  (client ??= new OpenAI()).chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content }], ...more })
export const ask = async (content) => (await create(content)).choices[0].message.content
export const streamed = (content) =>
  new ReadableStream({
    async start(controller) {
      const chunks = await create(content, { stream: true, stream_options: { include_usage: true } })
      for await (const { choices } of chunks) controller.enqueue(new TextEncoder().encode(choices[0]?.delta.content ?? ''))
      controller.close()
    },
  })
`
