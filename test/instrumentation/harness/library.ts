import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeOf } from '../../support/nodes.ts'
import { type Process, run } from './run.ts'
import { pageOf } from './trace-page.ts'
import type { Way } from './ways.ts'

/** One process does the cases of all versions of a library, where others are busy. */
const LONGEST_MS = 900_000

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs the cases of a library under the preload, in one process for all ways. The application must see the same as
 * without it, however it is loaded, and the traces must be those in `traces.txt` of its folder.
 */
export function checkLibrary(library: string, ways: readonly Way[], version = process.versions.node): void {
  if (ways.length === 0) return
  const folder = `${root}${library}`
  const page = pageOf(library)
  const variants = ways.map((way) => ({ folder, ...way }))
  // As long as no kind is instrumented, both have the same results.
  const names = [...new Set(ways.map(({ name }) => name))]
  const once = variants.filter(({ name }, at) => ways.findIndex((way) => way.name === name) === at)
  describe(`${library} on Node ${version}`, () => {
    let bare: Process
    let seen: Process
    beforeAll(async () => {
      const node = nodeOf(version)
      ;[bare, seen] = await Promise.all([run(once, false, { node }), run(variants, true, { node })])
    }, LONGEST_MS)

    describe.each(ways.map((way, index) => ({ ...way, index })))('$name by $kind', ({ name, index }) => {
      const both = () => [bare.runs[names.indexOf(name)], seen.runs[index]]

      it('the application has the same results as without instrumentation', () => {
        const [without, under] = both()
        expect(under?.cases).toEqual(without?.cases)
      })

      it('the model receives the same requests as without instrumentation', () => {
        const [without, under] = both()
        expect(under?.requests).toEqual(without?.requests)
      })

      it('the traces equal those of the other versions', () => {
        const [without, under] = both()
        expect(without?.traces).toEqual({})
        const traces = under?.traces ?? {}
        for (const title of Object.keys(under?.cases ?? {})) page.write(title, traces[title] ?? [])
      })
    })

    it('the process says the same, and ends in the same way, as without instrumentation', () => {
      // A warning comes with each copy that is loaded.
      const said = ({ signal, stderr }: Process) => [signal, ...new Set(stderr.split('\n'))]
      expect(said(seen)).toEqual(said(bare))
    })

    // Once for all of them: what --update writes must not depend on who came last.
    it('the traces equal those in traces.txt', () => page.compare())
  })
}
