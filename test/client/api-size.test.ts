import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

/**
 * The minified code of a program in `apps/` with all that it loads at once but OpenTelemetry and `leftOut`. What it
 * imports only when it needs it is not in there.
 */
function bundled(program: string, ...leftOut: RegExp[]): Promise<string> {
  return bundledFor('anywhere', program, leftOut)
}

async function bundledFor(place: 'anywhere' | 'Node', program: string, leftOut: RegExp[] = []): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('./apps/', import.meta.url)),
    ssr: { noExternal: true },
    build: {
      write: false,
      target: 'es2022',
      ssr: place === 'Node',
      lib: { entry: program, formats: ['es'] },
      rolldownOptions: {
        external: [/^@opentelemetry\//, /^node:/, ...leftOut],
        output: { minify: true },
      },
    },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  const chunks = output.filter((each) => each.type === 'chunk')
  const atOnce = new Set([output[0].fileName])
  // A set goes through what is added meanwhile, too.
  for (const name of atOnce) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) atOnce.add(imported)
  }
  return chunks.flatMap(({ fileName, code }) => (atOnce.has(fileName) ? [code] : [])).join('\n')
}

const bytes = (code: string): number => new TextEncoder().encode(code).length

it('the endpoint table with its methods is below 13 kB, and below 23 kB with requests, retries, errors and pages', async () => {
  const [table, whole] = await Promise.all([
    bundled('only-api.mjs', /\/(?:request|send|listing)\.js$/),
    bundled('only-api.mjs'),
  ])
  expect(table).toContain('/annotation-queues')
  expect(bytes(table)).toBeLessThan(13_000)
  expect(bytes(whole)).toBeLessThan(23_000)
})

it('an app that only sends scores loads neither the other endpoints nor the other managers', async () => {
  const [whole, scores] = await Promise.all([bundled('whole-client.mjs'), bundled('only-scores.mjs')])
  const others = ['/annotation-queues', '/v2/prompts', 'experiment-item-run', 'svcMedia']
  expect(others.filter((text) => !whole.includes(text))).toEqual([])
  expect(others.filter((text) => scores.includes(text))).toEqual([])
  expect(bytes(scores)).toBeLessThan(bytes(whole) / 2)
})

it('an app that only sends scores loads less than 48 kB on an edge runtime, including retries', async () => {
  const scores = await bundled('only-scores.mjs')
  const needed = ['/api/public/scores', 'SVC_OTEL_MAX_RETRY_AGE).']
  expect(needed.filter((text) => !scores.includes(text))).toEqual([])
  expect(['beforeExit', 'SIGTERM', 'Atomics.wait'].filter((text) => scores.includes(text))).toEqual([])
  expect(bytes(scores)).toBeLessThan(48_000)
})

it('an app that only sends scores from Node loads less than 60 kB, including delivery at exit', async () => {
  const scores = await bundledFor('Node', 'only-scores.mjs')
  const needed = ['/api/public/scores', 'beforeExit', 'SIGTERM', 'Atomics.wait', 'SVC_OTEL_MAX_RETRY_AGE).']
  expect(needed.filter((text) => !scores.includes(text))).toEqual([])
  expect(bytes(scores)).toBeLessThan(60_000)
})
