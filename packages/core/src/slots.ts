// Names of all symbols that we take from `Symbol.for`, with what each holds. On `globalThis`, unless a row says otherwise:
// bundlers and package managers copy modules, and what a copy keeps for itself the others do not have. The 6 is the major
// version, which never reads what another one keeps. Each is an export of its own, so that bundles contain those that
// they use.

// The pipeline

/** The running pipeline (`registry.ts`). */
export const RUNTIME = 'svc.runtime.6'
/** The tracer provider of `@svc/tracing` that is not the global one. Without a version, because the contract says so (2.4). */
export const TRACER_PROVIDER = 'svc'
/** The handlers that deliver before the process ends. */
export const EXIT = 'svc.exit.6'
/** The global logger. */
export const LOG = 'svc.log.6'
/** The function of a framework that gets log lines in place of the console. */
export const LOG_SINK = 'svc.log-sink.6'
/** In the environment data of threads: which lines the process has printed. */
export const SAID = 'svc.said.6'
/** The secrets that the process holds. */
export const SECRETS = 'svc.secrets.6'
/** The maximum bytes of text in an attribute. */
export const CONTENT_LIMIT = 'svc.content-limit.6'

// Spans and calls

/** On a span that is not recorded: marks it. */
export const MUTED_SPAN = 'svc.muted-span.6'
/** On a context: marks it as one of which cheap ones are derived. */
export const FLAT_CONTEXT = 'svc.flat-context.6'
/** On the root of a request: which of its input and output the adapter leaves empty. */
export const LEFT_EMPTY = 'svc.left-empty.6'
/** On what the application sees of contexts and of their manager: what is behind it. */
export const BEHIND = 'svc.behind.6'
/** Calls that are ended when the process ends. */
export const OPEN_CALLS = 'svc.open-calls.6'
/** The settings of recorded calls. */
export const CALLS = 'svc.calls.6'
/** When the chunks of calls arrived, for metrics. */
export const CHUNK_TIMES = 'svc.chunk-times.6'
/** What answers tools from a trace, in a process of `svc replay --tools`. */
export const REPLAY = 'svc.replay.6'

// Instrumentation

/** The hook that edits and patches modules as they load. */
export const MODULE_HOOK = 'svc.module-hook.6'
/** Names of the instrumented packages that were loaded. */
export const INSTRUMENTED = 'svc.instrumented.6'
/** On an object: the names of its patched methods. */
export const PATCHED = 'svc.patched.6'
/** On the prototype of a client: its calls are always recorded. */
export const RECORDED_ALWAYS = 'svc.recorded-always.6'
/** The configuration of the observed client whose call is being made. */
export const OBSERVED_CLIENT = 'svc.observed-client.6'
/** The call of a model that a framework has started a span for in this flow. */
export const FRAMEWORK_CALL = 'svc.framework-call.6'
/** On a context manager: its own `active`. */
export const CONTEXT_ACTIVE = 'svc.context-active.6'
/** The state of what stands in the place of the AI SDK's registry of integrations. */
export const AI_SDK = 'svc.ai-sdk.6'
/** The open spans of the AI SDK, by the id of the call. */
export const AI_CALLS = 'svc.ai-calls.6'
/** On a span of the AI SDK: what watches it. */
export const AI_SPAN = 'svc.ai-span.6'
/** What the edited code of the AI SDK reads. */
export const AI_TELEMETRY = 'svc.ai-telemetry.6'
/** What the edited code of `@ai-sdk/mcp` calls with its client. */
export const AI_MCP = 'svc.ai-mcp.6'
/** What the edited code of `@anthropic-ai/sdk` reads. */
export const ANTHROPIC = 'svc.anthropic.6'
/** What the edited code of the Claude Agent SDK calls. */
export const CLAUDE_AGENT = 'svc.claude-agent.6'
/** What the edited code of `@huggingface/inference` calls. */
export const HUGGINGFACE = 'svc.huggingface.6'
/** The open runs of LangChain. */
export const LANGCHAIN_RUNS = 'svc.langchain-runs.6'
/** What the edited code of `@mistralai/mistralai` calls. */
export const MISTRAL = 'svc.mistral.6'
/** What the edited code of Hono and h3 calls with the route of a request. */
export const ROUTE = 'svc.route.6'

// Nest

/** The injection token of the settings. */
export const NESTJS_SETTINGS = 'svc.nestjs-settings.6'
/** The settings of the module, for the hook, which injection does not reach. */
export const NESTJS_MODULE = 'svc.nestjs-module.6'
/** The spans of `@svc/nestjs/testing`. */
export const NESTJS_TESTING = 'svc.nestjs-testing.6'
/** On the class of Nest that calls interceptors: marks it as patched. */
export const NEST_ALONE = 'svc.nest-alone.6'

// Next

/** The options of the host, and what was decided by them. */
export const NEXT = 'svc.next.6'
/** The options of the last `registerSvc`. */
export const NEXT_OPTIONS = 'svc.next-options.6'
/** Whether edits of `instrumentation.ts` are watched. */
export const NEXT_EDITED = 'svc.next-edited.6'
/** The pipeline that is flushed with each request. */
export const NEXT_DELIVERY = 'svc.next-delivery.6'
/** Errors that were recorded. */
export const NEXT_ERRORS = 'svc.next-errors.6'
/** The key of sealed identities, with the secret that it is made of. */
export const NEXT_SEAL = 'svc.next-seal.6'
/** Where Next tells what it works on. */
export const NEXT_WORK = 'svc.next-work.6'
/** The functions of the edge bundle of `instrumentation.ts`, which those of routes call. */
export const NEXT_IMPLEMENTATION = 'svc.next-implementation.6'
/** The configuration of scores in the browser. */
export const NEXT_CLIENT = 'svc.next-client.6'
