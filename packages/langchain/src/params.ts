/** What a handler says of all its traces. */
export interface CallbackHandlerParams {
  /** Whose requests these are: at most 200 characters. `svcUserId` in the metadata of a call wins. */
  readonly userId?: string | undefined
  /** The conversation they belong to: at most 200 characters. `svcSessionId` in the metadata of a call wins. */
  readonly sessionId?: string | undefined
  /** Tags, at most 200 characters each; joined with the tags of a call. */
  readonly tags?: readonly string[] | undefined
  /** Version of the application at work: at most 200 characters. */
  readonly version?: string | undefined
  /** Metadata of the traces: any JSON values, whose JSON text has at most 200 characters each. */
  readonly traceMetadata?: Readonly<Record<string, unknown>> | undefined
}
