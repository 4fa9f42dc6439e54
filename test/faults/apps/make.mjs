// Ends spans named s0, s1, …, and prints how many there are by now.
import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'

const SENTENCES = ['What is it that you do here? ', 'This and that, all day. ', 'Und wer sagt das? ', 'Nobody knows. ']
const TICK_MS = 10
/** Ticks whose spans end together at most: after a pause of the machine the rest follows in later ones. */
const MOST_TICKS = 10

/** Text of a conversation: it repeats itself, as prompts do. */
export function text(length, seed) {
  let content = `${seed} `
  for (let at = seed; content.length < length; at += 1) content += SENTENCES[at % SENTENCES.length] + at.toString(36)
  return content.slice(0, length)
}

const attributes = {
  small: (n) => ({ 'svc.observation.input': text(60, n) }),
  llm: (n) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-test',
    'gen_ai.usage.input_tokens': 1_000 + (n % 100),
    'svc.observation.input': text(4_000, n),
    'svc.observation.output': text(2_000, n + 1),
  }),
  // Text that cannot be compressed.
  random: () => ({ 'svc.observation.input': randomBytes(4_500).toString('base64') }),
  huge: (n) => ({ 'svc.observation.input': text(10_000_000, n) }),
}

export function print(line) {
  writeSync(1, `${line}\n`)
}

/**
 * @param {object} plan
 * @param {number} plan.spans how many
 * @param {number} [plan.perSecond] default: all in one tick
 * @param {'small' | 'llm' | 'random' | 'huge'} [plan.size]
 * @param {number} [first] number of the first
 */
export async function makeSpans({ spans, perSecond, size = 'small' }, first = 0) {
  const tracer = trace.getTracer('svc-sdk')
  const attributesOf = attributes[size]
  const end = (n) => tracer.startSpan(`s${first + n}`, { attributes: attributesOf(first + n) }).end()
  const started = performance.now()
  let made = 0
  const inTicks = (ms) => Math.ceil(((ms + TICK_MS) * perSecond) / 1_000)
  const dueBy = (ms) => Math.min(spans, inTicks(ms), made + inTicks(MOST_TICKS * TICK_MS))
  while (made < spans) {
    const due = perSecond ? dueBy(performance.now() - started) : spans
    for (; made < due; made += 1) end(made)
    print(`made ${made}`)
    if (made < spans) await pause(TICK_MS)
  }
}
