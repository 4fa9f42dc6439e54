export type FeedbackTargetType = 'skill' | 'mcp-tool' | 'cli' | 'docs' | 'public-api' | 'other'

/** `target` names the skill, tool, command or page. */
export interface SubmitFeedbackRequest {
  targetType: FeedbackTargetType
  target: string
  feedback: string
  goal?: string | undefined
  referenceUrl?: string | undefined
}

export interface SubmitFeedbackResponse {
  id: string
}

/** `status` is `OK` when all is well. */
export interface HealthResponse {
  version: string
  status: string
}
