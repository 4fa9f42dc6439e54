// Cases of the libraries that speak the Chat Completions protocol. `connect` makes a client, `ask` a request.
import { once } from 'node:events'
import {
  abortingFetch,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  fiftyAtOnce,
  QUESTION,
  readUntil,
  SCHEMA,
  shapeOf,
  WEATHER,
  WEATHER_QUESTION,
} from './kit.mjs'

/**
 * What every library with the protocol has.
 *
 * @param ownFetch the version from which on it calls the global `fetch`, and no longer node-fetch
 */
export function chatCases(connect, ask, ownFetch) {
  const about = ask(QUESTION)
  const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })
  const typed = { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA } }
  return {
    plain: ({ client }) => client.chat.completions.create({ ...about, temperature: 0.5, max_tokens: 100 }),
    streamed: async ({ client }) => collect(await client.chat.completions.create({ ...about, stream: true })),
    tools: ({ client }) => client.chat.completions.create(weather),
    'streamed tools': async ({ client }) => collect(await client.chat.completions.create({ ...weather, stream: true })),
    'structured output': ({ client }) => client.chat.completions.create({ ...about, response_format: typed }),
    'error 429': ({ client }) =>
      errorOf(client.chat.completions.create({ ...about, model: 'error-429' }, { maxRetries: 1 })),
    ...chatErrors(ask),
    ...chatEndings(connect, ask, ownFetch),
    ...chatRest(ask),
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
  }
}

/** What goes wrong before there is an answer. */
export function chatErrors(ask) {
  const about = ask(QUESTION)
  return {
    'error on a stream': ({ client }) =>
      errorOf(client.chat.completions.create({ ...about, model: 'error-400', stream: true })),
    'error nobody handles': async ({ client }) => {
      client.chat.completions.create({ ...about, model: 'error-401' })
      await once(process, 'unhandledRejection')
    },
    'two retries': ({ client }) => client.chat.completions.create({ ...about, model: 'flaky' }, { maxRetries: 2 }),
  }
}

/**
 * Sound to text, and text to sound.
 *
 * @param since the version from which on a form can be read when it is sent
 * @param older that from which on it says at least the same in each
 * @param spoken that from which on there is speech
 */
export function audioCases({ since, older, spoken }) {
  const transcribe = async ({ client, exports }) =>
    client.audio.transcriptions.create({ file: await sound(exports), model: 'whisper-test', prompt: 'A proverb.' })
  return {
    transcription: { since, does: transcribe },
    ...(older !== undefined
      ? { 'transcription by an older version': { since: older, before: since, does: transcribe } }
      : {}),
    translation: {
      since,
      does: async ({ client, exports }) =>
        client.audio.translations.create({ file: await sound(exports), model: 'whisper-test', temperature: 0.5 }),
    },
    speech: {
      since: spoken,
      does: async ({ client }) => {
        const answer = await client.audio.speech.create({ model: 'tts-test', voice: 'alloy', input: QUESTION })
        return [answer.constructor.name, answer.status, Buffer.from(await answer.arrayBuffer()).toString('hex')]
      },
    },
  }
}

export function sound({ toFile }) {
  return toFile(Buffer.from('a sound'), 'sound.mp3')
}

/** Each way in which an answer is not read to its end. */
export function chatEndings(connect, ask, ownFetch) {
  const about = ask(QUESTION)
  const breaks = async ({ client }) =>
    breakOf(await client.chat.completions.create({ ...about, model: 'cut', stream: true }))
  return {
    timeout: ({ client }) =>
      errorOf(client.chat.completions.create({ ...about, model: 'hang' }, { timeout: 50, maxRetries: 0 })),
    'timeout of a signal': ({ client }) => {
      const options = { signal: AbortSignal.timeout(50), maxRetries: 0 }
      return errorOf(client.chat.completions.create({ ...about, model: 'hang' }, options))
    },
    'aborted before the answer': ({ exports, url }) => {
      const { signal, fetch } = abortingFetch()
      return errorOf(
        connect({ exports, url }, { fetch }).chat.completions.create({ ...about, model: 'hang' }, { signal }),
      )
    },
    'aborted during the answer': async ({ client }) => {
      const stream = await client.chat.completions.create({ ...about, model: 'stall', stream: true })
      return readUntil(stream, ({ choices: [{ delta }] }) => {
        if (delta.content === ' word') stream.controller.abort()
      })
    },
    'left early': async ({ client }) => {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      return readUntil(stream, (_, { length }) => length === 3)
    },
    'the reader throws': async ({ client }) =>
      failReading(await client.chat.completions.create({ ...about, stream: true })),
    'a stream that breaks': { since: ownFetch, does: breaks },
    'a stream of node-fetch that breaks': { before: ownFetch, does: breaks },
    'abandoned, unread': async ({ client }) =>
      shapeOf(await client.chat.completions.create({ ...about, stream: true })),
    'abandoned, half read': async ({ client }) =>
      dropHalfRead(await client.chat.completions.create({ ...about, stream: true })),
  }
}

/** Answers that are cut short, refused or filtered, whole and streamed. The client hands them over. */
export function chatRest(ask) {
  const both =
    (model) =>
    async ({ client }) => {
      const about = { ...ask(QUESTION), model }
      const streamed = { ...about, stream: true, stream_options: { include_usage: true } }
      return [
        await client.chat.completions.create(about),
        await collect(await client.chat.completions.create(streamed)),
      ]
    }
  return {
    'an answer that is too long': both('truncated'),
    'a refusal': both('refused'),
    'a filtered answer': both('filtered'),
  }
}

/** Fifty calls at once, every other one a stream. */
export function fiftyChats(ask) {
  return ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.chat.completions.create(question)).choices[0].message
      return (await collect(await client.chat.completions.create({ ...question, stream: true }))).length
    })
}
