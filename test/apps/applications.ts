import type { Program } from '../support/run.ts'
import type { Service } from '../support/service.ts'

/** An application of npm that is run as it is, or a program of `programs/` around a library of npm. */
export interface Application {
  readonly name: string
  /** What npm installs beside our packages. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Of ours, beside the preload. */
  readonly ours?: readonly string[]
  /** What Node runs, from the folder of the application. */
  readonly args: readonly string[]
  /** Files of the application. */
  readonly files?: (service: Service) => Readonly<Record<string, string>>
  /** Asks a server, whose variable PORT is this one, and ends it. */
  readonly drive?: (program: Program, port: string) => Promise<void>
  /** Variables beside those that name the model and the service. */
  readonly env?: (service: Service, home: string) => Readonly<Record<string, string>>
  /** Other preloads, with ours and without. */
  readonly preloads?: { readonly before?: string; readonly after?: string }
  /** The requests to models that one run makes. */
  readonly served: number
  /** What differs from run to run in the output and the telemetry. Global. */
  readonly varies?: RegExp
  /** Lines on stderr that only svc prints, with the reason in the row. */
  readonly said?: RegExp
  /** The file of the application's own telemetry, where it is not in the output. */
  readonly telemetry?: string
}

const openai = '7.55.0'
const datadog = { openai, 'dd-trace': '6.21.0', '@opentelemetry/api': '~1.9.1' }
const logged = { DD_TRACE_EXPERIMENTAL_EXPORTER: 'log', DD_TRACE_STARTUP_LOGS: 'false' }
/** dd-trace is no SDK of OpenTelemetry: its spans cannot be joined. */
const unjoined =
  /^.* \[WARN\] spans of the application's own OpenTelemetry provider \(TracerProvider\) are not recorded .*\n/m
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
  {
    name: 'Sentry',
    dependencies: { openai, '@sentry/node': '11.12.0' },
    args: ['sentry.mjs'],
    env: trusting,
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
    async drive(program, port) {
      await program.printed(/Started flows/)
      await (await fetch(`http://127.0.0.1:${port}/ask`)).text()
      program.kill('SIGTERM')
    },
    served: 1,
    varies: /^\d+ \w+ [\d:]+(?= - )/gm,
  },
]
