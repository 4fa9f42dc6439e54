import { type Attributes, context, type Span } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { asName, type Fields, isObject } from '../gen-ai/read.ts'
import { metadataAttributes, outcomeText, promptAttributes } from './attributes.ts'
import { isAbortedGraph, meaningOf } from './failing.ts'
import { claimModelCall } from './model-calls.ts'
import { parentContext } from './parent.ts'
import { takePrompt, withTraceValues } from './propagated.ts'
import { classNameOf, isHidden, modelAnswer, toolAnswer } from './reading.ts'
import { Run } from './run.ts'
import { runAt } from './runs.ts'
import type { Manner, ModelQuestion, Named, ToolQuestion } from './spelling.ts'
import { streamAround } from './streams.ts'
import { TokenListener } from './token-listener.ts'
import { plainValue } from './values.ts'

/** What LangChain says of every run that starts. */
export interface Begun {
  readonly id: unknown
  readonly parentId: unknown
  readonly tags: unknown
  readonly metadata: unknown
  readonly runName: unknown
}

/** Makes spans of the runs that callbacks tell of. */
export class Recorder {
  readonly #manner: Manner

  constructor(manner: Manner) {
    this.#manner = manner
  }

  chain(begun: Begun, serialized: unknown, inputs: unknown): void {
    const name = asName(begun.runName) ?? classNameOf(serialized) ?? 'Langchain Run'
    const attributes = this.#manner.spelling.chain
    const run = this.#start(begun, {
      name,
      attributes,
      content: () => (isAwaited(inputs) ? {} : this.#manner.spelling.input(inputs)),
    })
    const prompt = promptAttributes(begun.metadata)
    if (run?.parent && prompt) run.parent.prompt = prompt
  }

  /** @param late has the inputs where they were not known at the start: streams */
  chainEnd(id: unknown, outputs: unknown, late: unknown): void {
    const run = runAt(id)
    if (run?.recording) run.learn({ ...this.#lateInput(late), ...this.#manner.spelling.output(outputs) })
    run?.end()
  }

  chainError(id: unknown, error: unknown, late: unknown): void {
    const run = runAt(id)
    if (run?.recording) run.learn(this.#lateInput(late))
    this.error(id, error)
  }

  model(begun: Begun, question: ModelQuestion): void {
    claimModelCall(context.active())
    const run = this.#start(begun, this.#manner.spelling.model(question))
    const prompt = run && (promptAttributes(begun.metadata) ?? takePrompt(run.parent))
    if (prompt) run.learn(prompt)
  }

  token(id: unknown, delta: Fields): void {
    const run = runAt(id)
    if (!run?.recording) return
    run.touchChunk()
    if (!run.tokens) {
      const tokens = new TokenListener()
      run.tokens = tokens
      run.partial = () => this.#manner.spelling.answer(tokens.answer)
    }
    if (!run.tokens.add(delta) || run.spoken) return
    run.spoken = true
    run.learn({ [ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]: JSON.stringify(new Date()) })
  }

  modelEnd(id: unknown, result: unknown): void {
    const run = runAt(id)
    if (run?.recording) run.learn(this.#manner.spelling.answer(modelAnswer(result)))
    run?.end()
  }

  tool(begun: Begun, question: ToolQuestion): void {
    this.#start(begun, this.#manner.spelling.tool(question), true)
  }

  toolEnd(id: unknown, output: unknown): void {
    const run = runAt(id)
    const { result, callId } = toolAnswer(output)
    if (run?.recording) run.learn(this.#manner.spelling.result(plainValue(result), callId))
    run?.end()
  }

  retriever(begun: Begun, serialized: unknown, query: unknown): void {
    const name = asName(begun.runName) ?? classNameOf(serialized) ?? 'Langchain Run'
    const attributes = this.#manner.spelling.retriever
    this.#start(begun, { name, attributes, content: () => this.#manner.spelling.input(query) })
  }

  retrieverEnd(id: unknown, documents: unknown): void {
    const run = runAt(id)
    if (run?.recording) run.learn(this.#manner.spelling.output(documents))
    run?.end()
  }

  /** An agent tells of its actions under the id of its own run: they are spans below it. */
  agentAction(id: unknown, action: unknown): void {
    const run = runAt(id)
    if (!run || run.ended) return
    const name = asName(Reflect.get(Object(action), 'tool')) ?? 'Langchain Run'
    const attributes = { [ATTRIBUTE.OBSERVATION_TYPE]: 'span', ...this.#manner.spelling.input(action) }
    run.act(this.#manner.tracer().startSpan(name, { attributes }, run.context))
  }

  agentEnd(id: unknown, finish: unknown): void {
    runAt(id)?.act(undefined, (action: Span) => action.setAttributes(this.#manner.spelling.output(finish)))
  }

  error(id: unknown, told: unknown): void {
    const run = runAt(id)
    if (!run) return
    const error = isAbortedGraph(told) ? (run.failedBelow ?? told) : told
    const meaning = meaningOf(error)
    if (run.parent && meaning !== 'control flow') run.parent.failedBelow = error
    if (meaning === 'failed') run.failWith(error)
    else if (meaning === 'cancelled') run.end('cancelled')
    else {
      run.learn(outcomeText(error))
      run.end()
    }
  }

  #lateInput(late: unknown): Attributes {
    const inputs: unknown = Reflect.get(Object(late), 'inputs')
    return inputs === undefined ? {} : this.#manner.spelling.input(inputs)
  }

  /** Two handlers may tell of the same run: the first one counts. */
  #start(
    { id, parentId, tags, metadata }: Begun,
    { name, attributes, content }: Named,
    isTool = false,
  ): Run | undefined {
    if (typeof id !== 'string' || runAt(id)) return undefined
    const { trace, finished, spelling } = this.#manner
    const parent = runAt(parentId)
    const around = parentContext(parent)
    const run = new Run({
      id,
      parent,
      tracer: this.#manner.tracer(),
      name,
      attributes: isHidden(tags) ? { ...attributes, [ATTRIBUTE.OBSERVATION_LEVEL]: 'DEBUG' } : attributes,
      context: parentId === undefined ? withTraceValues(around, trace, tags, metadata) : around,
      isTool,
      finished,
      describe: spelling.failure,
    })
    streamAround(context.active())?.add(run)
    if (run.recording) run.learn({ ...metadataAttributes(metadata, tags, spelling.stores), ...content?.() })
    return run
  }
}

/** What LangChain says of the inputs of a stream before they have arrived. */
function isAwaited(inputs: unknown): boolean {
  return isObject(inputs) && inputs.input === '' && Object.keys(inputs).length === 1
}
