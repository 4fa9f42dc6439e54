// Names of version 5 that version 6 keeps. Compiled and run by types.test.ts.
import {
  type SvcBrowserClient,
  type SvcBrowserScoreBody,
  type SvcBrowserScoreResult,
  SvcScoreDataType,
} from '@svc/browser'
import {
  type CreateChatPromptBodyWithPlaceholders,
  type RegressionErrorMessageOptions,
  type RegressionErrorMetricOptions,
  type RegressionErrorOptions,
  type RunnerContextExperimentParams,
  type RunnerContextOptions,
  ScoreDataType,
  type SvcClientParams,
} from '@svc/client'
import { AnnotationQueueStatus, DatasetStatus, EvaluatorType, MediaContentType } from '@svc/client/api'
import type { SvcPrompt } from '@svc/instrumentation/ai-sdk'
import { observeOpenAI, type SvcConfig } from '@svc/instrumentation/openai'
import {
  type PropagatedPromptInput,
  type StartActiveObservationContext,
  type StartActiveObservationOpts,
  type StartObservationOptions,
  type StartObservationOpts,
  type SvcAgentAttributes,
  type SvcChainAttributes,
  type SvcEmbeddingAttributes,
  type SvcEvaluatorAttributes,
  type SvcEventAttributes,
  type SvcGuardrailAttributes,
  type SvcObservationType,
  SvcOtelSpanAttributes,
  type SvcRetrieverAttributes,
  type SvcToolAttributes,
  startActiveObservation,
  startObservation,
} from '@svc/tracing'
import OpenAI from 'openai'

// What is a value is one at run time too.
const queued: AnnotationQueueStatus = AnnotationQueueStatus.Pending
const active: DatasetStatus = DatasetStatus.Active
const png: MediaContentType = MediaContentType.ImagePng
const judge: EvaluatorType = EvaluatorType.LlmAsJudge
const userKeys: SvcOtelSpanAttributes[] = [
  SvcOtelSpanAttributes.TRACE_USER_ID,
  SvcOtelSpanAttributes.TRACE_COMPAT_USER_ID,
  SvcOtelSpanAttributes.TRACE_COMPAT_SESSION_ID,
]
// One attribute is a type, as a member of an enum is; the other names are not of it.
export const traceName: SvcOtelSpanAttributes.TRACE_NAME = SvcOtelSpanAttributes.TRACE_NAME
// @ts-expect-error this is another attribute
export const otherName: SvcOtelSpanAttributes.TRACE_NAME = SvcOtelSpanAttributes.TRACE_TAGS
export const byAttribute: Partial<Record<SvcOtelSpanAttributes, string>> = { [SvcOtelSpanAttributes.RELEASE]: '1' }
const dataTypes: SvcScoreDataType[] = [SvcScoreDataType.Numeric, ScoreDataType.Boolean]
console.log(JSON.stringify([queued, active, png, judge, ...userKeys, ...dataTypes]))

export const params: SvcClientParams = { publicKey: 'pk', secretKey: 'sk' }
export async function scored(client: SvcBrowserClient, body: SvcBrowserScoreBody): Promise<SvcBrowserScoreResult> {
  return client.score(body)
}
const prompt: SvcPrompt = { name: 'p', version: 1 }
const config: SvcConfig = { traceName: 'answer', svcPrompt: prompt }
export const openai = () => observeOpenAI(new OpenAI(), config)
export function observations(parent: StartObservationOptions, propagated: PropagatedPromptInput) {
  const type: SvcObservationType = 'tool'
  const options: StartObservationOpts = { ...parent, asType: type }
  const context: StartActiveObservationContext = { endOnExit: false }
  const active: StartActiveObservationOpts = { ...context, asType: 'agent' }
  const span: SvcEventAttributes &
    SvcAgentAttributes &
    SvcToolAttributes &
    SvcChainAttributes &
    SvcRetrieverAttributes &
    SvcEvaluatorAttributes &
    SvcGuardrailAttributes = { input: propagated }
  const model: SvcEmbeddingAttributes = { ...span, model: 'm' }
  startObservation('embed', model, { asType: 'embedding' })
  startObservation('tool', span, options)
  return startActiveObservation('agent', () => 1, active)
}
export type Kept = [
  CreateChatPromptBodyWithPlaceholders,
  RegressionErrorOptions,
  RegressionErrorMessageOptions,
  RegressionErrorMetricOptions,
  RunnerContextOptions,
  RunnerContextExperimentParams,
]
