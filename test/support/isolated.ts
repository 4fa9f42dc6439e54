/**
 * Tests that change the process they run in: they register providers, patch libraries, replace modules or evaluate them
 * again. Each of these files has a process of its own, or a thread, which costs less, if it is a unit test. All others
 * share processes, so that what they import is loaded once for many files.
 */
export const ISOLATED = [
  'packages/core/src/{api-edge,capture-content,context,exit,flat-context,last-hop,log,on-server-edge,open-calls,registry,secrets}.test.ts',
  'packages/cli/src/replay/tree-place.test.ts',
  'packages/instrumentation/src/{ai-sdk,mistral,openai}/**/*.test.ts',
  'packages/instrumentation/src/{instrument,mcp/transport,record/suppress}.test.ts',
  'packages/langchain/src/callback-handler.test.ts',
  'packages/next/src/{client/use-svc-feedback,identity/sealed,route/{response-end-edge,with-svc},delivery,edge/*,platform/*,request-error,server/observe-proxy,work}.test.ts',
  'packages/next/src/register/options.test.ts',
  'packages/register/src/{outside,preload,start}.test.ts',
  'packages/otel/src/{ended-spans,export/endpoint-export*,processor-exit,self-metrics}.test.ts',
  'packages/tracing/src/{collected-output-edge,observation,propagate/headers,provider}.test.ts',
  'test/bundle/edge.test.ts',
  'test/otel/endpoint-*.test.ts',
  'test/client/{experiment*,prompt-link,score,shutdown,values}.test.ts',
]

/**
 * Tests that start our pipeline or a framework, and share processes with each other: loading those takes longer than all
 * of these tests. What one of them has registered ends with it (`registered.ts`).
 */
export const STARTING = ['packages/{nestjs,register}/**/*.test.ts', 'packages/next/src/register/next-tracer.test.ts']
