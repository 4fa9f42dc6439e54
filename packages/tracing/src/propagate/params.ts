import type { PromptReference } from '../attributes.ts'

/** A prompt of the service. A prompt client fits as it is; a fallback links to nothing. */
export type PropagatedPromptInput = Omit<PromptReference, 'version'> & { readonly version: number | string }

/** What `propagateAttributes` hands to every span below. What is refused is dropped with a warning that names it. */
export interface PropagateAttributesParams {
  /** Whose request this is: at most 200 characters. */
  readonly userId?: string | undefined
  /** The conversation or session it belongs to: at most 200 characters. */
  readonly sessionId?: string | undefined
  /** Version of the application at work: at most 200 characters. */
  readonly version?: string | undefined
  /** Name of the trace: at most 200 characters. */
  readonly traceName?: string | undefined
  /** Environment: at most 40 of `a-z 0-9 - _`, not beginning with `svc`. */
  readonly environment?: string | undefined
  /** Tags, at most 200 characters each; joined with those propagated further out. */
  readonly tags?: readonly string[] | undefined
  /**
   * Metadata of the trace: any JSON value, whose JSON text has at most 200 characters (198 for a plain text, because
   * of its quotes). Merged key by key with what is propagated further out; at most 64 keys together.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The prompt of the service that generations below are made with. A prompt client fits as it is. */
  readonly prompt?: PropagatedPromptInput | undefined
  /**
   * Also puts the values into OpenTelemetry baggage, so that they leave the process as HTTP headers and reach other
   * services, whoever runs them. Default false.
   */
  readonly asBaggage?: boolean | undefined
  /** @internal Of the experiment runner in `@svc/client`. */
  readonly _internalExperiment?: PropagatedExperiment | undefined
}

/** @internal The experiment and its item; metadata as JSON text. */
export interface PropagatedExperiment {
  readonly experimentId: string
  readonly experimentName: string
  readonly experimentMetadata?: string | undefined
  readonly experimentDatasetId?: string | undefined
  readonly experimentItemId: string
  readonly experimentItemMetadata?: string | undefined
  readonly experimentItemRootObservationId: string
}
