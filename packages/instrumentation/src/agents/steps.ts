import { type Attributes, type Link, SpanKind } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, defined, type Fields } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { requestContentAttributes, responseAttributes } from '../record/write.ts'
import { describeModelStep } from './model-step.ts'

/** Describes the span of one step. */
export interface StepDescription {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
  readonly links?: Link[]
}

const OBSERVATION_TYPE = ATTRIBUTE.OBSERVATION_TYPE

/** Maps the library's step types to descriptions. The data is complete when the step ends. */
const STEPS: Readonly<Record<string, (data: Fields) => StepDescription>> = {
  agent: ({ name, tools, handoffs, output_type }) => ({
    name: stepName('invoke_agent', name),
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'invoke_agent',
      ...defined({ [GEN_AI.AGENT_NAME]: asName(name) }),
      ...metadataAttributes({ tools, handoffs, output_type }),
    },
  }),
  turn: ({ turn, agent_name }) => ({
    name: stepName('turn', turn),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadataAttributes({ agent: agent_name }) },
  }),
  function: ({ name, input, output }) => ({
    name: stepName('execute_tool', name),
    attributes: {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      ...defined({ [GEN_AI.TOOL_NAME]: asName(name) }),
      ...(capturesContent() && input ? requestContentAttributes({ input }) : {}),
      ...(output ? responseAttributes({ result: output }) : {}),
    },
  }),
  handoff: ({ from_agent, to_agent }) => ({
    name: stepName('handoff', to_agent),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadataAttributes({ from: from_agent, to: to_agent }) },
  }),
  guardrail: ({ name, triggered }) => ({
    name: stepName('guardrail', name),
    attributes: { [OBSERVATION_TYPE]: 'guardrail', ...metadataAttributes({ triggered }) },
  }),
  mcp_tools: ({ server, result }) => ({
    name: stepName('list tools', server),
    attributes: { [OBSERVATION_TYPE]: 'span', ...metadataAttributes({ tools: result }) },
  }),
  custom: ({ name, data }) => ({
    name: stepName('custom', name),
    attributes: { [OBSERVATION_TYPE]: 'span', ...(capturesContent() ? metadataAttributes({ data }) : {}) },
  }),
  // Input and output are audio, which is not recorded.
  transcription: ({ model, output }) => ({
    name: stepName('transcription', model),
    kind: SpanKind.CLIENT,
    attributes: {
      ...generationAttributes(model),
      ...(capturesContent() ? metadataAttributes({ transcript: output }) : {}),
    },
  }),
  speech: ({ model, input }) => ({
    name: stepName('speech', model),
    kind: SpanKind.CLIENT,
    attributes: { ...generationAttributes(model), ...(capturesContent() ? metadataAttributes({ text: input }) : {}) },
  }),
  generation: describeModelStep,
  response: describeModelStep,
}

/** Types of steps that call a model. */
export const MODEL_STEPS: ReadonlySet<unknown> = new Set(['generation', 'response'])
/** Types of steps without a span: a task is the same as its workflow or agent. */
export const IGNORED_STEPS: ReadonlySet<unknown> = new Set(['task'])

export function describeStep(data: Fields): StepDescription {
  const type = asName(data.type) ?? 'step'
  const description = own(STEPS, type)?.(data)
  return description ?? { name: stepName(type, data.name), attributes: { [OBSERVATION_TYPE]: 'span' } }
}

/** Describes a workflow: one call of `run`, or of `withTrace`. */
export function describeWorkflow({ name, metadata: traceMetadata, traceId }: Fields): StepDescription {
  const attributes = {
    [OBSERVATION_TYPE]: 'chain',
    ...metadataAttributes(capturesContent() ? { ...Object(traceMetadata) } : {}),
    ...runId(traceId),
  }
  return { name: asName(name) ?? 'Agent workflow', attributes }
}

/** The library's trace of a run, by which the run that resumes it is found. */
export const runId = (traceId: unknown): Attributes => metadataAttributes({ run_id: traceId })

function generationAttributes(model: unknown): Attributes {
  return { [OBSERVATION_TYPE]: 'generation', ...defined({ [GEN_AI.REQUEST_MODEL]: asName(model) }) }
}

function stepName(operation: string, subject: unknown): string {
  return subject === undefined || subject === null ? operation : `${operation} ${asName(String(subject))}`
}
