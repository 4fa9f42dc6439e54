/** Packages of version 5 that are part of another one: what is imported from them has the same name there. */
export const MOVED_PACKAGES: Readonly<Record<string, string>> = {
  '@svc/openai': '@svc/instrumentation/openai',
  '@svc/vercel-ai-sdk': '@svc/instrumentation/ai-sdk',
}
