// What the "model" says: a function of the prompt, so that a test or a demo can expect it.
import { fromSchema } from './schema.js'

const SENTENCES = [
  'The short version: it depends, but less than people think.',
  'Start with the smallest thing that could work and measure it.',
  'There are three parts to it, and the second one matters most.',
  'Yes, as long as somebody keeps an eye on it.',
  'Not yet. Ask again when the data is in.',
]
const STORY = [
  'Once there was a small lighthouse at the end of a long pier.',
  'Every evening it counted the boats as they came home, and every evening the number was right.',
  'One night a fog came in, thick as wool, and the lighthouse counted one boat too few.',
  'So it turned its lamp slowly, once, twice, a third time, and waited.',
  'Far out a lantern answered, and the last boat followed the light all the way to the harbour.',
  'The keeper wrote the number in her book, blew out the lamp, and went to bed.',
].join(' ')
const REASONING = 'The user wants a short answer, so I will keep it short.'
export const REASONING_TOKENS = 16

/** How an answer ends other than by itself, by the end of the model's name. */
const ENDS = /(?:^|[.-])(truncated|filtered|refused)$/

/**
 * @typedef {{ model: string, prompt: string, lastRole: string, results: string[], tools?: object[], schema?: object,
 *   variant?: number }} Question
 * @param {Question} question
 * @returns {{ text: string, calls: { name: string, arguments: string }[], reasoning?: string,
 *   end?: 'truncated' | 'filtered' | 'refused' }}
 */
export function answerTo(question) {
  const end = ENDS.exec(question.model)?.[1]
  const answer = wholeAnswerTo(question)
  if (!end) return answer
  if (end === 'refused') return { text: 'I cannot help with that.', calls: [], end }
  return { ...answer, text: answer.text.slice(0, answer.text.length / 2), end }
}

/** @param {Question} question */
function wholeAnswerTo({ model, prompt, lastRole, results, tools = [], schema, variant = 0 }) {
  const reasoning = isReasoning(model) ? REASONING : undefined
  const tool = tools[0]
  if (tool && lastRole === 'user' && /weather/i.test(prompt))
    return { text: '', calls: callsOf(tool, prompt), reasoning }
  if (schema) {
    const value = /(^|[.-])misfit$/.test(model) ? { other: 'value' } : fromSchema(schema)
    return { text: JSON.stringify(value), calls: [], reasoning }
  }
  if (results.length > 0) return { text: `Here is what I found: ${results.join('; ')}.`, calls: [], reasoning }
  if (/(^|[.-])(slow|stall)$/.test(model))
    return { text: 'one word after another '.repeat(10).trim(), calls: [], reasoning }
  if (/\bstory\b/i.test(prompt)) return { text: STORY, calls: [], reasoning }
  const sentence = SENTENCES[(hash(prompt) + variant) % SENTENCES.length]
  return { text: `You asked "${prompt.slice(0, 60)}". ${sentence}`, calls: [], reasoning }
}

/** The pieces a streaming answer comes in: words with their blanks. */
export const pieces = (text) => text.match(/\s*\S+/g) ?? []

/** The text of a message's content, which is a text or a list of parts. */
export function textOf(content) {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => part?.text ?? '').join('') : ''
}

/** About four characters a token, as a rule of thumb has it. */
export const tokens = (text) => Math.ceil(text.length / 4)

export const isReasoning = (model) => /^(o\d|gpt-5)/.test(model)

/** A number derived from the text, the same every time. */
export function hash(text) {
  let value = 0
  for (const character of text) value = (value * 31 + character.codePointAt(0)) >>> 0
  return value
}

function callsOf(tool, prompt) {
  const definition = tool.function ?? tool
  const parameter = Object.keys(definition.parameters?.properties ?? { city: {} })[0] ?? 'city'
  const cities = prompt.match(/\bin ([A-Z]\p{L}+(?:(?:,| and) [A-Z]\p{L}+)*)/u)?.[1]?.split(/, | and /) ?? ['Berlin']
  return cities.map((city) => ({ name: definition.name, arguments: JSON.stringify({ [parameter]: city }) }))
}
