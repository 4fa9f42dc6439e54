import { describe, expect, it } from 'vitest'
import { migrateFile } from './migrate-file.ts'

const HEAD = "import { SvcClient } from '@svc/client'\nconst client = new SvcClient()\n"

/** The text after the two lines that make the client. */
function migrated(code: string, path = 'app.ts'): string {
  const { text } = migrateFile(path, HEAD + code)
  expect(text.startsWith(HEAD)).toBe(true)
  return text.slice(HEAD.length)
}

describe('imports of merged packages are rewritten:', () => {
  it.each([
    ["import { observeOpenAI } from '@svc/openai'", "import { observeOpenAI } from '@svc/instrumentation/openai'"],
    ['export * from "@svc/openai"', 'export * from "@svc/instrumentation/openai"'],
    [
      "const { SvcPrompt } = require('@svc/vercel-ai-sdk')",
      "const { SvcPrompt } = require('@svc/instrumentation/ai-sdk')",
    ],
    ["type Config = import('@svc/openai').SvcConfig", "type Config = import('@svc/instrumentation/openai').SvcConfig"],
    ["const text = '@svc/openai'", "const text = '@svc/openai'"],
    ["import { LogLevel } from '@svc/core'", "import { LogLevel } from '@svc/client'"],
    [
      "import { configureGlobalLogger, DatasetStatus, LogLevel } from '@svc/core'",
      "import { configureGlobalLogger, LogLevel } from '@svc/client'\nimport { DatasetStatus } from '@svc/client/api'",
    ],
    ["import { Error as Bad } from '@svc/core'", "import { BadRequestError as Bad } from '@svc/client/api'"],
    ["const { Error } = require('@svc/core')", "const { BadRequestError: Error } = require('@svc/client/api')"],
    [
      "import type { Prompt } from '@svc/core'\nlet p: Prompt.Chat | Prompt.Text",
      "import type { ChatPrompt, TextPrompt } from '@svc/client/api'\nlet p: ChatPrompt | TextPrompt",
    ],
  ])('%s', (before, after) => {
    expect(migrateFile('app.ts', before).text).toBe(after)
  })
})

describe('members of a client are rewritten:', () => {
  it.each([
    ["client.getPrompt('a')", "client.prompt.get('a')"],
    ["client?.getPrompt('a')", "client?.prompt.get('a')"],
    ["client['getPrompt']('a')", "client.prompt.get('a')"],
    ['client.api.legacy.scoreV1.create({ value: 1 })', 'client.api.scores.create([{ value: 1 }])'],
    [
      "client.api.legacy.scoreV1.delete('a', { maxRetries: 0 })",
      "client.api.scores.delete('a', {}, { maxRetries: 0 })",
    ],
    ['client.api\n  .legacy\n  .metricsV1.metrics({ query })', 'client.api\n  .metrics.metrics({ query })'],
    [
      'const scores = client.api.legacy.scoreV1\nscores.create(one)',
      'const scores = client.api.scores\nscores.create([one])',
    ],
    ['const { api } = client\napi.scoresV3.getManyV3({})', 'const { api } = client\napi.scores.getMany({})'],
    [
      'const { api: { scoresV3 } } = client\nscoresV3.getManyV3({})',
      'const { api: { scores: scoresV3 } } = client\nscoresV3.getMany({})',
    ],
    ['const { getPrompt } = client', 'const getPrompt = client.prompt.get.bind(client.prompt)'],
    [
      'const { score, getPrompt, createDataset: c } = client',
      'const { score } = client, getPrompt = client.prompt.get.bind(client.prompt), c = client.api.datasets.create',
    ],
    ['const f = client.getPrompt', 'const f = client.prompt.get.bind(client.prompt)'],
    ["vi.spyOn(client, 'getPrompt')", "vi.spyOn(client.prompt, 'get')"],
    ['client.api.health.health({ maxRetries: 1 })', 'client.api.health.health({}, { maxRetries: 1 })'],
    ['client.api.health.health()', 'client.api.health.health()'],
    ["client.api.scores.getMany({ scoreIds: 'a' })", "client.api.scores.getMany({ id: 'a' })"],
    ['client.api.scores.getMany({ scoreIds })', 'client.api.scores.getMany({ id: scoreIds })'],
    ["function f(c: SvcClient) { return c.getPrompt('a') }", "function f(c: SvcClient) { return c.prompt.get('a') }"],
    ["const f = (c) => c.getPrompt('a')\nf(client)", "const f = (c) => c.prompt.get('a')\nf(client)"],
    [
      "class A { constructor(private c: SvcClient) {} f() { return this.c.getPrompt('a') } }",
      "class A { constructor(private c: SvcClient) {} f() { return this.c.prompt.get('a') } }",
    ],
    [
      "class A extends SvcClient { f() { return this.getPrompt('a') } }",
      "class A extends SvcClient { f() { return this.prompt.get('a') } }",
    ],
    ["type F = SvcClient['getPrompt']", "type F = SvcClient['prompt']['get']"],
    ['type F = typeof client.getPrompt', 'type F = typeof client.prompt.get'],
    ["function f(client) { return client.getPrompt('a') }", "function f(client) { return client.getPrompt('a') }"],
    ["{ const client = new Other(); client.getPrompt('a') }", "{ const client = new Other(); client.getPrompt('a') }"],
  ])('%s', (before, after) => {
    expect(migrated(before)).toBe(after)
  })
})

it.each([
  ['client[name]()', 'client[name]: check which member it is, because some have other names.'],
  [
    'const { api } = client\napi.legacy[name].create({})',
    'client.api.legacy[name]: check which member it is, because some have other names.',
  ],
  ["client['getPrompt']()", undefined],
  ['other[name]()', undefined],
])('a member whose name is computed is a place to check: %s', (code, message) => {
  const { text, remarks } = migrateFile('app.ts', `${HEAD}declare const name: never\n${code}`)
  expect(text).toContain(message ? code : '')
  expect(remarks.find((each) => /which member/.test(each.message))?.message).toBe(message)
})

it.each([
  ['{ mask: ({ data }) => data.trim() }', true],
  ['{ mask({ data }) { return data.trim() } }', true],
  ['{ mask: imported }', true],
  ["{ mask: ({ data }) => (typeof data === 'string' ? data.trim() : data) }", false],
  ["{ mask({ data }) { return typeof data === 'string' ? data.trim() : data } }", false],
  ['{ mask: own }', false],
])('a mask is a place to check until it looks at types: %s', (options, isListed) => {
  const head = "import { SvcSpanProcessor } from '@svc/otel'\nimport { imported } from './mask'\n"
  const own = "const own = ({ data }) => (typeof data === 'string' ? data.trim() : data)\n"
  const { remarks } = migrateFile('app.ts', `${head}${own}new SvcSpanProcessor(${options})`)
  expect(remarks.some(({ message }) => message.startsWith('mask gets decoded'))).toBe(isListed)
})

describe('what version 6 has no name for is listed:', () => {
  it.each([
    ['error', "import { updateActiveTrace } from '@svc/tracing'\nupdateActiveTrace({})"],
    ['error', "import { startObservation } from '@svc/tracing'\nstartObservation('a').updateTrace({})"],
    ['error', "import { SvcClient } from '@svc/client'\nnew SvcClient().getTrace('a')"],
    ['warning', "import { SvcClient } from '@svc/client'\nnew SvcClient().trace({ name: 'a' })"],
  ])('%s: %s', (severity, text) => {
    const { edits, remarks } = migrateFile('app.ts', text)
    expect(edits).toEqual([])
    expect(remarks.map((each) => each.severity)).toContain(severity)
  })

  it('not what it has, nor the client itself in a field', () => {
    const text =
      "import { SvcClient } from '@svc/client'\nclass A { svc = new SvcClient(); b() { return this.svc.flush() } }"
    expect(migrateFile('app.ts', text).remarks.filter(({ severity }) => severity !== 'info')).toEqual([])
  })
})

describe('setActiveTraceIO is rewritten:', () => {
  const both = "import { updateActiveObservation } from '@svc/tracing'\n"
  it.each([
    [
      "import { setActiveTraceIO as set } from '@svc/tracing'\nset({})",
      "import { updateActiveObservation as set } from '@svc/tracing'\nset({})",
    ],
    [
      `${both}import { setActiveTraceIO } from '@svc/tracing'\nsetActiveTraceIO({})`,
      `${both}import {  } from '@svc/tracing'\nupdateActiveObservation({})`,
    ],
  ])('%s', (before, after) => {
    expect(migrateFile('app.ts', before).text).toBe(after)
  })

  it.each([
    "import { setActiveTraceIO } from '@svc/tracing'\nfunction updateActiveObservation() {}\nsetActiveTraceIO({})",
    "import { setActiveTraceIO } from '@svc/tracing'\nexport const set = setActiveTraceIO",
    "export { setActiveTraceIO } from '@svc/tracing'",
  ])('except where it cannot be renamed: %s', (text) => {
    const { edits, remarks } = migrateFile('app.ts', text)
    expect(edits).toEqual([])
    expect(remarks.map(({ severity }) => severity)).toContain('error')
  })
})

describe('declarations that refer to themselves', () => {
  it('are handled', () => {
    const code =
      'type Tree = { left: Tree } | Tree\ninterface A extends A { a: A }\nfunction f(t: Tree, a: A) { t.left.getPrompt(); a.a.getPrompt() }\n'
    expect(migrateFile('app.ts', HEAD + code).fault).toBeUndefined()
    const state =
      'let state = {}\nstate = { ...state, a: 1 }\nstate.getPrompt()\nclass A extends A {}\nnew A().getPrompt()\n'
    expect(migrateFile('app.ts', HEAD + state).fault).toBeUndefined()
  })
})

describe('names of Object.prototype', () => {
  it('are not treated as removed names', () => {
    const code = "import { toString } from '@svc/core'\nclient.toString()\nfunction f(a) { a.hasOwnProperty('b') }\n"
    expect(migrateFile('app.ts', HEAD + code).remarks.filter(({ severity }) => severity !== 'info')).toEqual([])
  })
})

it.each(['[', '(', '{', '!', 'a?.b(', '`${', 'a ? b : '])('a file with 20,000 times %s is named and left', (text) => {
  const before = `import { SvcClient } from '@svc/client'\nconst a = ${text.repeat(20_000)}`
  expect(migrateFile('a.ts', before)).toMatchObject({
    text: before,
    fault: { message: expect.stringMatching(/is not changed/) },
  })
})

it('a file whose values double again and again is named and left', () => {
  const doubles = Array.from({ length: 60 }, (_, at) => `const a${at + 1} = { ...a${at}, ...a${at} }\n`).join('')
  const before = `import { SvcClient } from '@svc/client'\nconst a0 = { b: 1 }\n${doubles}a60.client.getPrompt('a')\n`
  const message = 'cannot be analyzed and is not changed: RangeError: it refers to itself too often'
  expect(migrateFile('a.ts', before)).toMatchObject({ text: before, fault: { message } })
})

describe('a file that does not parse', () => {
  it('is left unchanged, with line and column', () => {
    const text = "import { observeOpenAI } from '@svc/openai'\nconst = 1\n"
    expect(migrateFile('app.ts', text)).toEqual({
      text,
      edits: [],
      remarks: [],
      fault: { line: 2, column: 7, message: 'cannot be parsed and is not changed: Unexpected token' },
    })
  })
})
