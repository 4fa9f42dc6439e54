import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Each way in which a call ends other than well, and how the cases that do it are called. */
const FAILURES: Readonly<Record<string, RegExp>> = {
  'error 4xx or 5xx': /error [45]\d\d|is missing$|that fails$/,
  'error on a stream': /error (on|in the place of) a stream|a stream (of what is missing|that fails)|within the answer/,
  'time-out': /timeout/,
  'aborted before the answer': /aborted before/,
  'aborted during the answer': /aborted (during|while)/,
  'left early': /left early/,
  'the reader throws': /reader throws/,
  'a stream that breaks': /breaks/,
  'abandoned, unread': /unread|nobody reads/,
  'abandoned, half read': /half read/,
  length: /too long/,
  schema: /does not fit/,
  refusal: /refusal/,
  // Nobody is asked after one of the input.
  guard: /guardrail(?! of the input)|filtered/,
  "helper's check": /helper's check/,
}

/** Those before which something was said. */
const AFTER_A_TOKEN = ['aborted during the answer', 'left early', 'the reader throws', 'a stream that breaks']

/** Those after which nothing more was to be said. */
const AFTER_AN_ANSWER = ['length', 'schema', 'refusal', 'guard', "helper's check"]

const AT_ONCE = 'its stream asks when it is first read'
const NO_TIME = 'its calls take no time limit'
const OWN_PROCESS = 'the model is asked by another process'
const NO_REASON = 'its answers have no finish reason'
const CHECKS_NOTHING = 'its client hands over what does not fit'
const UNCHECKED = { schema: CHECKS_NOTHING, "helper's check": CHECKS_NOTHING }
const NO_REFUSAL = 'a refusal is a text like others'
const NO_FILTER = 'its API has no word for it'
const NO_END = { schema: CHECKS_NOTHING, refusal: NO_REFUSAL, guard: NO_FILTER, "helper's check": CHECKS_NOTHING }

/** The libraries that stream, with what does not exist there, and why. Vendors of one API share a page, `compatible`. */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agents: { 'a stream that breaks': 'as an error on a stream' },
  'ai-5': {},
  'ai-6': {},
  'ai-7': {},
  anthropic: { guard: 'its filter is a refusal' },
  bedrock: { schema: CHECKS_NOTHING, refusal: NO_REFUSAL, "helper's check": CHECKS_NOTHING },
  'bedrock-agent': {
    'time-out': NO_TIME,
    length: NO_REASON,
    schema: CHECKS_NOTHING,
    refusal: NO_REFUSAL,
    "helper's check": CHECKS_NOTHING,
  },
  'claude-agent': {
    'error on a stream': OWN_PROCESS,
    'time-out': NO_TIME,
    'aborted before the answer': OWN_PROCESS,
    'a stream that breaks': OWN_PROCESS,
    'abandoned, unread': AT_ONCE,
    'abandoned, half read': 'its process goes on',
    schema: OWN_PROCESS,
    guard: 'its filter is a refusal',
    "helper's check": OWN_PROCESS,
  },
  cohere: NO_END,
  compatible: UNCHECKED,
  'google-genai': { schema: CHECKS_NOTHING, refusal: NO_REFUSAL, "helper's check": CHECKS_NOTHING },
  huggingface: { 'abandoned, unread': AT_ONCE, ...NO_END },
  langchain: {},
  'langgraph-sdk': { 'time-out': NO_TIME, length: NO_REASON, ...NO_END },
  mistral: { refusal: NO_REFUSAL, guard: NO_FILTER },
  ollama: NO_END,
  openai: {},
  openrouter: UNCHECKED,
  replicate: { 'time-out': NO_TIME, 'abandoned, unread': AT_ONCE, length: NO_REASON, ...NO_END },
  watsonx: { 'time-out': NO_TIME, 'abandoned, unread': AT_ONCE, ...NO_END },
}

it.each(Object.keys(LIBRARIES))('%s has a case for each way in which a call can fail', (library) => {
  const titles = [...casesOf(library).keys()]
  const missing = Object.keys(FAILURES).filter((failure) => !titles.some((title) => FAILURES[failure]?.test(title)))
  expect(missing).toEqual(Object.keys(LIBRARIES[library] ?? {}))
})

it.each(Object.keys(LIBRARIES))('%s: what fails after the first token keeps what was said', (library) => {
  const calls = callsOf(library, AFTER_A_TOKEN)
  expect(calls).not.toEqual([])
  const isCut = (call: string) => !/^ +output: /m.test(call) || !/^ +first token: known/m.test(call)
  expect(calls.filter((call) => / (ERROR|WARNING)\n/.test(call) && isCut(call))).toEqual([])
})

const ANSWERING = Object.keys(LIBRARIES).filter((library) => LIBRARIES[library]?.length === undefined)

it.each(ANSWERING)('%s: an answer that is not what was hoped for keeps all that was said', (library) => {
  const calls = callsOf(library, AFTER_AN_ANSWER)
  expect(calls).not.toEqual([])
  const isCut = (call: string) => {
    // Who checks each chunk fails before the last, which has the usage.
    const isStopped = / ERROR\n/.test(call) && /^ +first token: known/m.test(call)
    return ![/^ +output: /m, /finish_reasons: /, ...(isStopped ? [] : [/^ +usage: /m])].every((fact) => fact.test(call))
  }
  expect(calls.filter(isCut)).toEqual([])
})

/** The calls of the cases of some failures. */
function callsOf(library: string, failures: readonly string[]): string[] {
  return [...casesOf(library)].flatMap(([title, traces]) =>
    failures.some((failure) => FAILURES[failure]?.test(title)) ? callsIn(traces) : [],
  )
}

/** The traces of the cases on the page of a library. */
function casesOf(library: string): ReadonlyMap<string, string> {
  const page = readFileSync(new URL(`${library}/traces.txt`, import.meta.url), 'utf8')
  const sections = page.split(/^# /m).slice(1)
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]))
}

/** The calls of models in traces, each with its lines; those of agents where the models are asked elsewhere. */
function callsIn(traces: string): string[] {
  const observations = traces.split(/^(?= +[A-Z]+ )/m)
  const [models, agents] = ['GENERATION', 'AGENT'].map((type) =>
    observations.filter((observation) => observation.trimStart().startsWith(`${type} `)),
  ) as [string[], string[]]
  return models.length > 0 ? models : agents
}
