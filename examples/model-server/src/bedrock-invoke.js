import { answerTo, pieces, tokens } from './answer.js'
import { messages } from './anthropic.js'
import { converse, frameOf } from './bedrock.js'
import { chat } from './chat.js'
import * as cohere from './cohere-v1.js'
import { vectorOf } from './embeddings.js'

/** One text in, another out: the answer in each vendor's words, and what a piece of it is. */
const TEXTS = {
  titan: [
    ({ outputText, completionReason, inputTextTokenCount, tokenCount }) => ({
      inputTextTokenCount,
      results: [{ tokenCount, outputText, completionReason }],
    }),
    ({ tokenCount = null, ...said }) => ({ index: 0, totalOutputTextTokenCount: tokenCount, ...said }),
    (text, finish) => ({ outputText: text, completionReason: finish && 'FINISH' }),
    (prompt, said) => ({ inputTextTokenCount: prompt, tokenCount: said }),
  ],
  llama: [
    (said) => said,
    (said) => said,
    (text, finish) => ({ generation: text, stop_reason: finish && 'stop' }),
    (prompt, said) => ({ prompt_token_count: prompt, generation_token_count: said }),
  ],
  deepseek: [
    (said) => ({ choices: [said] }),
    (said) => ({ choices: [said] }),
    (text, finish) => ({ text, stop_reason: finish && 'stop' }),
    () => ({}),
  ],
  mistral: [
    (said) => ({ outputs: [said] }),
    (said) => ({ outputs: [said] }),
    (text, finish) => ({ text, stop_reason: finish && 'stop' }),
    () => ({}),
  ],
}

// Name of a model → what answers. Most speak a protocol that is here already.
const FAMILIES = [
  [/embed/, embed],
  [/^(\w+\.)?anthropic\.claude/, messages],
  [/^amazon\.nova/, converse],
  [/^amazon\.titan/, texts(TEXTS.titan)],
  [/^meta\.llama/, texts(TEXTS.llama)],
  [/^mistral\.mi[sx]tral-\db?/, texts(TEXTS.mistral)],
  [/^mistral\./, mistralChat],
  [/^deepseek\./, texts(TEXTS.deepseek)],
  [/^(ai21\.jamba|openai\.|qwen\.)/, chat],
  [/^cohere\.command-r/, cohere.chat],
  [/^cohere\.command/, cohere.generate],
]

/** `POST /model/<model>/invoke` and `/invoke-with-response-stream`: each model in its own words. */
export function invoke(body, serial) {
  const [, handler = unknown] = FAMILIES.find(([models]) => models.test(body.model.split('/').at(-1))) ?? []
  const { json, events, lines, frames, counts } = handler(body, serial)
  const [input, output] = counts ?? [tokens(JSON.stringify(body)), tokens(JSON.stringify(json ?? ''))]
  if (json) {
    const outputs = json.embedding || json.embeddings ? {} : { 'x-amzn-bedrock-output-token-count': String(output) }
    return { json, headers: { 'x-amzn-bedrock-input-token-count': String(input), ...outputs } }
  }
  if (frames) return { frames: chunked(frames.map(({ event: [type, data] }) => ({ [type]: data }))) }
  return { frames: chunked([...(events ?? lines)].filter((event) => typeof event === 'object')) }
}

/** Bedrock puts what it counted into the last event. */
function chunked(events) {
  return events.map((event, index) => {
    const metrics = { inputTokenCount: 11, outputTokenCount: 7, invocationLatency: 2, firstByteLatency: 1 }
    const last = index === events.length - 1 ? { 'amazon-bedrock-invocationMetrics': metrics } : {}
    const payload = JSON.stringify({ ...event, ...last })
    return Object.assign(frameOf(['chunk', { bytes: Buffer.from(payload).toString('base64') }]), { payload })
  })
}

function texts([whole, event, words, counts]) {
  return (body) => {
    const { text } = answerTo({
      model: body.model,
      prompt: body.prompt ?? body.inputText,
      lastRole: 'user',
      results: [],
    })
    const counted = counts(tokens(body.prompt ?? body.inputText), tokens(text))
    if (!body.stream) return { json: whole({ ...words(text, true), ...counted }) }
    const said = pieces(text).map((piece) => event(words(piece, null)))
    return { events: [...said, event({ ...words('', true), ...counted })] }
  }
}

/** As OpenAI has it, but for the name of what ended it, and for events that have whole messages. */
function mistralChat(body, serial) {
  const { json, events } = chat(body, serial)
  const own = ({ id, choices }) => ({
    id,
    choices: choices.map(({ index, message, delta, finish_reason }) => {
      return { index, message: message ?? delta, stop_reason: finish_reason }
    }),
  })
  return json ? { json: own(json) } : { events: [...events].map((event) => (event.choices ? own(event) : event)) }
}

function embed({ model, inputText, texts, dimensions = 8 }, serial) {
  if (!/^cohere/.test(model)) {
    return { json: { embedding: vectorOf(inputText, dimensions), inputTextTokenCount: tokens(inputText) } }
  }
  const embeddings = { float: texts.map((text) => vectorOf(text, 8)) }
  return { json: { id: `cohere-${serial}`, embeddings, texts, response_type: 'embeddings_by_type' } }
}

/** An unknown model. */
function unknown({ stream, input }) {
  const said = { done: String(input).length }
  return stream ? { events: [said, said] } : { json: said }
}
