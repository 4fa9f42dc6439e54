import type { PromptReference } from '../attributes.ts'

/** A prompt of the service. A prompt client can be passed directly; a fallback is not linked. */
export type PropagatedPromptInput = Omit<PromptReference, 'version'> & { readonly version: number | string }

/**
 * Values that `propagateAttributes` writes to every span below. Invalid ones are dropped, with a warning that names
 * them.
 */
export interface PropagateAttributesParams {
  /** Id of the user who made the request: at most 200 characters. */
  readonly userId?: string | undefined
  /** The conversation or session it belongs to: at most 200 characters. */
  readonly sessionId?: string | undefined
  /** Version of the application: at most 200 characters. */
  readonly version?: string | undefined
  /** Name of the trace: at most 200 characters. */
  readonly traceName?: string | undefined
  /** Environment: at most 40 of `a-z 0-9 - _`, not starting with `svc`. */
  readonly environment?: string | undefined
  /** Tags, at most 200 characters each; added to those propagated further out. */
  readonly tags?: readonly string[] | undefined
  /**
   * Metadata of the trace: any JSON values of at most 200 characters each (198 for a string, because of its quotes).
   * Merged by key with metadata propagated further out; at most 64 keys in total.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The prompt of the service that generations below use. A prompt client can be passed directly. */
  readonly prompt?: PropagatedPromptInput | undefined
  /**
   * Also writes the values to OpenTelemetry baggage, so that they leave the process as HTTP headers and reach other
   * services, also those of third parties. Default false.
   */
  readonly asBaggage?: boolean | undefined
  /** @internal Set by the experiment runner of `@svc/client`. */
  readonly _internalExperiment?: PropagatedExperiment | undefined
}

/** @internal The experiment and its item; metadata as JSON. */
export interface PropagatedExperiment {
  readonly experimentId: string
  readonly experimentName: string
  readonly experimentMetadata?: string | undefined
  readonly experimentDatasetId?: string | undefined
  readonly experimentItemId: string
  readonly experimentItemMetadata?: string | undefined
  readonly experimentItemRootObservationId: string
}
