import type { Heading } from './members.ts'
import { table } from './table.ts'

/** Packages of version 5 that were moved into another one, with the same exports. */
export const MOVED_PACKAGES = table<string>({
  '@svc/openai': '@svc/instrumentation/openai',
  '@svc/vercel-ai-sdk': '@svc/instrumentation/ai-sdk',
})

const API = '@svc/client/api'

const LOGGER = ['configureGlobalLogger', 'createLogger', 'getGlobalLogger', 'LogLevel', 'resetGlobalLogger', 'Logger']
const TRACING = [
  'SvcOtelSpanAttributes',
  'propagateAttributes',
  'PropagateAttributesParams',
  'getSvcTracer',
  'getSvcTracerProvider',
  'setSvcTracerProvider',
]
const CLIENT = ['SvcMedia', 'SvcMediaParams', 'ParsedMediaReference']

/**
 * Returns the module of version 6 for a name that `@svc/core` exported. Two packages export the logger; the one that
 * the app has is used.
 */
export function homeOfCoreName(name: string, installed: ReadonlySet<string>): string {
  const hasOnlyTracing = installed.has('@svc/tracing') && !installed.has('@svc/client')
  if (LOGGER.includes(name)) return hasOnlyTracing ? '@svc/tracing' : '@svc/client'
  if (TRACING.includes(name)) return '@svc/tracing'
  return CLIENT.includes(name) ? '@svc/client' : API
}

/** Names that were renamed in version 6. */
export const RENAMED = table<string>({ Error: 'BadRequestError' })

/** Members of namespaces that are separate exports in version 6. */
export const UNWRAPPED = table<Readonly<Record<string, string>>>({
  Prompt: { Chat: 'ChatPrompt', Text: 'TextPrompt' },
  legacy: {
    CreateScoreRequest: 'CreateScoreRequest',
    CreateScoreResponse: 'CreateScoreResponse',
    CreateScoreSource: 'CreateScoreSource',
  },
})

/** The message for an import of a removed name. */
export interface GoneName {
  readonly heading: Heading
  readonly instead: string
}

const trace =
  'Input and output are those of the root observation; everything else is propagated by propagateAttributes.'
const types = (instead: string, names: string) =>
  Object.fromEntries(names.split(/\s+/).map((name): [string, GoneName] => [name, { heading: 'types', instead }]))

export const GONE_NAMES = table<GoneName>({
  createTraceAttributes: { heading: 'input-and-output-of-a-trace', instead: trace },
  updateActiveTrace: { heading: 'input-and-output-of-a-trace', instead: trace },
  SvcTraceAttributes: { heading: 'input-and-output-of-a-trace', instead: trace },
  LinkDatasetItemFunction: { heading: 'itemlink', instead: 'Use dataset.runExperiment({ name, task, evaluators }).' },
  ...types(
    'Traces and sessions are read as observations: ObservationV2.',
    'Trace TraceWithDetails TraceWithFullDetails Traces Sort Session SessionWithTraces PaginatedSessions ' +
      'Observation Observations ObservationsView ObservationsViewSingle ObservationsViews MapValue Usage Deprecation',
  ),
  ...types(
    'Scores are read as ScoreV3.',
    'Score BaseScore NumericScore BooleanScore CategoricalScore CorrectionScore TextScore CreateScoreValue ScoreV1 ' +
      'BaseScoreV1 NumericScoreV1 BooleanScoreV1 CategoricalScoreV1 TextScoreV1 GetScoresResponse GetScoresResponseData ' +
      'GetScoresResponseTraceData GetScoresResponseDataNumeric GetScoresResponseDataCategorical ' +
      'GetScoresResponseDataBoolean GetScoresResponseDataCorrection GetScoresResponseDataText',
  ),
  ...types(
    'Dataset runs are experiments: Experiment, ExperimentItem.',
    'DatasetRun DatasetRunItem DatasetRunWithItems CreateDatasetRunItemRequest PaginatedDatasetRunItems ' +
      'PaginatedDatasetRuns DeleteDatasetRunResponse',
  ),
  ...types(
    'Traces go by OpenTelemetry: @svc/tracing.',
    'IngestionEvent IngestionUsage IngestionSuccess IngestionError IngestionResponse ObservationType OpenAIUsage ' +
      'OptionalObservationBody CreateEventBody UpdateEventBody CreateSpanBody UpdateSpanBody CreateGenerationBody ' +
      'UpdateGenerationBody ObservationBody TraceBody SDKLogBody BaseEvent TraceEvent CreateObservationEvent ' +
      'UpdateObservationEvent ScoreEvent SDKLogEvent CreateGenerationEvent UpdateGenerationEvent CreateSpanEvent ' +
      'UpdateSpanEvent CreateEventEvent OpenAICompletionUsageSchema OpenAIResponseUsageSchema UsageDetails',
  ),
  ...types('Metrics are read by api.metrics.metrics.', 'MetricsResponse'),
  ...types(
    'The types of evaluators and rules are others.',
    'EvaluationRuleTarget EvaluationRuleStatus EvaluationRuleBase EvaluationRules LegacyEvaluationRule ' +
      'ReadableEvaluationRule CreateEvaluationRuleWithEvaluatorsRequest CreateLlmAsJudgeEvaluationRuleRequest ' +
      'CreateCodeEvaluationRuleRequest EvaluationRuleEvaluatorReference LlmAsJudgeEvaluationRuleEvaluatorReference ' +
      'CodeEvaluationRuleEvaluatorReference LlmAsJudgeEvaluatorType EvaluationRuleEvaluator ' +
      'EvaluationRuleEvaluatorAssignment LegacyEvaluationRuleEvaluatorAssignment EvaluationRuleTimeScope ' +
      'LegacyEvaluationRuleTarget LegacyEvaluationRuleMapping LegacyEvaluationObject ' +
      'CreateEvaluationRuleEvaluatorAssignment CreateEvaluationRuleEvaluatorReference Evaluators',
  ),
})
