/** Values that a handler writes to all its traces. */
export interface CallbackHandlerParams {
  /** Id of the user: at most 200 characters. `svcUserId` in the metadata of a call takes precedence. */
  readonly userId?: string | undefined
  /** Id of the session: at most 200 characters. `svcSessionId` in the metadata of a call takes precedence. */
  readonly sessionId?: string | undefined
  /** Tags, at most 200 characters each; added to the tags of a call. */
  readonly tags?: readonly string[] | undefined
  /** Version of the application: at most 200 characters. */
  readonly version?: string | undefined
  /** Metadata of the traces: any JSON values of at most 200 characters each. */
  readonly traceMetadata?: Readonly<Record<string, unknown>> | undefined
}
