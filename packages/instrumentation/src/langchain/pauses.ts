import type { Link, SpanContext } from '@opentelemetry/api'
import { asName, asRecord } from '../gen-ai/read.ts'
import type { LangChainRun } from './run.ts'

/** Most questions of one run. */
const QUESTIONS = 128

/** Most threads with a paused run that are remembered. */
const THREADS = 1_000

/** The paused runs, by LangGraph's threads. */
const paused = new Map<string, SpanContext>()

/**
 * Returns what a graph asks, from the error that LangGraph throws to pause it, empty at a breakpoint; undefined for other
 * errors.
 */
export function questionsIn(thrown: unknown): readonly unknown[] | undefined {
  const { interrupts } = asRecord(thrown)
  return Array.isArray(interrupts) ? interrupts : undefined
}

/**
 * Returns what a graph asks, from a chunk of its stream. At a breakpoint (`interruptBefore`) that is all that LangGraph
 * tells. A chunk may stand behind the mode of the stream and the path of a subgraph.
 */
export function questionsInChunk(chunk: unknown): readonly unknown[] | undefined {
  const { __interrupt__: questions } = asRecord(Array.isArray(chunk) ? chunk.at(-1) : chunk)
  return Array.isArray(questions) ? questions : undefined
}

/** Returns the questions once each: several runs may report them. */
export function distinctQuestions(questions: readonly unknown[]): readonly unknown[] {
  const byId = new Map(questions.map((each) => [asName(asRecord(each).id) ?? each, each]))
  return [...byId.values()].slice(0, QUESTIONS)
}

/** What a node asked, as its output. */
export function questionOf(questions: readonly unknown[]): unknown {
  const values = questions.map((each) => asRecord(each).value)
  return values.length > 1 ? values : values[0]
}

/** The output of a paused graph, as the application gets it, without the ids that each run makes anew. */
export function withQuestions(outputs: unknown, { questions }: LangChainRun): unknown {
  if (!questions) return outputs
  return { ...asRecord(outputs), __interrupt__: questions.map((each) => ({ value: asRecord(each).value })) }
}

/** Remembers the outermost run of a thread that pauses. */
export function pausedAt(thread: unknown, run: SpanContext): void {
  const name = asName(thread)
  if (name === undefined) return
  paused.delete(name)
  paused.set(name, run)
  for (const oldest of paused.keys()) {
    if (paused.size <= THREADS) break
    paused.delete(oldest)
  }
}

/** Returns the link of a run to the paused one that it resumes. */
export function linksOfThread(thread: unknown): Link[] {
  const name = asName(thread)
  const before = name === undefined ? undefined : paused.get(name)
  if (name === undefined || !before) return []
  paused.delete(name)
  return [{ context: before }]
}
