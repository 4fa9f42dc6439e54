import type { Attributes, AttributeValue, Span } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI, GENERAL, RAW_ANSWERS } from '@svc/core/attributes'
import { chatText, SILENCE } from '../gen-ai/chat-text.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asArray, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import type { AnswerTaker, OpenRequest } from '../record/answer-taker.ts'
import { SERVICE_TIER } from './pricing.ts'
import { type AnswerContent, type AttributeDialect, CONTENT } from './streamed-output.ts'

/** Most answers below one request of the SDK that are kept: of more, the latest. */
const ANSWERS = 8

/** Added as the vendor's own client would have them. */
const FIGURES = [GEN_AI.CONVERSATION_ID, ATTRIBUTE.OBSERVATION_USAGE_DETAILS, ATTRIBUTE.OBSERVATION_COST_DETAILS]
/** Of an error beside an answer, which the schemas of the SDK do not have. */
const FAILURE = [GENERAL.ERROR_TYPE, ATTRIBUTE.OBSERVATION_LEVEL, ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]
const CITATIONS = `${ATTRIBUTE.OBSERVATION_METADATA}.citations`
const REASONING = 'ai.response.reasoning'

/**
 * The answers to the requests below one request of the AI SDK to a model. A provider makes of an answer what the SDK has
 * place for; what it leaves out is added when the span ends. What the SDK says stays.
 */
export class AnswersBelow implements AnswerTaker {
  readonly #span: Span
  readonly #open = new Set<OpenRequest>()
  readonly #answers = new Map<object, Attributes>()

  constructor(span: Span) {
    this.#span = span
  }

  follow(request: OpenRequest): void {
    this.#open.add(request)
  }

  take(name: string, value: AttributeValue, answer: object): void {
    if (name === RAW_ANSWERS) {
      this.#span.setAttribute(name, value)
      return
    }
    const known = this.#answers.get(answer)
    if (known) {
      known[name] = value
      return
    }
    this.#answers.set(answer, { [name]: value })
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= ANSWERS) break
      this.#answers.delete(oldest)
    }
  }

  /** Adds what the SDK left out. Called when its span ends: what has come by then is what was answered. */
  end(dialect: AttributeDialect, withContent: boolean): void {
    for (const request of this.#open) request.end()
    this.#open.clear()
    const { attributes: recorded } = this.#span as { readonly attributes?: Attributes }
    const answer = recorded && this.#answerOf(recorded)
    this.#answers.clear()
    if (answer) this.#span.setAttributes(missingIn(recorded, answer, dialect, withContent))
  }

  /** The one that the SDK names. Providers without an id are given one; the latest answer is theirs. */
  #answerOf(recorded: Attributes): Attributes | undefined {
    const id = recorded[GEN_AI.RESPONSE_ID]
    const answers = [...this.#answers.values()]
    return isMadeUp(id) ? answers.at(-1) : answers.find((answer) => answer[GEN_AI.RESPONSE_ID] === id)
  }
}

/** An output without reasoning is replaced by one that has it. */
function missingIn(
  recorded: Attributes,
  answer: Attributes,
  dialect: AttributeDialect,
  withContent: boolean,
): Attributes {
  const missing: Attributes = { ...aboutAnswer(recorded, answer), ...servedBy(recorded, answer) }
  const isNews = recorded[GENERAL.ERROR_TYPE] === undefined && answer[GENERAL.ERROR_TYPE] !== undefined
  const added = isNews ? [...FIGURES, ...FAILURE] : FIGURES
  for (const name of added) if (recorded[name] === undefined) missing[name] = answer[name]
  if (withContent && recorded[CITATIONS] === undefined) missing[CITATIONS] = answer[CITATIONS]
  return defined({ ...missing, ...(withContent && OUTPUT[dialect](recorded, answer)) })
}

function isMadeUp(id: unknown): boolean {
  return !id || /^ai(txt|obj)-/.test(String(id))
}

/** The SDK takes the model that was asked for the one that answered, and for reasons that it has no word for has one. */
function aboutAnswer(recorded: Attributes, answer: Attributes): Attributes {
  const { [GEN_AI.RESPONSE_MODEL]: model, [GEN_AI.RESPONSE_FINISH_REASONS]: reasons } = recorded
  const { [ATTRIBUTE.OBSERVATION_MODEL]: answering, [GEN_AI.RESPONSE_FINISH_REASONS]: given } = answer
  const about: Attributes = {}
  if (isMadeUp(recorded[GEN_AI.RESPONSE_ID])) about[GEN_AI.RESPONSE_ID] = answer[GEN_AI.RESPONSE_ID]
  if (!model || model === recorded[GEN_AI.REQUEST_MODEL]) about[GEN_AI.RESPONSE_MODEL] = answering
  if (!reasons || /^(other|unknown)?$/.test(String(reasons))) about[GEN_AI.RESPONSE_FINISH_REASONS] = given
  return about
}

/**
 * In these scopes the service reads the parameters of a call by their own names. The tier that was requested is recorded
 * before: providers without a place for the one that was served leave it.
 */
function servedBy(recorded: Attributes, answer: Attributes): Attributes {
  const served = Object.entries(asRecord(parseJson(answer[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS])))
  const named = served.map(([name, value]) => [GEN_AI.REQUEST_PREFIX + name, value] as const)
  return Object.fromEntries(
    named.filter(([name]) => name === SERVICE_TIER || recorded[name] === undefined),
  ) as Attributes
}

const OUTPUT: Readonly<Record<AttributeDialect, (recorded: Attributes, answer: Attributes) => Attributes>> = {
  ai(recorded, answer) {
    const isSilent = !ANSWERED.some((name) => recorded[name])
    if (!isSilent && (recorded[REASONING] || !hasThinking(answer))) return {}
    const whole = CONTENT.ai(contentIn(messageIn(answer)), true)
    return isSilent ? whole : { [REASONING]: whole[REASONING] }
  },
  gen_ai(recorded, answer) {
    const { [ATTRIBUTE.OBSERVATION_OUTPUT]: output } = recorded
    // A provider has failed to read the answer.
    if (output === undefined || output === SILENCE)
      return { [ATTRIBUTE.OBSERVATION_OUTPUT]: answer[ATTRIBUTE.OBSERVATION_OUTPUT] }
    if (hasThinking(recorded) || !hasThinking(answer)) return {}
    const message = messageIn(recorded)
    // The output of an application is no message of ours.
    if (message.role !== 'assistant') return {}
    return { [ATTRIBUTE.OBSERVATION_OUTPUT]: chatText([{ ...message, thinking: messageIn(answer).thinking }]) }
  },
}

const ANSWERED = ['ai.response.text', 'ai.response.toolCalls', 'ai.response.object']

/** Most answers have none, and are not parsed. */
function hasThinking({ [ATTRIBUTE.OBSERVATION_OUTPUT]: output }: Attributes): boolean {
  return String(output).includes('"thinking"')
}

function messageIn({ [ATTRIBUTE.OBSERVATION_OUTPUT]: output }: Attributes): Fields {
  return asRecord(asArray(parseJson(output))[0])
}

function contentIn({ content, thinking, tool_calls }: Fields): AnswerContent {
  const texts = (parts: unknown, name: string) =>
    asArray(parts)
      .map((part) => asString(asRecord(part)[name]) ?? '')
      .join('')
  return {
    text: asString(content) ?? texts(content, 'text'),
    reasoning: texts(thinking, 'content'),
    toolCalls: asArray(tool_calls).map((call) => {
      const { id, function: called } = asRecord(call)
      const { name, arguments: input } = asRecord(called)
      return { id: String(id), name, input: parseJson(input) }
    }),
  }
}
