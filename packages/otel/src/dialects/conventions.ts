// What edge functions load with the first span that follows the GenAI conventions.
export { genAiContent } from './gen-ai-content.ts'
export { withKnownCounts } from './usage.ts'
