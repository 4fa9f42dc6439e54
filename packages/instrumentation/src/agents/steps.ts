import { type Attributes, SpanKind } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, defined, entryOf, type Fields } from '../gen-ai/read.ts'
import { requestContentAttributes, responseAttributes } from '../record/write.ts'
import { modelStep } from './model-step.ts'

/** One step of a run, as a span tells it. */
export interface Step {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
}

const { OBSERVATION_TYPE, OBSERVATION_METADATA } = ATTRIBUTE

/** What the library calls `type` → how it reads. The data is complete when the step ends. */
const STEPS: Readonly<Record<string, (data: Fields) => Step>> = {
  agent: ({ name, tools, handoffs, output_type }) => ({
    name: named('invoke_agent', name),
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'invoke_agent',
      ...defined({ [GEN_AI.AGENT_NAME]: asName(name) }),
      ...metadata({ tools, handoffs, output_type }),
    },
  }),
  turn: ({ turn, agent_name }) => ({
    name: named('turn', turn),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadata({ agent: agent_name }) },
  }),
  function: ({ name, input, output }) => ({
    name: named('execute_tool', name),
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      ...defined({ [GEN_AI.TOOL_NAME]: asName(name) }),
      ...(capturesContent() && input ? requestContentAttributes({ input }) : {}),
      ...(output ? responseAttributes({ result: output }) : {}),
    },
  }),
  handoff: ({ from_agent, to_agent }) => ({
    name: named('handoff', to_agent),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadata({ from: from_agent, to: to_agent }) },
  }),
  guardrail: ({ name, triggered }) => ({
    name: named('guardrail', name),
    attributes: { [OBSERVATION_TYPE]: 'guardrail', ...metadata({ triggered }) },
  }),
  mcp_tools: ({ server, result }) => ({
    name: named('list tools', server),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadata({ tools: result }) },
  }),
  custom: ({ name, data }) => ({
    name: named('custom', name),
    attributes: { [OBSERVATION_TYPE]: 'span', ...(capturesContent() ? metadata({ data }) : {}) },
  }),
  // What was heard and said is sound, which is not recorded.
  transcription: ({ model, output }) => ({
    name: named('transcription', model),
    kind: SpanKind.CLIENT,
    attributes: { ...generation(model), ...(capturesContent() ? metadata({ transcript: output }) : {}) },
  }),
  speech: ({ model, input }) => ({
    name: named('speech', model),
    kind: SpanKind.CLIENT,
    attributes: { ...generation(model), ...(capturesContent() ? metadata({ text: input }) : {}) },
  }),
  generation: modelStep,
  response: modelStep,
}

/** What the library calls a step where the model is called. */
export const MODEL_STEPS: ReadonlySet<unknown> = new Set(['generation', 'response'])
/** Steps that say nothing: a task is what the workflow, or the agent, is. */
export const SILENT_STEPS: ReadonlySet<unknown> = new Set(['task'])

export function stepOf(data: Fields): Step {
  const type = asName(data.type) ?? 'step'
  const known = entryOf(STEPS, type)?.(data)
  return known ?? { name: named(type, data.name), attributes: { [OBSERVATION_TYPE]: 'span' } }
}

/** The whole of it: one call of `run`, or what `withTrace` was put around. */
export function workflowOf({ name, metadata: said }: Fields): Step {
  const attributes = { [OBSERVATION_TYPE]: 'chain', ...metadata(capturesContent() ? { ...Object(said) } : {}) }
  return { name: asName(name) ?? 'Agent workflow', attributes }
}

function generation(model: unknown): Attributes {
  return { [OBSERVATION_TYPE]: 'generation', ...defined({ [GEN_AI.REQUEST_MODEL]: asName(model) }) }
}

function named(operation: string, subject: unknown): string {
  return subject === undefined || subject === null ? operation : `${operation} ${asName(String(subject))}`
}

function metadata(fields: Fields): Attributes {
  const entries = Object.entries(fields).map(([key, value]) => [
    `${OBSERVATION_METADATA}.${key}`,
    value === null ? undefined : toMetadataText(value),
  ])
  return defined(Object.fromEntries(entries) as Record<string, string | undefined>)
}
