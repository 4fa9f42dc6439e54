import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

/** The minified code of a program in `apps/` with all that it loads but OpenTelemetry and `leftOut`. */
async function bundled(program: string, ...leftOut: RegExp[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('./apps/', import.meta.url)),
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: program,
        external: [/^@opentelemetry\//, /^node:/, ...leftOut],
        preserveEntrySignatures: 'strict',
        output: { format: 'es', minify: true },
      },
    },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

const bytes = (code: string): number => new TextEncoder().encode(code).length

it('the table of endpoints and what makes methods of it are below 10 kB, with requests, retries, errors and pages below 13', async () => {
  const [table, whole] = await Promise.all([
    bundled('only-api.mjs', /\/(?:request|send|listing)\.js$/),
    bundled('only-api.mjs'),
  ])
  expect(table).toContain('/annotation-queues')
  expect(bytes(table)).toBeLessThan(10_000)
  expect(bytes(whole)).toBeLessThan(13_000)
})

it('an app that only sends scores loads neither the other endpoints nor the other managers', async () => {
  const [whole, scores] = await Promise.all([bundled('whole-client.mjs'), bundled('only-scores.mjs')])
  const others = ['/annotation-queues', '/v2/prompts', 'experiment-item-run', 'svcMedia']
  expect(others.filter((text) => !whole.includes(text))).toEqual([])
  expect(others.filter((text) => scores.includes(text))).toEqual([])
  expect(bytes(scores)).toBeLessThan(bytes(whole) / 2)
})
