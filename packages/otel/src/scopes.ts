import { SDK_SCOPE } from '@svc/core/attributes/constants'

/**
 * Which instrumentation scopes carry LLM work and which are the plumbing around it. Data only: the default filter,
 * `allowScopes` and the preload (which mutes infrastructure) all read this one table.
 */

/** Scopes that carry LLM work: a span passes when its scope is one of these or starts with one and a dot (contract 1.4). */
export const KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES: readonly string[] = /* @__PURE__ */ (() => [
  'svc-sdk',
  '@mastra/otel-bridge',
  'genkit-tracer',
  'langsmith',
  'openinference',
  'strands-agents',
  'agent_framework',
  'ai',
  'haystack',
  'litellm',
  ...[
    'anthropic',
    'aws_bedrock',
    'bedrock',
    'gemini',
    'google_genai',
    'google_generativeai',
    'openai',
    'openai_v2',
    'vertex_ai',
    'vertexai',
  ].map((name) => `opentelemetry.instrumentation.${name}`),
  'vllm',
])()

/** Known scopes that are a common word: only the whole name counts, so that `ai.anything` is not taken for the AI SDK. */
export const EXACT_LLM_SCOPES: readonly string[] = ['ai']

/** Scopes of this project's own instrumentations. */
export const OWN_SCOPES: readonly string[] = ['@svc/*']

/** Scopes whose spans this project starts, or sees to: the AI SDK is handed a tracer of ours. */
export const OWN_SPAN_SCOPES: readonly string[] = /* @__PURE__ */ [SDK_SCOPE, 'ai', 'gen_ai'].concat(OWN_SCOPES)

/**
 * HTTP, databases, queues and framework internals: spans around LLM work, never about it. Instrumentations that can
 * carry LLM work (`-openai`, `-aws-sdk` with Bedrock) are left out on purpose, as are those that make no spans. Marked
 * pure, so that bundles that do not use it leave it out.
 */
export const INFRASTRUCTURE_SCOPES: readonly string[] = /* @__PURE__ */ (() => [
  ...[
    'amqplib',
    'aws-lambda',
    'cassandra-driver',
    'connect',
    'cucumber',
    'dataloader',
    'dns',
    'express',
    'fastify',
    'fetch',
    'fs',
    'generic-pool',
    'graphql',
    'grpc',
    'hapi',
    'http',
    'ioredis',
    'kafkajs',
    'knex',
    'koa',
    'lru-memoizer',
    'memcached',
    'mongodb',
    'mongoose',
    'mysql',
    'mysql2',
    'nestjs-core',
    'net',
    'oracledb',
    'pg',
    'redis',
    'redis-4',
    'restify',
    'router',
    'socket.io',
    'tedious',
    'undici',
    'xml-http-request',
  ].map((name) => `@opentelemetry/instrumentation-${name}`),
  '@fastify/otel',
  '@hono/otel',
  '@prisma/instrumentation',
  '@vercel/otel/fetch',
  'bullmq',
  'next.js',
  'opentelemetry-instrumentation-elasticsearch',
  'opentelemetry-instrumentation-sequelize',
  'opentelemetry-instrumentation-typeorm',
  'prisma',
])()

/**
 * Whether `name` is one of `patterns`. A `*` at the end of a pattern makes it a prefix; anywhere else it is itself.
 *
 * @example matchesScope('@arizeai/openinference-x', ['@arizeai/*']) // true
 */
export function matchesScope(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
}
