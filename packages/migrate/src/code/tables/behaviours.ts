import type { Heading } from './members.ts'

/** Something that compiles and behaves otherwise in version 6, for apps that use it. */
export interface Behaviour {
  readonly heading: Heading
  /** Rows of the table below that heading in docs/migrating-from-v5.md, by their first column. */
  readonly rows: readonly string[]
  readonly says: string
}

/**
 * By what an app uses: the member of a client (`score.create`), or a module with one of its names (`@svc/otel
 * SvcSpanProcessor`), or a module as a whole.
 */
export const BEHAVIOURS: readonly (Behaviour & { readonly uses: readonly string[] })[] = [
  {
    heading: 'scores-and-calls-of-the-api',
    uses: ['score.create', 'score.observation', 'score.trace'],
    rows: ['Scores', 'A score of no trace, session or run', 'Scores that cannot be delivered'],
    says: 'Scores go as lists to POST /api/public/scores; one without trace, session or run is refused.',
  },
  {
    heading: 'scores-and-calls-of-the-api',
    uses: ['prompt.create', 'prompt.update', 'createPrompt', 'updatePrompt'],
    rows: [
      'The prompt cache after a change',
      'Calls that cannot mean anything (`prompt.create()`, `api.scores.create([])`)',
    ],
    says: 'A changed prompt leaves the cache under exactly its name; a call without sense is a TypeError.',
  },
  {
    heading: 'experiments-and-evaluators',
    uses: ['experiment.run', 'dataset.get', 'getDataset'],
    rows: ['Items of an experiment', 'Ids of experiments over a dataset', 'Evaluators of an experiment'],
    says: 'Items of an experiment are a trace each, its id follows from its names, and evaluators have their environment.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/otel SvcSpanProcessor'],
    rows: ['Span batches', '`x-svc-ingestion-version`', '`mask`'],
    says: 'Spans go as gzipped protobuf with x-svc-ingestion-version 4; mask sees each value decoded.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/openai', '@svc/openai observeOpenAI', '@svc/instrumentation/openai observeOpenAI'],
    rows: ['`observeOpenAI`', 'Calls of a client that nobody observes'],
    says: 'Each call of a tool stands for itself. Under the preload, clients that nobody observes are recorded as well.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/vercel-ai-sdk SvcVercelAiSdkIntegration', '@svc/instrumentation/ai-sdk SvcVercelAiSdkIntegration'],
    rows: ['Calls of the AI SDK'],
    says: 'Keys of runtimeContext are metadata in JSON.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/langchain CallbackHandler'],
    rows: ['Runs of LangChain', '`CallbackHandler` of LangChain'],
    says: 'A cancelled run is a warning, and what LangGraph throws to stop or to jump is no error.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/tracing startObservation', '@svc/tracing startActiveObservation', '@svc/tracing observe'],
    rows: ['Metadata on spans'],
    says: 'Metadata is JSON on the span, texts too: processors of your own have to JSON.parse it.',
  },
  {
    heading: 'model-calls-and-observations',
    uses: ['@svc/tracing startObservation', '@svc/tracing observe'],
    rows: ['An observation of the kind `event`', 'A stream that is left early'],
    says: 'An event has no update. The span of a stream that is left early ends with what had arrived.',
  },
  {
    heading: 'metadata-masks-and-batches',
    uses: ['@svc/tracing propagateAttributes', '@svc/core propagateAttributes'],
    rows: ['Metadata that is propagated'],
    says: 'Propagated metadata may be any JSON, and 200 characters of it count: 198 of a plain text.',
  },
  {
    heading: 'experiments-and-evaluators',
    uses: ['@svc/client', '@svc/tracing', '@svc/otel'],
    rows: ['Judging a trace by a model'],
    says: 'Evaluators of the service that judge traces have to move to observations.',
  },
]
