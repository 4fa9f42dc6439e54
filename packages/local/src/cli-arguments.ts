import { parseArgs } from 'node:util'
import { DEFAULT_PORT } from './address.ts'
import type { LocalOptions } from './local.ts'

const MEBIBYTE = 1024 * 1024
const DAY = 24 * 60 * 60 * 1_000

const FLAGS = {
  port: { type: 'string', value: 'PORT', help: `TCP port, 0 for any free one (default ${DEFAULT_PORT})` },
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
  db: { type: 'string', value: 'FILE', help: 'keep the data in a SQLite file (default: until it stops)' },
  'max-size': {
    type: 'string',
    value: 'MB',
    help: 'the oldest traces make room beyond this (default 256 without --db)',
  },
  keep: { type: 'string', value: 'DAYS', help: 'forget older traces (default: never)' },
  'public-key': { type: 'string', value: 'KEY', help: 'public key (default pk-svc-local, random beyond loopback)' },
  'secret-key': { type: 'string', value: 'KEY', help: 'secret key (default sk-svc-local, random beyond loopback)' },
  'no-token': { type: 'boolean', value: '', help: 'the page is open to everybody on this machine (for tests)' },
  help: { type: 'boolean', short: 'h', value: '', help: 'print this' },
} as const

/** Returns the text of `--help`, with the name of the program that the user typed. */
export const helpOf = (program: string): string => `Usage: ${program} [flags]

The svc service on this machine: takes traces over OTLP, stores them, shows them.

${Object.entries(FLAGS)
  .map(([name, { value, help }]) => `  --${`${name} ${value}`.padEnd(20)}${help}`)
  .join('\n')}
`

export type CliArgs = { readonly help: true } | { readonly options: LocalOptions } | { readonly error: string }

/** Reads the flags. A flag that does not exist, and a value that makes no sense, become `error`. */
export function readArguments(args: readonly string[]): CliArgs {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS })
    if (values.help) return { help: true }
    const { port = String(DEFAULT_PORT), host, db, 'public-key': publicKey, 'secret-key': secretKey } = values
    const empty = Object.entries(values).find(([, value]) => value === '')
    if (empty) return { error: `--${empty[0]} is empty` }
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      return { error: `--port ${port}: expected a number from 0 to 65535` }
    }
    const wrong = (['max-size', 'keep'] as const).find(
      (name) => values[name] !== undefined && !(Number(values[name]) > 0),
    )
    if (wrong) return { error: `--${wrong} ${values[wrong]}: expected a number above 0` }
    const maxBytes = values['max-size'] === undefined ? undefined : Number(values['max-size']) * MEBIBYTE
    const keepMs = values.keep === undefined ? undefined : Number(values.keep) * DAY
    const token = values['no-token'] ? false : undefined
    const given = Object.entries({ host, db, publicKey, secretKey, maxBytes, keepMs, token }).filter(
      ([, value]) => value !== undefined,
    )
    return { options: { port: Number(port), ...Object.fromEntries(given) } }
  } catch (error) {
    return { error: error instanceof Error ? explain(error.message) : String(error) }
  }
}

/** Shortens the advice of `parseArgs`, which has several lines. */
function explain(text: string): string {
  const [, flag] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(text) ?? []
  return flag === undefined
    ? firstSentence(text)
    : `${flag} needs a value; write one that starts with a dash as ${flag}=-VALUE`
}

const firstSentence = (text: string): string => (text.split(/\. |\n/)[0] ?? '').replace(/\.$/, '')

/** The line that sets a variable for the programs that a shell starts: PowerShell on Windows, else a POSIX shell. */
export function assignment(name: string, value: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'`
  return `export ${name}=${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`
}
