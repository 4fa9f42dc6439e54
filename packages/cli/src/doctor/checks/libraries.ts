import { isWithin } from '@svc/instrumentation/hook/target'
import { LIBRARIES } from '@svc/instrumentation/libraries'
import type { App } from '../app/app.ts'
import type { Finding } from '../finding.ts'

/** Libraries that call models and are not instrumented, with an alternative for each. */
const NOT_KNOWN: Readonly<Record<string, string>> = {
  '@azure/openai': 'It is superseded by openai (AzureOpenAI), which is recorded.',
  '@azure-rest/ai-inference': 'Wrap its calls in observe() of @svc/tracing.',
  '@huggingface/inference': 'Wrap its calls in observe() of @svc/tracing.',
  replicate: 'Wrap its calls in observe() of @svc/tracing.',
  llamaindex:
    'Its OpenAI calls are recorded; name @traceloop/instrumentation-llamaindex in SVC_INSTRUMENTATIONS for the rest.',
  'node-llama-cpp': 'Wrap its calls in observe() of @svc/tracing.',
}

/** Lists installed LLM libraries, and why some are not recorded. */
export function checkLibraries(app: App): Finding[] {
  if (app.manifest === undefined) return []
  const names = [...new Set(LIBRARIES.map((library) => library.package))]
  const found = [...names.flatMap((name) => checkLibrary(name, app)), ...checkUnknown(app)]
  if (found.length > 0) return found
  return [
    {
      id: 'no-library',
      severity: 'warning',
      seen: 'no LLM library that svc knows is installed here',
      means: 'Only spans that the app creates with @svc/tracing are recorded.',
      remedy: `Known: ${names.join(', ')}.`,
    },
  ]
}

function checkLibrary(name: string, { packages, preload }: App): Finding[] {
  const copies = packages.copies(name)
  const rows = LIBRARIES.filter((library) => library.package === name)
  const [{ name: short = name, versions } = {}] = rows
  const only = preload.instrumentations?.map((each) => each.toLowerCase())
  const never = preload.disabledInstrumentations.map((each) => each.toLowerCase())
  const isLeftOut =
    (only && !only.includes(short) && !only.includes(name)) || never.includes(short) || never.includes(name)
  return copies.map(({ version }) => {
    if (isLeftOut) {
      const variable =
        never.includes(short) || never.includes(name) ? 'SVC_DISABLED_INSTRUMENTATIONS' : 'SVC_INSTRUMENTATIONS'
      return {
        id: 'library-left-out',
        severity: 'warning',
        seen: `${name} ${version}`,
        means: `Its calls are not recorded: ${variable} excludes it.`,
        remedy:
          variable === 'SVC_INSTRUMENTATIONS' ? `Add ${short} to ${variable}.` : `Remove ${short} from ${variable}.`,
      }
    }
    if (isWithin(versions, version)) return { id: 'library', severity: 'ok', seen: `${name} ${version} is recorded` }
    return {
      id: 'library-version',
      severity: 'error',
      seen: `${name} ${version}`,
      means: `Its calls are not recorded: supported versions are >=${versions?.from} <${versions?.below}.`,
      remedy: 'Install a supported version, or a newer @svc/register.',
    }
  })
}

function checkUnknown({ manifest, packages }: App): Finding[] {
  return Object.entries(NOT_KNOWN).flatMap(([name, remedy]): Finding[] => {
    if (!(name in { ...manifest?.dependencies })) return []
    const { version = '' } = packages.resolve(name) ?? {}
    const seen = `${name} ${version}`.trim()
    return [{ id: 'library-not-known', severity: 'warning', seen, means: 'Its calls are not recorded.', remedy }]
  })
}
