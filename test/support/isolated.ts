/**
 * Tests that change the process they run in: they register providers, patch libraries, replace modules or evaluate them
 * again. Each of these files has a process of its own. All others share processes, so that what they import is loaded
 * once for many files.
 */
export const ISOLATED = [
  'packages/{instrumentation,langchain,nestjs,next,otel,register,tracing}/**/*.test.ts',
  'packages/core/src/{context,exit,flat-context,last-hop,log,open-calls,registry}.test.ts',
  'test/bundle/edge.test.ts',
  'test/client/{experiment*,prompt-link,score,shutdown}.test.ts',
  'test/packed/install.test.ts',
]
