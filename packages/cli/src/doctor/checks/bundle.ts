import type { App } from '../app/app.ts'
import type { Finding } from '../finding.ts'

/** Commands of bundlers that include packages in the output, and the flag that excludes packages. */
const BUNDLERS: readonly (readonly [command: RegExp, keepsOut: RegExp])[] = [
  [/\besbuild\b.*--bundle\b/, /--packages[= ]external|--external/],
  [/\bncc build\b/, /--external|-e /],
  [/\bwebpack\b/, /--no-bundle/],
  [/\brspack\b/, /--no-bundle/],
  [/\bbun build\b/, /--external|--packages[= ]external/],
  [/\btsup\b.*--no-?external\b/, /^$/],
]

/** Warns of bundled apps: the load of a library inside a bundle cannot be observed. */
export function checkBundle({ manifest, framework, sources, read }: App): Finding[] {
  if (framework === 'next' || sources.some(({ text }) => text.includes('@svc/instrumentation'))) return []
  const scripts = Object.entries(manifest?.scripts ?? {})
  const script = scripts.find(([, line]) =>
    BUNDLERS.some(([command, keepsOut]) => command.test(line) && !keepsOut.test(line)),
  )
  const isNestBundle = /"webpack"\s*:\s*true|"builder"\s*:\s*"(webpack|rspack)"/.test(read('nest-cli.json') ?? '')
  // `externals` usually excludes all of node_modules.
  const keepsOut = /\bexternals\b/.test(read('webpack.config.js') ?? '')
  if ((!script && !isNestBundle) || keepsOut) return []
  return [
    {
      id: 'bundled',
      severity: 'warning',
      seen: script ? `package.json, script "${script[0]}": ${script[1]}` : 'nest-cli.json bundles the app with webpack',
      means: 'Of libraries inside a bundle only requests to models are recorded.',
      remedy:
        'Exclude the LLM libraries from the bundle (external), or pass them to instrument() of @svc/instrumentation.',
    },
  ]
}
