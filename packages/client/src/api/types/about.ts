import type { ValueOf } from './pages.ts'

export const FeedbackTargetType = {
  Skill: 'skill',
  McpTool: 'mcp-tool',
  Cli: 'cli',
  Docs: 'docs',
  PublicApi: 'public-api',
  Other: 'other',
} as const
export type FeedbackTargetType = ValueOf<typeof FeedbackTargetType>

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

/** `status` is `OK` if the service is healthy. */
export interface HealthResponse {
  version: string
  status: string
}
