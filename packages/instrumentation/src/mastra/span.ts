import { type Context, context, type Link, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { CallSpan } from '../record/call.ts'
import { requestContentAttributes } from '../record/write.ts'

const SCOPE = '@svc/instrumentation-mastra'
const TOOL = { operation: 'execute_tool' }
const STEP = { type: 'span' }

/**
 * What is recorded of Mastra's types of spans. Of the others, what lies in them hangs from what is around them: a request
 * to a model is recorded by whoever sends it.
 */
const TYPES: Readonly<Record<string, { readonly operation?: string; readonly type?: string }>> = {
  agent_run: { operation: 'invoke_agent' },
  tool_call: TOOL,
  mcp_tool_call: TOOL,
  provider_tool_call: TOOL,
  workflow_run: { type: 'chain' },
  workflow_step: STEP,
  workflow_loop: STEP,
  workflow_parallel: STEP,
  workflow_conditional: STEP,
}
/** How a span names itself where Mastra keeps a paused run, which another process may resume. */
const PAUSED = /^([\da-f]{32})-([\da-f]{16})$/
/** The bit of a tracing policy that makes workflows internal: Mastra runs each agent as one. */
const INTERNAL_WORKFLOW = 1

/**
 * A span as `@mastra/core` asks for it. For Mastra it is one that nobody exports, so that what it returns is the same as
 * without it.
 */
export class MastraSpan {
  readonly __isNoOp = true
  // Mastra samples scorers by the id of the trace, and runs none where a span says that it is not valid.
  readonly isValid = undefined
  readonly id = undefined
  readonly traceId = undefined
  readonly externalTraceId = undefined
  readonly observabilityInstance = undefined
  readonly isInternal = false
  readonly isEvent = false
  readonly startTime = new Date()
  readonly type: unknown
  readonly name: unknown
  readonly metadata: unknown
  readonly attributes: unknown
  readonly parent: MastraSpan | undefined
  readonly tracingPolicy: unknown
  endTime: Date | undefined
  readonly #call: CallSpan | undefined
  readonly #step: string
  /** What the steps of a workflow ask a person, by their names, or what a step asks. */
  #question: unknown

  constructor(options: Fields = {}, parent?: MastraSpan) {
    this.#step = asName(options.entityName) ?? asName(options.entityId) ?? 'unknown'
    this.type = options.type
    this.name = options.name
    this.metadata = options.metadata
    this.attributes = options.attributes
    this.parent = parent?.type === undefined ? undefined : parent
    this.tracingPolicy = options.tracingPolicy ?? parent?.tracingPolicy
    this.#call = attempt('begin a span of Mastra', () => startCall(options, this.tracingPolicy, parent?.context))
  }

  get isRootSpan(): boolean {
    return this.parent === undefined
  }

  /** Undefined for the active one. */
  get context(): Context | undefined {
    return this.#call?.run(() => context.active()) ?? this.parent?.context
  }

  createChildSpan(options: Fields): MastraSpan {
    return new MastraSpan(options, this)
  }

  createEventSpan(options: Fields): MastraSpan {
    return new MastraSpan({ ...options, type: undefined }, this)
  }

  /** A step waits for a person. Mastra tells its spans that it does, but not what it asks. */
  ask(question: unknown): void {
    this.#question = question
    for (let above = this.parent; above && above.type !== 'agent_run'; above = above.parent)
      above.#question = { ...asRecord(above.#question), [this.#step]: question }
  }

  end(options?: Fields): void {
    if (this.endTime) return
    this.endTime = new Date()
    const { output, attributes } = asRecord(options)
    const { text, object, status = asRecord(attributes).status } = asRecord(output)
    const isInterrupted = status === 'suspended'
    const answer = this.type === 'agent_run' ? (object ?? text ?? output) : output
    const result = answer ?? (isInterrupted ? this.#question : undefined)
    attempt('end a span of Mastra', () => this.#call?.endWithResponse({ result, isInterrupted }))
  }

  endTree(options?: Fields): void {
    this.end(options)
  }

  error({ error, endSpan = true }: Fields): void {
    if (endSpan && this.endTime) return
    if (endSpan) this.endTime = new Date()
    attempt('end a span of Mastra', () => this.#call?.fail(error))
  }

  update(): void {}

  createTracker(): undefined {}

  exportSpan(): undefined {}

  getParentSpanId(): undefined {}

  /** Kept with a run that pauses. */
  getExportedSpanId(): string | undefined {
    const { context: inside } = this
    const recorded: SpanContext | undefined = inside && trace.getSpanContext(inside)
    return recorded && `${recorded.traceId}-${recorded.spanId}`
  }

  findParent(type: unknown): MastraSpan | undefined {
    const { parent } = this
    return parent?.type === type ? parent : parent?.findParent(type)
  }

  executeInContext<T>(work: () => T): T {
    const inside = this.context
    return inside ? context.with(inside, work) : work()
  }

  executeInContextSync<T>(work: () => T): T {
    return this.executeInContext(work)
  }
}

function startCall(options: Fields, policy: unknown, parent: Context | undefined): CallSpan | undefined {
  const kind = String(options.type)
  const recorded = own(TYPES, kind)
  if (!recorded || (kind.startsWith('workflow_') && Number(asRecord(policy).internal) & INTERNAL_WORKFLOW)) return
  const { operation, type } = recorded
  const subject = asName(options.entityName) ?? asName(options.entityId) ?? 'unknown'
  const { threadId, runId, resumedFromSpanId } = asRecord(options.metadata)
  const { toolCallId } = asRecord(options.attributes)
  const call = new CallSpan({
    scope: SCOPE,
    operation,
    kind: SpanKind.INTERNAL,
    ...(operation === TOOL.operation ? { tool: subject } : { name: operation ? `${operation} ${subject}` : subject }),
    attributes: defined({
      [ATTRIBUTE.OBSERVATION_TYPE]: type,
      [GEN_AI.AGENT_NAME]: operation === 'invoke_agent' ? subject : undefined,
      [GEN_AI.CONVERSATION_ID]: asName(threadId),
      [GEN_AI.TOOL_CALL_ID]: asName(toolCallId),
      [`${ATTRIBUTE.OBSERVATION_METADATA}.run_id`]: asName(runId),
    }),
    links: linksTo(resumedFromSpanId),
    context: parent,
  })
  if (call.recording && capturesContent())
    attempt('read what Mastra was asked', () =>
      call.setRequest(undefined, requestContentAttributes({ input: options.input })),
    )
  return call
}

function linksTo(paused: unknown): Link[] {
  const [, traceId, spanId] = PAUSED.exec(String(paused)) ?? []
  return traceId && spanId ? [{ context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } }] : []
}
