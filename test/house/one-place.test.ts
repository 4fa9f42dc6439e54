import * as SLOTS from '@svc/core/slots'
import { VERSION } from '@svc/core/version'
import { Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { lineAt, type Source, sources, texts } from './repository.ts'

// Files that may break a rule, each with its reason. Anything else that wants in has found the wrong place.
const MAY_READ_THE_ENVIRONMENT: Record<string, string> = {
  'packages/core/src/environment.ts': 'the one place',
  'packages/next/src/client/configure.ts':
    'the compiler puts values in place of the expressions, which must stand there',
}
const MAY_SPELL_WIRE_NAMES: Record<string, string> = {
  'packages/core/src/attributes.ts': 'the one place',
  'packages/core/src/attributes/constants.ts': 'a table of the one place',
  'packages/core/src/attributes/service.ts': 'a table of the one place',
  'packages/core/src/attributes/gen-ai.ts': 'a table of the one place',
  'packages/core/src/attributes/metrics.ts': 'a table of the one place',
  'packages/core/src/attributes/general.ts': 'a table of the one place',
  'packages/core/src/attributes/headers.ts': 'a table of the one place',
  'packages/core/src/attributes/baggage.ts': 'a table of the one place',
  'packages/core/src/slots.ts': 'the one place of names under `Symbol.for`, which stay in the process',
  'packages/otel/src/scopes.ts': 'scope names of other parties',
  'packages/local/src/trace/map/identity.ts': 'keys in the metadata of other SDKs',
}
const MAY_NAME_VARIABLES: Record<string, string> = {
  'packages/core/src/settings.ts': 'the one place',
  'packages/register/src/second-destination.ts': 'asks only whether sdk-node was told about metrics and logs',
}

const elsewhere = (allowed: Record<string, string>) => sources.filter(({ path }) => !(path in allowed))

describe('one place for each thing', () => {
  it('is core/environment.ts for reading the environment', () => {
    const readers = elsewhere(MAY_READ_THE_ENVIRONMENT).flatMap((file) =>
      memberReads(file, 'env').map((line) => `${file.path}:${line}`),
    )
    expect(readers).toEqual([])
  })

  it('is core/settings.ts for variables, which are read with readSettings', () => {
    const askers = elsewhere(MAY_NAME_VARIABLES).flatMap((file) =>
      variablesRead(file).map(({ name, line }) => `${file.path}:${line} asks for ${name}`),
    )
    expect(askers).toEqual([])
  })

  it('is core/attributes.ts for attribute and header names', () => {
    const spelled = elsewhere(MAY_SPELL_WIRE_NAMES).flatMap((file) => {
      const keys = contextKeys(file)
      return texts(file)
        .filter(({ value }) => /^(svc\.|gen_ai\.|x-svc-|svc_)/.test(value))
        .filter(({ value }) => !keys.includes(value))
        .map(({ value, line }) => `${file.path}:${line} spells ${value}`)
    })
    expect(spelled).toEqual([])
  })

  it('is core/slots.ts for symbols that all copies of a module share', () => {
    const spelled = sources.flatMap((file) =>
      sharedSymbols(file)
        .filter(({ name }) => /^['"`]svc\b/.test(name))
        .map(({ name, line }) => `${file.path}:${line} spells ${name}`),
    )
    expect(spelled).toEqual([])
  })

  it('has in core/slots.ts only slots that are used, each with a name of its own and the major version', () => {
    const used = new Set(sources.flatMap(({ text }) => [...text.matchAll(/\bSLOTS\.(\w+)/g)].map(([, name]) => name)))
    expect(Object.keys(SLOTS).filter((name) => !used.has(name))).toEqual([])
    const names = Object.values(SLOTS)
    const [major] = VERSION.split('.')
    expect(names.filter((name) => !new RegExp(`^svc\\.[a-z-]+\\.${major}$`).test(name))).toEqual([
      SLOTS.TRACER_PROVIDER,
    ])
    expect(new Set(names).size).toBe(names.length)
  })

  it('has only exceptions that are still needed', () => {
    const named = [MAY_READ_THE_ENVIRONMENT, MAY_SPELL_WIRE_NAMES, MAY_NAME_VARIABLES].flatMap(Object.keys)
    const known = new Set(sources.map(({ path }) => path))
    expect(named.filter((path) => !known.has(path))).toEqual([])
  })
})

/** Lines with `process.env`, by whatever name the process goes. */
function memberReads({ syntax, text }: Source, member: string): number[] {
  const lines: number[] = []
  new Visitor({
    MemberExpression: (node) => {
      const named = node.property.type === 'Identifier' && !node.computed && node.property.name === member
      if (named && /\bprocess\??$/.test(text.slice(node.object.start, node.object.end))) {
        lines.push(lineAt(text, node.start))
      }
    },
  }).visit(syntax.program)
  return lines
}

/** Calls such as `env('SVC_TIMEOUT')` and reads such as `variables['OTEL_X']`. Names in messages are welcome. */
function variablesRead({ syntax, text }: Source): { name: string; line: number }[] {
  const requests: { name: string; line: number }[] = []
  const add = (node: { type: string; start: number; value?: unknown } | undefined) => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return
    if (/^(SVC|OTEL)_[A-Z0-9_]+$/.test(node.value)) requests.push({ name: node.value, line: lineAt(text, node.start) })
  }
  new Visitor({
    CallExpression: (node) => node.arguments.forEach(add),
    MemberExpression: (node) => add(node.property),
  }).visit(syntax.program)
  return requests
}

/** The arguments of `Symbol.for`. */
function sharedSymbols({ syntax, text }: Source): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [name], start }) => {
      if (!name || text.slice(callee.start, callee.end) !== 'Symbol.for') return
      found.push({ name: text.slice(name.start, name.end), line: lineAt(text, start) })
    },
  }).visit(syntax.program)
  return found
}

/** Names of context keys, which stay in the process. */
function contextKeys({ syntax }: Source): unknown[] {
  const keys: unknown[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [key] }) => {
      if (callee.type === 'Identifier' && callee.name === 'createContextKey' && key?.type === 'Literal') {
        keys.push(key.value)
      }
    },
  }).visit(syntax.program)
  return keys
}
