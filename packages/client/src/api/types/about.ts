export type FeedbackTargetType = 'skill' | 'mcp-tool' | 'cli' | 'docs' | 'public-api' | 'other'

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

export interface HealthResponse {
  version: string
  status: string
}
