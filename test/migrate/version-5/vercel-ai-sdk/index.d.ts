// What @svc/vercel-ai-sdk exported in version 5.
export interface SvcPrompt {
  name: string
  version: number
  isFallback?: boolean
}
export class SvcVercelAiSdkIntegration {
  constructor(options?: object)
}
