import { type Attributes, context } from '@opentelemetry/api'
import { ATTRIBUTE, RAW_ANSWERS } from '@svc/core/attributes'
import { SILENCE } from '../gen-ai/chat-text.ts'
import { asName, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import type { AnswerTaker } from '../record/answer-taker.ts'
import { INTERRUPTED } from '../record/outcome.ts'
import type {
  AttributeMapping,
  ModelRequest,
  RunRecorderOptions,
  SpanDescription,
  ToolRequest,
} from './attribute-mapping.ts'
import { outcomeText, promptAttributes, runMetadata } from './attributes.ts'
import { markModelCallRecorded } from './model-calls.ts'
import { parentContextOf } from './parent.ts'
import { distinctQuestions, questionOf, questionsIn, withQuestions } from './pauses.ts'
import { isHidden, readClassName, readModelResponse, readToolResult } from './read-run.ts'
import { LangChainRun } from './run.ts'
import { classifyError, isAbortedGraph } from './run-error.ts'
import { getRun } from './runs.ts'
import { streamInContext } from './streams.ts'
import { TokenAccumulator } from './token-accumulator.ts'
import { takePrompt, withTraceValues } from './trace-values.ts'
import { plainValue } from './values.ts'

/** What LangChain passes for every run that starts. */
export interface RunInfo {
  readonly id: unknown
  readonly parentId: unknown
  readonly tags: unknown
  readonly metadata: unknown
  readonly runName: unknown
}

/** Creates spans for runs from callbacks. */
export class RunRecorder {
  readonly #options: RunRecorderOptions

  constructor(options: RunRecorderOptions) {
    this.#options = options
  }

  chain(info: RunInfo, serialized: unknown, inputs: unknown): void {
    const name = asName(info.runName) ?? readClassName(serialized) ?? 'Langchain Run'
    const attributes = this.#options.mapping.chainAttributes
    const run = this.#start(info, {
      name,
      attributes,
      content: () => (isPlaceholder(inputs) ? {} : this.#options.mapping.inputAttributes(inputs)),
    })
    const prompt = promptAttributes(info.metadata)
    if (run?.parent && prompt) run.parent.prompt = prompt
  }

  /** @param late contains the inputs if they were unknown at the start: streams */
  chainEnd(id: unknown, outputs: unknown, late: unknown): void {
    const run = getRun(id)
    if (run?.recording)
      run.setAttributes({
        ...this.#lateInput(late),
        ...this.#options.mapping.outputAttributes(withQuestions(outputs, run)),
        ...(run.questions && INTERRUPTED),
      })
    run?.end()
  }

  chainError(id: unknown, error: unknown, late: unknown): void {
    const run = getRun(id)
    if (run?.recording) run.setAttributes(this.#lateInput(late))
    this.error(id, error)
  }

  model(info: RunInfo, request: ModelRequest): void {
    const { mapping } = this.#options
    const run = this.#start(info, mapping.modelAttributes(request))
    markModelCallRecorded(context.active(), run?.recording ? takerOf(run, mapping) : undefined)
    const prompt = run && (promptAttributes(info.metadata) ?? takePrompt(run.parent))
    if (prompt) run.setAttributes(prompt)
  }

  token(id: unknown, delta: Fields): void {
    const run = getRun(id)
    if (!run?.recording) return
    run.touchChunk()
    if (!run.tokens) {
      const tokens = new TokenAccumulator()
      run.tokens = tokens
      run.partial = () => this.#options.mapping.responseAttributes(tokens.response)
    }
    if (!run.tokens.add(delta) || run.hasOutput) return
    run.hasOutput = true
    run.setAttributes({ [ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]: JSON.stringify(new Date()) })
  }

  modelEnd(id: unknown, result: unknown): void {
    const run = getRun(id)
    run?.readAnswers()
    if (run?.recording) run.setAttributes(this.#options.mapping.responseAttributes(readModelResponse(result)))
    run?.end()
  }

  tool(info: RunInfo, request: ToolRequest): void {
    getRun(info.parentId)?.toolStarted(request.name)
    this.#start(info, this.#options.mapping.toolAttributes(request), true)
  }

  toolEnd(id: unknown, output: unknown): void {
    const run = getRun(id)
    const { result, callId } = readToolResult(output)
    if (run?.recording) run.setAttributes(this.#options.mapping.toolResultAttributes(plainValue(result), callId))
    run?.end()
  }

  retriever(info: RunInfo, serialized: unknown, query: unknown): void {
    const name = asName(info.runName) ?? readClassName(serialized) ?? 'Langchain Run'
    const attributes = this.#options.mapping.retrieverAttributes
    this.#start(info, { name, attributes, content: () => this.#options.mapping.inputAttributes(query) })
  }

  retrieverEnd(id: unknown, documents: unknown): void {
    const run = getRun(id)
    if (run?.recording) run.setAttributes(this.#options.mapping.outputAttributes(documents))
    run?.end()
  }

  /**
   * LangChain reports an action under the id of the agent's run, and then the run of its tool. Only an action without a
   * tool is a span of its own.
   */
  agentAction(id: unknown, action: unknown): void {
    const run = getRun(id)
    if (!run || run.ended) return
    const name = asName(Reflect.get(Object(action), 'tool')) ?? 'Langchain Run'
    const attributes = { [ATTRIBUTE.OBSERVATION_TYPE]: 'span', ...this.#options.mapping.inputAttributes(action) }
    const options = { attributes, startTime: performance.now() }
    const { context } = run
    run.actionDecided({ name, record: () => this.#options.getTracer().startSpan(name, options, context).end() })
  }

  agentEnd(id: unknown): void {
    getRun(id)?.recordActions()
  }

  error(id: unknown, thrown: unknown): void {
    const run = getRun(id)
    if (!run) return
    const error = isAbortedGraph(thrown) ? (run.failedBelow ?? thrown) : thrown
    const meaning = classifyError(error)
    if (run.parent && meaning !== 'control flow') run.parent.failedBelow = error
    if (meaning === 'failed') run.failWith(error)
    else if (meaning === 'cancelled') run.end('cancelled')
    else {
      run.setAttributes(this.#controlFlow(run, error))
      run.end()
    }
  }

  /** LangGraph throws to jump, which is not an error, and to pause until a person has answered. */
  #controlFlow(run: LangChainRun, error: unknown): Attributes {
    const questions = questionsIn(error)
    if (!questions) return outcomeText(error)
    run.questions = questions
    // A task of a workflow asks beside the workflow that waits for it.
    if (run.parent) run.parent.questions = distinctQuestions([...(run.parent.questions ?? []), ...questions])
    return { ...this.#options.mapping.outputAttributes(questionOf(questions)), ...INTERRUPTED }
  }

  #lateInput(late: unknown): Attributes {
    const inputs: unknown = Reflect.get(Object(late), 'inputs')
    return inputs === undefined ? {} : this.#options.mapping.inputAttributes(inputs)
  }

  /** Two handlers may report the same run: the first one counts. */
  #start(
    { id, parentId, tags, metadata }: RunInfo,
    { name, attributes, content }: SpanDescription,
    isTool = false,
  ): LangChainRun | undefined {
    if (typeof id !== 'string' || getRun(id)) return undefined
    const { trace, onRunEnd, mapping } = this.#options
    const parent = getRun(parentId)
    const around = parentContextOf(parent)
    const run = new LangChainRun({
      id,
      parent,
      tracer: this.#options.getTracer(),
      name,
      attributes: isHidden(tags) ? { ...attributes, [ATTRIBUTE.OBSERVATION_LEVEL]: 'DEBUG' } : attributes,
      context: parentId === undefined ? withTraceValues(around, trace, tags, metadata) : around,
      isTool,
      thread: asRecord(metadata).thread_id,
      onEnd: onRunEnd,
      describeError: mapping.describeError,
      describeOutput: mapping.outputAttributes,
    })
    streamInContext(context.active())?.add(run)
    if (run.recording) run.setAttributes({ ...runMetadata(metadata, tags, mapping.storesMetadata), ...content?.() })
    return run
  }
}

function takerOf(run: LangChainRun, { ofClients, ofClient = (_, value) => value }: AttributeMapping): AnswerTaker {
  return {
    follow: (request) => run.follow(request),
    take(name, value) {
      if ((name === RAW_ANSWERS || ofClients.includes(name)) && value !== SILENCE)
        run.setAttributes({ [name]: ofClient(name, value) })
    },
  }
}

/** Returns whether this is LangChain's placeholder for the inputs of a stream that have not arrived. */
function isPlaceholder(inputs: unknown): boolean {
  return isObject(inputs) && inputs.input === '' && Object.keys(inputs).length === 1
}
