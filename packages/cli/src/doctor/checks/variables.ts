import { missingKeys } from '@svc/core/keys'
import { preloadSettings } from '@svc/core/settings'
import { KNOWN_NAMES, meantBy, SETTINGS, vendorOf } from '../../migrate/env/names.ts'
import { SVC } from '../../own-command.ts'
import { plainWord } from '../../shell-word.ts'
import type { App } from '../app/app.ts'
import type { Variable } from '../app/variables.ts'
import type { Finding } from '../finding.ts'
import { printable } from '../secrets.ts'

/** Lists every variable that svc reads, or that looks like one, with its source, and checks their values. */
export function checkVariables(app: App): Finding[] {
  const ours = app.variables.all.filter(({ name }) => /^(svc|otel)_/i.test(name) || KNOWN_NAMES.includes(name))
  return [
    ...ours.filter(({ name }) => KNOWN_NAMES.includes(name) && !isIgnored(name, app)).map(known),
    ...checkNames(app, ours),
    ...checkIgnored(app),
    ...checkFiles(app),
    ...checkKeys(app),
    ...checkSwitches(app),
    ...checkShadowed(app),
    ...checkVendors(app),
  ]
}

/** Whether a message about the variable, with its value, follows. */
function isIgnored(name: string, { complaints }: App): boolean {
  return complaints.some((line) => line.startsWith(`${name}=`))
}

function known({ name, value, source }: Variable): Finding {
  return { id: 'variable', severity: 'ok', seen: `${name}=${printable(name, value)} (${source})` }
}

function checkNames({ variables }: App, ours: readonly Variable[]): Finding[] {
  return ours.flatMap(({ name, value, source }): Finding[] => {
    if (KNOWN_NAMES.includes(name)) return []
    const seen = `${name}=${printable(name, value)} (${source})`
    const meant = meantBy(name)
    if (meant === undefined) {
      const means = `svc does not read ${name}.`
      return [{ id: 'variable-not-read', severity: 'info', seen, means }]
    }
    const isSet = variables.find(meant) !== undefined
    const means = `svc does not read ${name}.`
    const remedy = isSet ? `Remove it: ${meant} is set.` : `Use ${meant}.`
    return [{ id: 'variable-name', severity: isSet ? 'info' : 'warning', seen, means, remedy }]
  })
}

/** Reports invalid values with the messages of the preload. */
function checkIgnored({ complaints, config }: App): Finding[] {
  return complaints.map((line) => {
    const [seen = line, means] = line.split(
      /(?<=(?:is ignored|nothing is sent|is read as (?:false|off|all of them))): (?=expected)/,
    )
    const stops = / so nothing is (sent|traced)/.test(line)
    const isConfig = config === undefined && line.includes(' cannot be loaded')
    const remedy = 'Correct it, or remove it.'
    return {
      id: isConfig ? 'config-file' : 'variable-ignored',
      severity: stops ? 'error' : 'warning',
      seen,
      ...(means && { means: `E${means.slice(1)}` }),
      remedy,
    }
  })
}

/** Reports files that only the app loads, after the preload. */
function checkFiles({ variables, starts }: App): Finding[] {
  const late = variables.all.filter(({ name, isLoaded }) => !isLoaded && KNOWN_NAMES.includes(name))
  const [first] = late
  if (!first) return []
  const { source } = first
  const start = starts.find(({ program }) => program === 'node')
  return [
    {
      id: 'env-file-not-loaded',
      severity: 'error',
      seen: `${late.map(({ name }) => name).join(', ')} in ${source}, which is not loaded before the preload`,
      means:
        'svc reads its variables when the preload starts. Variables that dotenv or the app loads later have no effect.',
      remedy: `Let Node read the file: node --env-file=${source} --import @svc/register ${plainWord(start?.arguments.at(-1) ?? 'app.js')}`,
    },
  ]
}

function checkKeys({ service, config, isConfigUnknown, variables }: App): Finding[] {
  const { publicKey, secretKey } = service
  const missing = config?.exporter === undefined ? missingKeys(service) : []
  if (missing.length > 0) {
    return [
      {
        id: 'keys-missing',
        severity: isConfigUnknown ? 'warning' : 'error',
        seen: `no ${missing.join(' and no ')}`,
        means: `Nothing is traced without keys${isConfigUnknown ? ', unless the config file sets them' : ''}.`,
        remedy: `Set ${missing.join(' and ')}: they are in the settings of your project. For local use, npx @svc/local prints a pair.`,
      },
    ]
  }
  const found: Finding[] = []
  const quoted = ['SVC_PUBLIC_KEY', 'SVC_SECRET_KEY', 'SVC_BASE_URL'].filter((name) =>
    /^["'`<]|["'`>]$/.test(variables.find(name)?.value ?? ''),
  )
  if (quoted.length > 0) {
    found.push({
      id: 'value-quoted',
      severity: 'error',
      seen: `${quoted.join(', ')}: the value has quotes in it`,
      means: 'Docker, systemd and many dashboards do not remove quotes from a value.',
      remedy: 'Write the value without quotes.',
    })
  } else if (publicKey?.startsWith('sk-') && secretKey?.startsWith('pk-')) {
    found.push({
      id: 'keys-swapped',
      severity: 'error',
      seen: 'SVC_PUBLIC_KEY begins with sk-, and SVC_SECRET_KEY with pk-',
      means: 'They are swapped, so the service will refuse them.',
      remedy: 'Swap the two values.',
    })
  }
  return found
}

function checkSwitches({ preload, variables, config, isConfigUnknown }: App): Finding[] {
  const found: Finding[] = []
  const off = (setting: Parameters<typeof variables.of>[0], means: string) => {
    const { name = '', value = '', source = '' } = variables.of(setting) ?? {}
    const seen = `${name}=${value} (${source})`
    found.push({ id: 'switched-off', severity: 'error', seen, means, remedy: `Remove ${name}.` })
  }
  if (!preload.tracingEnabled) off(preloadSettings.tracingEnabled, 'svc is switched off.')
  if (preload.sdkDisabled) off(preloadSettings.sdkDisabled, 'OpenTelemetry is switched off, and svc with it.')
  if (/always_off$/.test(preload.sampler)) off(preloadSettings.sampler, 'No trace is sampled.')
  if (preload.sampler.endsWith('traceidratio') && preload.samplerArgument < 1) {
    const percent = Number((preload.samplerArgument * 100).toPrecision(3))
    found.push({
      id: 'sampled',
      severity: percent === 0 ? 'error' : 'warning',
      seen: `OTEL_TRACES_SAMPLER=${preload.sampler}, OTEL_TRACES_SAMPLER_ARG=${preload.samplerArgument}`,
      means: `${percent} % of the traces are kept.`,
      remedy: 'Remove both to keep all of them.',
    })
  }
  if (!preload.captureContent) {
    const means = 'Prompts and answers are not recorded; models, tokens and timing are.'
    found.push({ id: 'content-off', severity: 'info', seen: 'content is switched off', means })
  }
  if (variables.find('NODE_TLS_REJECT_UNAUTHORIZED')?.value === '0') {
    found.push({
      id: 'tls-unverified',
      severity: 'warning',
      seen: 'NODE_TLS_REJECT_UNAUTHORIZED=0',
      means: 'Anyone between the app and the service can read the keys and the prompts.',
      remedy: 'Set OTEL_EXPORTER_OTLP_CERTIFICATE to the certificate of the service instead.',
    })
  }
  if (config && Object.keys(config).length > 0) {
    found.push({ id: 'config-file', severity: 'ok', seen: `the config file sets ${Object.keys(config).join(', ')}` })
  }
  if (isConfigUnknown) {
    const { name, value, source } = variables.of(preloadSettings.configFile) ?? {}
    found.push({
      id: 'config-file-not-run',
      severity: 'info',
      seen: `${name}=${value} (${source}) was not run`,
      means: 'svc doctor runs no file that is not named on its command line, so the options in it are unknown.',
      // Without its name, which whoever copies the command would hand to a shell.
      remedy: `Look at it, then name it: ${SVC} doctor --config <file>`,
    })
  }
  return found
}

/** Reports variables that have no effect because another variable of the same setting takes precedence. */
function checkShadowed({ variables }: App): Finding[] {
  return SETTINGS.flatMap(({ env }): Finding[] => {
    const set = env.flatMap((name) => variables.find(name) ?? [])
    const [first, ...others] = set
    const other = others.find(({ value }) => value !== first?.value)
    if (!first || !other || /proxy/i.test(first.name)) return []
    const seen = `${other.name}=${printable(other.name, other.value)} beside ${first.name}`
    return [{ id: 'variable-shadowed', severity: 'info', seen, means: `svc uses ${first.name}.` }]
  })
}

function checkVendors({ variables }: App): Finding[] {
  const found = new Map<string, string[]>()
  for (const { name } of variables.all) {
    const vendor = vendorOf(name)
    if (vendor) found.set(vendor, [...(found.get(vendor) ?? []), name])
  }
  return [...found].map(([vendor, names]) => ({
    id: 'vendor-leftover',
    severity: 'warning',
    seen: `${names.join(', ')}: variables of ${vendor}`,
    means: `svc does not read them. If the SDK of ${vendor} is still installed, it keeps sending there.`,
    remedy: 'Remove them when you no longer need it.',
  }))
}
