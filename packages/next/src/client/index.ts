export type { SvcClientConfig } from './configure.ts'
export { configureSvcClient } from './configure.ts'
export type { SvcFeedback, SvcFeedbackOptions } from './use-svc-feedback.ts'
export { useSvcFeedback } from './use-svc-feedback.ts'
