// Each way in which an answer of the AI SDK ends other than by being read.
import {
  abortingFetch,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  QUESTION,
  readUntil,
  SCHEMA,
} from '../harness/kit.mjs'
import { modelThat } from './model.mjs'

const LAST = ' word'
const JSON_PIECES = ['{"city":"Par', 'is","count"']
const silent = { onError: () => {} }

const stream = (kit, ending, more) =>
  kit.exports.streamText({ model: modelThat(ending, kit), prompt: QUESTION, ...silent, ...more })
const streamObject = (kit, model, more) =>
  kit.exports.streamObject({ model, prompt: QUESTION, schema: kit.exports.jsonSchema(SCHEMA), ...silent, ...more })
// A getter that is only looked at is a branch that nobody reads.
const partsOf = (result) => ('stream' in result ? result.stream : result.fullStream)
const hangs = (connect, kit) => {
  const { signal, fetch } = abortingFetch()
  return { model: connect(kit, { fetch })('hang'), abortSignal: signal, maxRetries: 0 }
}

/** Reads the types of the parts to their end; `act` is called with each. */
async function types(parts, act = () => {}) {
  const list = []
  for await (const part of parts) {
    list.push(part.type)
    act(part)
  }
  return list
}

/** Reads pieces until one has the last word, and gives up. */
async function cancelAtLast(body) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes(LAST)) {
    const { value } = await reader.read()
    text += typeof value === 'string' ? value : decoder.decode(value)
  }
  // Some branches are cancelled for good only with the last of them.
  reader.cancel('enough').catch(() => {})
  return text
}

/** The process stays while nothing but a signal's timer, which would let it go, is to come. */
async function staying(work) {
  const timer = setInterval(() => {}, 1_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

export const leaving = {
  'left early': (kit) => readUntil(stream(kit, 'stalls').textStream, (piece) => piece === LAST),
  'a reader that is cancelled': (kit) => cancelAtLast(stream(kit, 'stalls').textStream),
  'an iterator that is returned': async (kit) => {
    const parts = partsOf(stream(kit, 'stalls'))[Symbol.asyncIterator]()
    const list = []
    for (let part; part?.text !== LAST; list.push(part.type)) part = (await parts.next()).value
    return [list, await parts.return?.()]
  },
  'a response that is cancelled': (kit) => cancelAtLast(stream(kit, 'stalls').toTextStreamResponse().body),
  'a response of messages that is cancelled': async (kit) => {
    const text = await cancelAtLast(stream(kit, 'stalls').toUIMessageStreamResponse().body)
    return text.replaceAll(/"(messageId|id)":"[^"]*"/g, '"$1":"…"')
  },
  'left before it begins': (kit) => {
    stream(kit, 'stalls').textStream.cancel()
  },
  'left, and the rest is wanted': async (kit) => {
    const result = kit.exports.streamText({ model: kit.client('gpt-4o-mini'), prompt: QUESTION })
    return [await readUntil(result.textStream, (_, { length }) => length === 2), await result.text]
  },
  'one of two branches is left': async (kit) => {
    const result = kit.exports.streamText({ model: kit.client('gpt-4o-mini'), prompt: QUESTION })
    const left = readUntil(result.textStream, (_, { length }) => length === 2)
    return [await left, await types(partsOf(result))]
  },
  'the reader throws': (kit) => failReading(partsOf(stream(kit, 'stalls'))),
  'abandoned, unread': async (kit) => typeof stream(kit, 'stalls'),
  'abandoned, half read': async (kit) => dropHalfRead(stream(kit, 'stalls').textStream),
}

export const aborting = (connect) => ({
  'aborted before the answer': async (kit) => {
    const call = { ...hangs(connect, kit), prompt: QUESTION }
    return (await errorOf(kit.exports.generateText(call))).name
  },
  'aborted before the first piece': async (kit) =>
    types(partsOf(kit.exports.streamText({ ...hangs(connect, kit), prompt: QUESTION, ...silent }))),
  'aborted while it streams': async (kit) => {
    const controller = new AbortController()
    const parts = partsOf(stream(kit, 'stalls', { abortSignal: controller.signal }))
    return types(parts, ({ text }) => text === LAST && controller.abort())
  },
  'aborted, and not read any further': async (kit) => {
    const controller = new AbortController()
    const iterator = stream(kit, 'stalls', { abortSignal: controller.signal }).textStream[Symbol.asyncIterator]()
    const read = [await iterator.next(), await iterator.next()]
    controller.abort()
    return read
  },
  'an object that is aborted': async (kit) => {
    const schema = kit.exports.jsonSchema(SCHEMA)
    const call = { ...hangs(connect, kit), prompt: QUESTION, schema }
    return (await errorOf(kit.exports.generateObject(call))).name
  },
  'a streamed object that is aborted': async (kit) => {
    const controller = new AbortController()
    const model = modelThat('stalls', kit, JSON_PIECES)
    const { partialObjectStream, object } = streamObject(kit, model, { abortSignal: controller.signal })
    // In older versions nobody ever settles it.
    object.catch(() => {})
    const seen = []
    const read = async () => {
      for await (const partial of partialObjectStream) if (seen.push(partial) && partial.city) controller.abort()
    }
    return [(await errorOf(read()))?.name, seen]
  },
  timeout: (kit) =>
    staying(async () => {
      const abortSignal = AbortSignal.timeout(50)
      const call = { model: kit.client('hang'), prompt: QUESTION, maxRetries: 0, abortSignal }
      return (await errorOf(kit.exports.generateText(call))).name
    }),
  'timeout while it streams': (kit) => {
    const controller = new AbortController()
    // On a busy machine a timer would be over before the last word.
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    const parts = partsOf(stream(kit, 'stalls', { abortSignal: controller.signal }))
    return types(parts, ({ text }) => text === LAST && controller.abort(timeout))
  },
})

/** The option has come with version 6. */
export const ownTimeouts = {
  'timeout of its own': async (kit) => {
    const call = { model: kit.client('hang'), prompt: QUESTION, maxRetries: 0, timeout: 50 }
    return (await errorOf(kit.exports.generateText(call))).name
  },
  'timeout of its own while it streams': (kit) =>
    staying(() => types(partsOf(stream(kit, 'stalls', { timeout: { chunkMs: 50 } })))),
}

export const failing = {
  'error 429': async (kit) => {
    const call = { model: kit.client('error-429'), prompt: QUESTION, maxRetries: 0 }
    const { class: name, message } = await errorOf(kit.exports.generateText(call))
    return [name, message]
  },
  'error in the place of a stream': (kit) =>
    types(
      partsOf(kit.exports.streamText({ model: kit.client('error-429'), prompt: QUESTION, maxRetries: 0, ...silent })),
    ),
  'error in the place of a streamed object': async (kit) =>
    types(streamObject(kit, kit.client('error-429'), { maxRetries: 0 }).fullStream),
  'error in the middle of a stream': (kit) => types(partsOf(stream(kit, 'fails'))),
  'error in the middle of a streamed object': (kit) =>
    types(streamObject(kit, modelThat('fails', kit, JSON_PIECES)).fullStream),
  'a stream that breaks': (kit) => errorOf(types(partsOf(stream(kit, 'breaks')))),
  'a streamed object that breaks': (kit) =>
    errorOf(types(streamObject(kit, modelThat('breaks', kit, JSON_PIECES)).fullStream)),
  'two retries': async (kit) => {
    const call = { model: kit.client('flaky'), prompt: QUESTION, maxRetries: 2 }
    return (await kit.exports.generateText(call)).text
  },
  'two retries of a stream': async (kit) => {
    const call = { model: kit.client('flaky'), prompt: QUESTION, maxRetries: 2 }
    return collect(kit.exports.streamText(call).textStream)
  },
}

/** A text and a stream of an answer that is none that was hoped for. Older packages of providers do not know a refusal. */
const both = (model) => async (kit) => {
  const asked = kit.exports.generateText({ model: kit.client(model), prompt: QUESTION })
  const told = await asked.then(
    ({ text, finishReason }) => [text, finishReason],
    ({ message }) => message,
  )
  return [told, await types(partsOf(kit.exports.streamText({ model: kit.client(model), prompt: QUESTION, ...silent })))]
}

/** What each way to an object says of an answer that has none. */
const checkedBy = (name) => async (kit) => {
  const model = kit.client(name)
  const schema = kit.exports.jsonSchema(SCHEMA, {
    validate: (value) =>
      value.city ? { success: true, value } : { success: false, error: new RangeError('city: expected a text') },
  })
  const output = kit.exports.Output.object({ schema })
  const asked = { model, prompt: QUESTION, experimental_output: output, output }
  const text = async () => {
    const result = await kit.exports.generateText(asked)
    return result.output ?? result.experimental_output
  }
  const streamedText = async () => {
    const { textStream, output } = kit.exports.streamText({ ...asked, ...silent })
    const whole = output && errorOf(output)
    await collect(textStream)
    if (whole) throw await whole
  }
  const streamed = async () => {
    const { object, partialObjectStream } = kit.exports.streamObject({ model, prompt: QUESTION, schema, ...silent })
    const whole = errorOf(object)
    await collect(partialObjectStream)
    throw await whole
  }
  const failures = []
  for (const act of [
    () => kit.exports.generateObject({ model, prompt: QUESTION, schema }),
    streamed,
    text,
    streamedText,
  ])
    failures.push(await errorOf(act()))
  return failures.map((failure) => failure?.class)
}

export const unwanted = {
  'an answer that is too long': both('truncated'),
  'a refusal': both('refused'),
  'a filtered answer': both('filtered'),
  'an answer that does not fit': checkedBy('misfit'),
  "a helper's check": checkedBy('truncated'),
}

export const objects = {
  'structured output': async (kit) => {
    const schema = kit.exports.jsonSchema(SCHEMA)
    const call = { model: kit.client('gpt-4o-mini'), prompt: QUESTION, schema }
    return (await kit.exports.generateObject(call)).object
  },
  'streamed structured output': async (kit) => {
    const result = streamObject(kit, kit.client('gpt-4o-mini'))
    return [await collect(result.partialObjectStream), await result.object, await result.usage]
  },
  'a streamed object that is left early': (kit) =>
    readUntil(
      streamObject(kit, modelThat('stalls', kit, JSON_PIECES)).partialObjectStream,
      ({ city }) => city !== undefined,
    ),
  'a streamed object nobody reads': (kit) => typeof streamObject(kit, modelThat('stalls', kit, JSON_PIECES)),
  'text with structured output, streamed': async (kit) => {
    const output = kit.exports.Output.object({ schema: kit.exports.jsonSchema(SCHEMA) })
    const call = { model: kit.client('gpt-4o-mini'), prompt: QUESTION, experimental_output: output, output }
    const result = kit.exports.streamText(call)
    return collect(result.partialOutputStream ?? result.experimental_partialOutputStream)
  },
}
