/**
 * Tests that change the process they run in: they register providers, patch libraries, replace modules or evaluate them
 * again. Each of these files has a process of its own. All others share processes, so that what they import is loaded
 * once for many files.
 */
export const ISOLATED = [
  'packages/{instrumentation,nestjs,otel,register}/**/*.test.ts',
  'packages/core/src/{context,exit,flat-context,last-hop,log,open-calls,registry}.test.ts',
  'packages/next/src/client/use-svc-feedback.test.ts',
  'packages/next/src/platform/implementation-edge.test.ts',
  'packages/tracing/src/provider.test.ts',
  'test/client/shutdown.test.ts',
]
