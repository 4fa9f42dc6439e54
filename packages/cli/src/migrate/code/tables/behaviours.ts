import type { Heading } from './members.ts'

/** Something that compiles but behaves differently in version 6. */
export interface Behaviour {
  readonly heading: Heading
  /** Rows of the table below that heading in docs/migrating-from-v5.md, by their first column. */
  readonly rows: readonly string[]
  readonly message: string
}

/**
 * `uses` names what an app uses: the member of a client (`score.create`), a module with an export (`@svc/otel
 * SvcSpanProcessor`), or a whole module.
 */
export const BEHAVIOURS: readonly (Behaviour & { readonly uses: readonly string[] })[] = [
  {
    heading: 'scores-and-calls-of-the-api',
    uses: ['score.create', 'score.observation', 'score.trace'],
    rows: ['Scores', 'A score without a trace, session or run', 'Scores that cannot be delivered'],
    message: 'Scores are sent as arrays to POST /api/public/scores; one without a trace, session or run is dropped.',
  },
  {
    heading: 'scores-and-calls-of-the-api',
    uses: ['prompt.create', 'prompt.update', 'createPrompt', 'updatePrompt'],
    rows: ['The prompt cache after a change', 'Invalid calls (`prompt.create()`, `api.scores.create([])`)'],
    message: 'A changed prompt is removed from the cache by its exact name; an invalid call is a TypeError.',
  },
  {
    heading: 'experiments-and-evaluators',
    uses: ['experiment.run', 'dataset.get', 'getDataset'],
    rows: ['Items of an experiment', 'Ids of dataset experiments', 'Evaluators of an experiment'],
    message:
      'Each item of an experiment is a trace, its id is derived from its names, and evaluators have an environment.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/otel SvcSpanProcessor'],
    rows: ['Span batches', '`x-svc-ingestion-version`', '`mask`'],
    message: 'Spans are sent as gzipped protobuf with x-svc-ingestion-version 4; mask gets each value decoded.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/openai', '@svc/openai observeOpenAI', '@svc/instrumentation/openai observeOpenAI'],
    rows: ['`observeOpenAI`', 'Calls of a client that is not observed'],
    message: 'Each tool call is recorded separately. The preload also records clients that are not observed.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/vercel-ai-sdk SvcVercelAiSdkIntegration', '@svc/instrumentation/ai-sdk SvcVercelAiSdkIntegration'],
    rows: ['Calls of the AI SDK'],
    message: 'Keys of runtimeContext become metadata, as JSON.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/langchain CallbackHandler'],
    rows: ['Runs of LangChain', '`CallbackHandler` of LangChain'],
    message: 'A cancelled run is a warning, and what LangGraph throws to interrupt or to jump is not an error.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/tracing startObservation', '@svc/tracing startActiveObservation', '@svc/tracing observe'],
    rows: ['Metadata on spans'],
    message: 'Metadata is JSON on the span, strings included: custom processors have to JSON.parse it.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/tracing startObservation', '@svc/tracing observe'],
    rows: ['An observation of the kind `event`', 'A stream that is not read to its end'],
    message: 'An event has no update. The span of a stream that is not read to its end has the chunks that were read.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/tracing propagateAttributes', '@svc/core propagateAttributes'],
    rows: ['Metadata that is propagated'],
    message: 'Propagated metadata may be any JSON value of at most 200 characters: 198 for a string.',
  },
  {
    heading: 'experiments-and-evaluators',
    uses: ['@svc/client', '@svc/tracing', '@svc/otel'],
    rows: ['Judging a trace by a model'],
    message: 'Trace-level evaluators of the service have to be changed to observations.',
  },
]
