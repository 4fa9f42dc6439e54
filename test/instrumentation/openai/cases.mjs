import { createRequire } from 'node:module'
import { observeOpenAI } from '@svc/instrumentation/openai'
import { audioCases, chatEndings, chatErrors, chatRest, fiftyChats, sound } from '../harness/chat-completions.mjs'
import { jobs } from '../harness/jobs.mjs'
import { collect, errorOf, fitting, QUESTION, SCHEMA, shapeOf, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { OpenAI }, url }, options = {}) {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more })
const about = ask(QUESTION)
const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })
const typed = { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true }
/** As the helper for zod makes it. */
const checked = (format) =>
  Object.defineProperties(format, {
    $brand: { value: 'auto-parseable-response-format' },
    $parseRaw: { value: fitting },
  })
const checkedChat = (model) =>
  ask(QUESTION, { model, response_format: checked({ type: 'json_schema', json_schema: typed }) })
const checkedResponse = (model) => ({ model, input: QUESTION, text: { format: checked({ ...typed }) } })

/** What each helper says of an answer that it does not take. */
const checkedBy = async ({ client }, model) => [
  await errorOf(helpers(client).parse(checkedChat(model))),
  await errorOf(
    helpers(client)
      .stream({ ...checkedChat(model), ...usage })
      .finalChatCompletion(),
  ),
  await errorOf(client.responses.parse(checkedResponse(model))),
  await errorOf(client.responses.stream(checkedResponse(model)).finalResponse()),
]

const bothResponses =
  (model) =>
  async ({ client }) => {
    const about = { model, input: QUESTION }
    return [
      await client.responses.create(about),
      await collect(await client.responses.create({ ...about, stream: true })),
    ]
  }

const usage = { stream_options: { include_usage: true } }
/** Up to version 4 the helpers were in beta. */
const helpers = ({ chat, beta }) => ('parse' in chat.completions ? chat.completions : beta.chat.completions)

let others = 0
const later = (exports) => connect({ exports, url: jobs.url })
const assistant = { assistant_id: 'asst_1', additional_messages: [{ role: 'user', content: WEATHER_QUESTION }] }
/** Asks for it three times, as somebody who waits does. */
const ask3 = async (ask) => [await ask(), await ask(), await ask()]

const sunny = ({ city }) => `sunny in ${city}`
function runTools(client, execute, more) {
  const tools = [{ type: 'function', function: { ...WEATHER, function: execute, parse: JSON.parse } }]
  return helpers(client).runTools({ ...weather, ...more, tools })
}

export const cases = {
  plain: ({ client }) =>
    client.chat.completions.create({
      ...about,
      messages: [{ role: 'system', content: 'Be brief.' }, ...about.messages],
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 100,
      seed: 7,
      stop: ['END'],
      user: 'u-1',
    }),
  streamed: async ({ client }) =>
    collect(await client.chat.completions.create({ ...about, ...usage, model: 'gpt-5-mini', stream: true })),
  tools: async ({ client }) => {
    const first = await client.chat.completions.create(weather)
    const [message] = first.choices.map((choice) => choice.message)
    const answers = message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'sunny' }))
    return client.chat.completions.create({ ...weather, messages: [...weather.messages, message, ...answers] })
  },
  'streamed tools': async ({ client }) =>
    collect(await client.chat.completions.create({ ...weather, ...usage, stream: true })),
  'tool runner': { since: 6, does: ({ client }) => runTools(client, sunny).finalContent() },
  'streamed tool runner': { since: 6, does: ({ client }) => runTools(client, sunny, { stream: true }).finalContent() },
  'tool runner with a tool that fails': {
    since: 6,
    does: ({ client }) => {
      const fails = () => {
        throw new Error('no weather today')
      }
      return errorOf(runTools(client, fails).done())
    },
  },
  'responses runner': {
    since: 7,
    does: async ({ client }) => {
      const { ResponsesToolRunner } = await import('openai-7/helpers/responses-tool-runner')
      const functions = [{ tool: { type: 'function', ...WEATHER, strict: true }, execute: async (args) => sunny(args) }]
      const runner = new ResponsesToolRunner({ functions })
      return (await runner.run(client, { model: 'gpt-4o-mini', input: WEATHER_QUESTION })).output_text
    },
  },
  'structured output': ({ client }) =>
    client.chat.completions.create({ ...about, response_format: { type: 'json_schema', json_schema: typed } }),
  parsed: {
    since: 5,
    does: ({ client }) =>
      helpers(client).parse({ ...about, response_format: { type: 'json_schema', json_schema: typed } }),
  },
  'error 429': ({ client }) =>
    errorOf(client.chat.completions.create({ ...about, model: 'error-429' }, { maxRetries: 2 })),
  ...chatErrors(ask),
  ...chatEndings(connect, ask, 5),
  ...chatRest(ask),
  'a response that is too long': { since: 5, does: bothResponses('truncated') },
  'a refusal by responses': { since: 5, does: bothResponses('refused') },
  'a filtered response': { since: 5, does: bothResponses('filtered') },
  'an answer that does not fit': { since: 5, does: (kit) => checkedBy(kit, 'misfit') },
  // Before it parsed what is incomplete, too.
  "a helper's check": {
    since: 6,
    does: async (kit) => [await checkedBy(kit, 'truncated'), await checkedBy(kit, 'filtered')],
  },
  helpers: async ({ client }) => {
    const promise = client.chat.completions.create(about)
    const { data, response } = await promise.withResponse()
    const raw = await client.chat.completions.create(about).asResponse()
    const [left, right] = (await client.chat.completions.create({ ...about, stream: true })).tee()
    const stream = await client.chat.completions.create({ ...about, stream: true })
    return [
      ...[shapeOf(promise), data, response.status, await raw.json(), (await promise) === data],
      ...[await collect(left), await collect(right), shapeOf(stream)],
      await new Response(stream.toReadableStream()).text(),
    ]
  },
  'stream helper': {
    since: 5,
    does: async ({ client }) => {
      const texts = []
      const stream = helpers(client)
        .stream({ ...about, ...usage })
        .on('content', (text) => texts.push(text))
      return [await stream.finalMessage(), texts]
    },
  },
  responses: {
    since: 5,
    does: ({ client }) =>
      client.responses.create({
        model: 'o4-mini',
        instructions: 'Be brief.',
        input: QUESTION,
        reasoning: { effort: 'low' },
        conversation: 'conv_1',
      }),
  },
  'streamed responses': {
    since: 5,
    does: async ({ client }) =>
      collect(await client.responses.create({ model: 'gpt-4o-mini', input: QUESTION, stream: true })),
  },
  'structured responses': {
    since: 5,
    does: ({ client }) => client.responses.parse({ model: 'gpt-4o-mini', input: QUESTION, text: { format: typed } }),
  },
  'stream helper of responses': {
    since: 5,
    does: ({ client }) => client.responses.stream({ model: 'gpt-4o-mini', input: QUESTION }).finalResponse(),
  },
  'responses made compact': {
    since: 6,
    does: ({ client }) => client.responses.compact({ model: 'gpt-4o-mini', input: QUESTION }),
  },
  completions: ({ client }) => client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: QUESTION }),
  embeddings: ({ client }) => client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] }),
  images: ({ client }) => client.images.generate({ model: 'gpt-image-1', prompt: 'A cat', size: '1024x1024' }),
  'picture edited': {
    since: 5,
    does: async ({ client, exports }) =>
      client.images.edit({ model: 'gpt-image-1', prompt: 'A blue cat', image: await sound(exports), n: 2 }),
  },
  'streamed picture': {
    since: 5,
    does: async ({ client }) =>
      collect(await client.images.generate({ model: 'gpt-image-1', prompt: 'A cat', stream: true })),
  },
  ...audioCases({ since: 5, older: '4.104', spoken: 4 }),
  'transcription as a text': {
    since: 5,
    does: async ({ client, exports }) =>
      client.audio.transcriptions.create({
        file: await sound(exports),
        model: 'whisper-test',
        response_format: 'text',
      }),
  },
  'streamed transcription': {
    since: 5,
    does: async ({ client, exports }) =>
      collect(
        await client.audio.transcriptions.create({ file: await sound(exports), model: 'whisper-test', stream: true }),
      ),
  },
  Azure: {
    since: 5,
    does: ({ exports: { AzureOpenAI }, url }) =>
      new AzureOpenAI({ endpoint: url, apiKey: 'none', apiVersion: '2024-10-21' }).chat.completions.create(about),
  },
  'a batch': {
    since: '4.104',
    does: async ({ exports }) => {
      const client = later(exports)
      const { id } = await client.batches.create({
        ...{ input_file_id: 'file-in', endpoint: '/v1/chat/completions', completion_window: '24h' },
        metadata: { plan: 'pro' },
      })
      const states = await ask3(() => client.batches.retrieve(id))
      return [states, await (await client.files.content(states[2].output_file_id)).text()]
    },
  },
  'a batch that another process began, and that failed': {
    since: '4.104',
    does: async ({ exports }) => {
      const client = later(exports)
      const id = `msg_${++others}`
      return [await client.batches.retrieve(id), await client.batches.retrieve(id)]
    },
  },
  'a response in the background': {
    since: 5,
    does: async ({ exports }) => {
      const client = later(exports)
      await client.responses.create({ model: 'gpt-4o-mini', input: QUESTION, background: true })
      return ask3(() => client.responses.retrieve('resp_1'))
    },
  },
  'what is named instead of sent': {
    since: 5,
    does: ({ client }) => {
      const file = { type: 'input_file', file_id: 'file-1' }
      return client.responses.create({
        ...{ model: 'gpt-4o-mini', previous_response_id: 'resp_0' },
        prompt: { id: 'pmpt_1', version: '2', variables: { city: 'Rome' } },
        input: [{ role: 'user', content: [file, { type: 'input_text', text: QUESTION }] }],
      })
    },
  },
  'a run of an assistant': {
    since: 5,
    does: async ({ exports }) => {
      const { runs } = later(exports).beta.threads
      const run = await runs.createAndPoll('thread_1', assistant, { pollIntervalMs: 1 })
      const tool_outputs = [{ tool_call_id: 'call_1', output: 'sunny' }]
      return [run, await runs.submitToolOutputsAndPoll(run.id, { thread_id: 'thread_1', tool_outputs })]
    },
  },
  'a streamed run of an assistant': {
    since: 5,
    does: async ({ exports }) => {
      const messages = [{ role: 'user', content: WEATHER_QUESTION, attachments: [{ file_id: 'file-1' }] }]
      const more = { instructions: 'Be brief.', thread: { messages }, stream: true }
      return collect(await later(exports).beta.threads.createAndRun({ assistant_id: 'asst_1', ...more }))
    },
  },
  '50 at once': fiftyChats(ask),
  // The last one: what it asks must not change the ids that others are given.
  'observed in code': {
    since: 7,
    does: async ({ client }) => {
      const observed = observeOpenAI(client, { generationMetadata: { plan: 'pro' }, sessionId: 's-1' })
      const { choices } = await observed.chat.completions.create({ ...weather, temperature: 0, user: 'u-1' })
      const chunks = await collect(await observed.chat.completions.create({ ...about, ...usage, stream: true }))
      const tools = [{ type: 'function', strict: false, ...WEATHER }, { type: 'web_search' }]
      const { output } = await observed.responses.create({ model: 'gpt-4o-mini', input: WEATHER_QUESTION, tools })
      const { output_text } = await observed.responses.create({ model: 'gpt-4o-mini', input: QUESTION })
      const failed = await errorOf(observed.chat.completions.create({ ...about, model: 'error-429' }))
      return [choices.length, chunks.length, output.length, output_text, failed]
    },
  },
}
