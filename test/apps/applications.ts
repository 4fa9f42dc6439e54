import { join } from 'node:path'
import type { Program } from '../support/run.ts'
import type { Service } from '../support/service.ts'

/** An application of npm that is run as it is, or a program of `programs/` around a library of npm. */
export interface Application {
  readonly name: string
  /** What npm installs beside our packages. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Of ours, beside the preload. */
  readonly ours?: readonly string[]
  /** What Node runs, from the folder of the application; with the port of {@link drive} for `$PORT`. */
  readonly args: readonly string[]
  /** Files of the application. */
  readonly files?: (service: Service) => Readonly<Record<string, string>>
  /** What a server prints when it is ready. Others are ready when they end. */
  readonly ready?: RegExp
  /** Asks a server, whose variable PORT is this one, and ends it. */
  readonly drive?: (program: Program, port: string) => Promise<void>
  /** Variables beside those that name the model and the service. */
  readonly env?: (service: Service, home: string) => Readonly<Record<string, string>>
  /** Other preloads, with ours and without. */
  readonly preloads?: { readonly before?: string; readonly after?: string }
  /** The requests to models that one run makes. */
  readonly served: number
  /** How many of them native code sends, which are not recorded. */
  readonly unseen?: number
  /** What differs from run to run in the output and the telemetry. Global. */
  readonly varies?: RegExp
  /** Its lines come in any order. */
  readonly unordered?: true
  /** Lines on stderr that only svc prints, with the reason in the row. */
  readonly said?: RegExp
  /** The file of the application's own telemetry, where it is not in the output, and what of it is compared. */
  readonly telemetry?: { readonly file: string; readonly read: (text: string) => string }
}

const openai = '7.55.0'
const ai = { ai: '6.0.326', '@ai-sdk/openai': '3.0.141', zod: '4.6.7' }
const SENTRIES = ['8.55.2', '9.47.2', '10.78.0', '11.12.0']
const datadog = { openai, 'dd-trace': '6.21.0', '@opentelemetry/api': '~1.9.1' }
const logged = { DD_TRACE_EXPERIMENTAL_EXPORTER: 'log', DD_TRACE_STARTUP_LOGS: 'false' }
/** dd-trace is no SDK of OpenTelemetry: its spans cannot be joined. */
const unjoined =
  /^.* \[WARN\] spans of the application's own OpenTelemetry provider \((?:Sentry)?TracerProvider\) are not recorded .*\n/m
/** Programs ask themselves, with the trace of Sentry or dd-trace in their requests. */
const trusting = () => ({ SVC_TRUST_TRACEPARENT: 'loopback', SVC_TRUST_BAGGAGE: 'loopback' })

export const APPLICATIONS: readonly Application[] = [
  {
    name: 'NodeSDK with SvcSpanProcessor',
    dependencies: { openai, '@opentelemetry/sdk-node': '0.301.0', '@opentelemetry/sdk-trace': '3.1.0' },
    ours: ['@svc/otel'],
    args: ['node-sdk.mjs'],
    env: trusting,
    served: 2,
  },
  ...SENTRIES.map(
    (version): Application => ({
      name: `Sentry ${version}`,
      dependencies: { openai, '@sentry/node': version },
      args: ['sentry.mjs'],
      env: trusting,
      served: 2,
      // The last 10 registers a provider of its own making, 8 and 9 one of the SDK, 11 none.
      ...(version.startsWith('10.') && { said: unjoined }),
    }),
  ),
  {
    name: "Mastra's observability, with its exporter for OpenTelemetry",
    dependencies: {
      ...ai,
      '@mastra/core': '1.71.0',
      '@mastra/observability': '1.17.9',
      '@mastra/otel-exporter': '1.4.0',
    },
    args: ['mastra.mjs'],
    served: 2,
  },
  {
    name: "VoltAgent's observability",
    dependencies: { ...ai, '@voltagent/core': '2.10.0' },
    args: ['voltagent.mjs'],
    served: 2,
  },
  { name: 'dd-trace', dependencies: datadog, args: ['dd-trace.mjs'], env: trusting, served: 2, said: unjoined },
  {
    name: 'dd-trace, as a preload before ours',
    dependencies: datadog,
    preloads: { before: '--import dd-trace/initialize.mjs' },
    args: ['dd-trace.mjs'],
    env: () => ({ ...trusting(), ...logged }),
    served: 2,
    said: unjoined,
  },
  {
    name: 'dd-trace, as a preload after ours',
    dependencies: datadog,
    preloads: { after: '--import dd-trace/initialize.mjs' },
    args: ['dd-trace.mjs'],
    env: () => ({ ...trusting(), ...logged }),
    served: 2,
    said: unjoined,
  },
  {
    // A request to a flow, whose function calls a model.
    name: 'Node-RED',
    dependencies: { openai, 'node-red': '5.0.7' },
    args: ['node_modules/node-red/red.js', '--userDir', '.', '--settings', 'node-red/settings.cjs'],
    ready: /Started flows/,
    async drive(program, port) {
      await (await fetch(`http://127.0.0.1:${port}/ask`)).text()
      program.kill('SIGTERM')
    },
    served: 1,
    varies: /^\d+ \w+ [\d:]+(?= - )/gm,
  },
  {
    // Its child is a native program.
    name: 'Claude Agent SDK',
    dependencies: { '@anthropic-ai/claude-agent-sdk': '0.3.328' },
    args: ['claude-agent.mjs'],
    env: ({ models }, home) => ({
      HOME: home,
      ANTHROPIC_BASE_URL: models.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    served: 1,
  },
  {
    name: 'Gemini CLI, with telemetry to a file',
    dependencies: { '@google/gemini-cli': '0.61.0' },
    args: ['node_modules/@google/gemini-cli/bundle/gemini.js', '-p', 'Say hello.', '-m', 'gemini-2.5-flash'],
    files: () => ({ '.gemini/settings.json': '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' }),
    env: ({ models }, home) => ({
      HOME: home,
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: models.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'true',
      GEMINI_TELEMETRY_TARGET: 'local',
      GEMINI_TELEMETRY_OUTFILE: join(home, 'telemetry.json'),
    }),
    served: 1,
    // The model answers by what it is asked, which is not the same in each run. Where its files are removed while it
    // reads or measures, it says so.
    varies: /(?<=We are setting up ").*|^(?:Warning: Could not read directory|\[STARTUP\]).*\n/gm,
    telemetry: {
      file: 'telemetry.json',
      read: (text) => [...new Set(text.match(/"(?:name|event\.name)": ".*"/g))].sort().join('\n'),
    },
  },
  {
    // The server of LangGraph, which starts another Node under tsx.
    name: 'langgraphjs dev',
    dependencies: {
      openai,
      '@langchain/langgraph-cli': '2.0.0',
      '@langchain/langgraph': '1.7.3',
      '@langchain/core': '1.4.0',
    },
    args: ['node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs', 'dev', '--no-browser', '--port', '$PORT'],
    ready: /Server running/,
    async drive(program, port) {
      const body = JSON.stringify({ assistant_id: 'agent', input: { question: 'Say hello.' } })
      const headers = { 'content-type': 'application/json' }
      await (await fetch(`http://localhost:${port}/runs/wait`, { method: 'POST', headers, body })).text()
      await program.printed(/Background run succeeded/)
      program.kill('SIGTERM')
    },
    // It says so when it adds this.
    files: () => ({ '.gitignore': '.langgraph_api\n' }),
    env: () => ({ LANGSMITH_TRACING: 'false', LANGGRAPH_CLI_NO_ANALYTICS: '1' }),
    served: 1,
    // When a run was queued and how long it took, in colors; its lines may come between those of the request.
    varies: /\d+ms|(?<=_ms: \S*m)\d+|^\S+ [AP]M |\[\d+\]/gm,
    unordered: true,
  },
  {
    name: 'promptfoo, with its tracing and without',
    dependencies: { promptfoo: '0.121.20' },
    args: ['promptfoo.mjs'],
    env: ({ models }, home) => ({
      HOME: home,
      ANTHROPIC_BASE_URL: models.url,
      ANTHROPIC_API_KEY: 'none',
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
    }),
    served: 3,
    varies: /eval-\w{3}-[-\dT:]+|(?<=\(node:)\d+|(?<=port )\d+/g,
  },
  {
    name: "CopilotKit's runtime",
    dependencies: { openai, '@copilotkit/runtime': '1.75.0' },
    args: ['copilotkit.mjs'],
    env: () => ({ COPILOTKIT_TELEMETRY_DISABLED: 'true', ...trusting() }),
    served: 1,
    varies: /\bmsg_\w+/g,
  },
  {
    name: 'BAML: what it builds, sent by fetch, and its own calls',
    dependencies: { '@boundaryml/baml': '0.226.2' },
    args: ['baml.mjs'],
    env: () => ({ BAML_LOG: 'off' }),
    served: 4,
    unseen: 3,
    // Of all three.
    said: /^.* \[WARN\] BAML asks \S+\/chat\/completions from native code, .*\n/m,
  },
  {
    name: 'aicommits',
    dependencies: { aicommits: '3.4.0' },
    args: ['git.cjs', 'node_modules/aicommits/dist/cli.mjs', '--yes'],
    files: ({ models }) => ({
      '.aicommits': `OPENAI_API_KEY=none\nOPENAI_BASE_URL=${models.url}/v1\nOPENAI_MODEL=gpt-test\n`,
    }),
    env: (_, home) => ({ HOME: home }),
    served: 1,
    // It bundles the AI SDK, whose calls are more than requests.
    said: /^.* \[WARN\] ai is part of a bundle, .*\n/m,
  },
  {
    name: 'opencommit',
    dependencies: { opencommit: '3.3.10' },
    args: ['git.cjs', 'node_modules/opencommit/out/cli.cjs', '--yes'],
    env: ({ models }, home) => ({
      HOME: home,
      OCO_AI_PROVIDER: 'openai',
      OCO_API_URL: `${models.url}/v1`,
      OCO_API_KEY: 'none',
      OCO_MODEL: 'gpt-test',
      OCO_GITPUSH: 'false',
    }),
    served: 1,
    // The hash of the commit, and what turns while it waits.
    varies: /(?<=\(root-commit\) )\w+|[^\s\w]\[[?\d]*[ADJhl]|[\u2500-\u25ff].*\n/g,
  },
]
