import { type Attributes, context, isSpanContextValid, type Span, TraceFlags, trace } from '@opentelemetry/api'
import { ATTRIBUTE, EXPERIMENT_ENVIRONMENT } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { fieldsOf, toExactText, toText } from '@svc/core/json'
import { startActiveObservation } from '@svc/tracing'
import type { CheckedParams } from './checked-params.ts'
import { datasetItemOf } from './dataset-item.ts'
import type { ExperimentItem, ExperimentTaskParams } from './experiment-types.ts'
import { sixteenHexOf } from './ids.ts'
import { limited } from './limited.ts'
import type { RunIds } from './run-ids.ts'

/** The part of a run that its items use. */
export interface Run<Input, ExpectedOutput, Metadata, Output>
  extends CheckedParams<Input, ExpectedOutput, Metadata, Output> {
  readonly ids: RunIds
  /** Called for each item that a sampler drops. */
  unsampled(): void
  /** Called with the id of each item that starts. */
  started(itemId: string): void
  /** Returns the cost of a trace in USD, if the service knows it. */
  costOf(traceId: string): Promise<number | undefined>
}

/** Trace and observation of an item. */
export interface RecordedItem {
  readonly traceId: string
  readonly observationId: string
}

/** The output of an item, or its error. */
export type ItemOutcome<Output> = { readonly recorded: RecordedItem | undefined; readonly latency: number } & (
  | { readonly output: Output }
  | { readonly error: unknown }
)

/**
 * Runs the task on one item, inside an observation with the attributes of experiment and item. Each item is a separate
 * trace, whichever span is active, so that it can be sampled, viewed and deleted separately. Never rejects.
 */
export async function runItem<Input, ExpectedOutput, Metadata, Output>(
  item: ExperimentItem<Input, ExpectedOutput, Metadata>,
  run: Run<Input, ExpectedOutput, Metadata, Output>,
): Promise<ItemOutcome<Output>> {
  const itemId = await itemIdOf(item)
  run.started(itemId)
  let recorded: RecordedItem | undefined
  let output: Output | undefined
  let latency = 0
  const work = () =>
    startActiveObservation('experiment-item-run', async (observation) => {
      const { otelSpan } = observation
      const spanContext = otelSpan.spanContext()
      if (isSampled(otelSpan)) recorded = { traceId: spanContext.traceId, observationId: spanContext.spanId }
      else if (isSpanContextValid(spanContext)) run.unsampled()
      const shared = present(sharedAttributes(item, run, itemId, observation.id))
      otelSpan.setAttributes({ ...shared, ...present(rootAttributes(item, run)) })
      observation.update({ input: item.input, metadata: observedMetadata(item, run) })
      const began = performance.now()
      try {
        // Not returned, because the observation would wait for a stream to be read.
        output = await context.with(withPropagatedAttributes(context.active(), shared), () =>
          limited('the task', run.limit, (limits) => run.task(withInput(item), limits)),
        )
      } finally {
        latency = (performance.now() - began) / 1_000
      }
      observation.update({ output })
    })
  try {
    await context.with(trace.deleteSpan(context.active()), work)
    return { output: output as Output, recorded, latency }
  } catch (error) {
    return { error, recorded, latency }
  }
}

/** Whether the span is exported. A sampler may also let a span be recorded that is not sent. */
function isSampled(span: Span): boolean {
  return span.isRecording() && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
}

/** Returns the id of a dataset item; for other data a hash of the input, so that it is the same in every run. */
export async function itemIdOf(item: ExperimentItem): Promise<string> {
  return datasetItemOf(item)?.id ?? (await sixteenHexOf(toExactText(item.input) ?? ''))
}

function withInput<Input, ExpectedOutput, Metadata>(
  item: ExperimentItem<Input, ExpectedOutput, Metadata>,
): ExperimentTaskParams<Input, ExpectedOutput, Metadata> {
  if (item.input === undefined) throw new TypeError('the item has no input')
  return item as ExperimentTaskParams<Input, ExpectedOutput, Metadata>
}

type Facts = Pick<
  Run<never, never, never, never>,
  'name' | 'runName' | 'description' | 'metadata' | 'datasetVersion' | 'ids'
>

/** Returns the attributes that every span below the item has, too. */
function sharedAttributes(item: ExperimentItem, run: Facts, itemId: string, rootId: string) {
  return {
    [ATTRIBUTE.EXPERIMENT_ID]: run.ids.of(item),
    [ATTRIBUTE.EXPERIMENT_NAME]: run.runName,
    [ATTRIBUTE.EXPERIMENT_METADATA]: toText(run.metadata),
    [ATTRIBUTE.EXPERIMENT_DATASET_ID]: datasetItemOf(item)?.datasetId,
    [ATTRIBUTE.EXPERIMENT_ITEM_ID]: itemId,
    [ATTRIBUTE.EXPERIMENT_ITEM_METADATA]: toText(item.metadata),
    [ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]: rootId,
  }
}

function rootAttributes(item: ExperimentItem, run: Facts) {
  return {
    [ATTRIBUTE.ENVIRONMENT]: EXPERIMENT_ENVIRONMENT,
    [ATTRIBUTE.EXPERIMENT_DESCRIPTION]: run.description,
    [ATTRIBUTE.EXPERIMENT_ITEM_EXPECTED_OUTPUT]: toText(item.expectedOutput),
    [ATTRIBUTE.EXPERIMENT_ITEM_VERSION]: run.datasetVersion,
  }
}

function observedMetadata(item: ExperimentItem, run: Facts): object {
  const ofDataset = datasetItemOf(item)
  return {
    ...(typeof item.metadata === 'object' && item.metadata !== null ? fieldsOf(item.metadata) : {}),
    ...run.metadata,
    experiment_name: run.name,
    experiment_run_name: run.runName,
    ...(ofDataset ? { dataset_id: ofDataset.datasetId, dataset_item_id: ofDataset.id } : {}),
  }
}

function present(attributes: Readonly<Record<string, string | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
