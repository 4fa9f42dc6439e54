// What @svc/langchain exported in version 5, as far as the apps beside it go.
export class CallbackHandler {
  constructor(params?: { userId?: string; sessionId?: string; tags?: string[] })
  last_trace_id: string | null
}
