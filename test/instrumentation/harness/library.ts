import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeOf } from '../../support/nodes.ts'
import { type Kind, type Run, run, type Variant } from './run.ts'
import { type RecordedTrace, rendered, renderedBriefly } from './tree.ts'

const KINDS = ['import', 'require'] as const
const root = fileURLToPath(new URL('..', import.meta.url))

export interface LibraryOptions {
  /** The ways its module can be loaded. Default both. */
  readonly kinds?: readonly Kind[]
  /** What to load. Default: what its folder has installed. */
  readonly names?: readonly string[]
  /** Versions of Node, each of which runs one of the kinds, in turn. Default: all of them on the one that runs the tests. */
  readonly nodes?: readonly string[]
  /** All versions but the newest, instead of the newest alone. */
  readonly older?: boolean
}

/**
 * Runs the cases of a library under the preload, imported and required. The application must see the same as without it,
 * however it is loaded, and the traces must be those in `traces.txt` of its folder.
 */
export function checkLibrary(library: string, options: LibraryOptions = {}): void {
  const folder = `${root}${library}`
  const page = new TracePage(`${folder}/traces.txt`)
  const { kinds = KINDS, nodes, older = false } = options
  const names = options.names ?? installed(folder).filter((name, at, all) => isNewest(name, at, all) !== older)
  const ways = nodes
    ? nodes.map((version, index) => ({ kind: KINDS[index % KINDS.length] ?? 'import', version }))
    : kinds.map((kind) => ({ kind, version: process.versions.node }))
  const variants = names.flatMap((name) => ways.map((way) => ({ name, ...way })))
  if (variants.length === 0) return
  const runBare = once((variant: Variant) => run(variant, false))
  describe(library, () => {
    describe.each(variants)('$name by $kind on Node $version', ({ name, kind, version }) => {
      let [bare, seen]: (Run | undefined)[] = []
      beforeAll(async () => {
        const variant = { folder, name, kind, node: nodeOf(version) }
        ;[bare, seen] = await Promise.all([runBare(variant), run(variant, true)])
      })

      it('the application has the same results as without instrumentation', () => {
        expect(seen?.cases).toEqual(bare?.cases)
        expect([seen?.signal, seen?.stderr]).toEqual([bare?.signal, bare?.stderr])
      })

      it('the model receives the same requests as without instrumentation', () => {
        expect(seen?.requests).toEqual(bare?.requests)
      })

      it('the traces equal those of the other versions', () => {
        expect(bare?.traces).toEqual({})
        const traces = seen?.traces ?? {}
        for (const title of Object.keys(seen?.cases ?? {})) page.write(title, traces[title] ?? [])
      })
    })

    // Once for all of them: what --update writes must not depend on who came last.
    it('the traces equal those in traces.txt', () => page.compare())
  })
}

/**
 * One run for all variants of one name on one Node: as long as no kind is instrumented, both have the same results, and
 * the other kind is compared with them as well.
 */
function once(runBare: (variant: Variant) => Promise<Run>): (variant: Variant) => Promise<Run> {
  const runs = new Map<string, Promise<Run>>()
  return (variant) => {
    const key = `${variant.name} ${variant.node}`
    const found = runs.get(key) ?? runBare(variant)
    runs.set(key, found)
    return found
  }
}

/** Whether no later name is of the same package: `openai-7` of `openai-4.19`, `openai-7`. */
function isNewest(name: string, at: number, all: readonly string[]): boolean {
  const packageOf = (each: string) => each.replace(/-[\d.]+$/, '')
  return !all.slice(at + 1).some((later) => packageOf(later) === packageOf(name))
}

/** Names a library is installed under, oldest version first as its package.json has them. */
function installed(folder: string): string[] {
  const { devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return Object.entries(devDependencies).flatMap(([name, version]) => (version.startsWith('npm:') ? [name] : []))
}

/** The page with the traces of a library, one section a case; `vitest run <file> --update` writes it. */
class TracePage {
  readonly #path: string
  readonly #sections = new Map<string, string>()
  readonly #written = new Map<string, string>()

  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    for (const section of readFileSync(path, 'utf8').split(/^(?=# )/m)) {
      const [, title = '', text = ''] = /^# (.*)\n([\s\S]*)$/.exec(section) ?? []
      this.#sections.set(title, text.trim())
    }
  }

  write(title: string, traces: readonly RecordedTrace[]): void {
    const render = /^50 /.test(title) ? renderedBriefly : (trace: RecordedTrace) => rendered(trace)
    const text = traces.map(render).join('\n').trim()
    // With --update as well: a section is the same for all versions, or it is a case of its own.
    expect(text).toBe(this.#written.get(title) ?? text)
    this.#written.set(title, text)
    this.#sections.set(title, text)
  }

  async compare(): Promise<void> {
    const text = [...this.#sections].map(([title, section]) => `# ${title}\n\n${section}\n`).join('\n')
    await expect(text).toMatchFileSnapshot(this.#path)
  }
}
