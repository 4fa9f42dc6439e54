import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type RecordedTrace, rendered, renderedBriefly } from './tree.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Vendors of one and the same API, and their names in traces. They share a page. */
const COMPATIBLE: Readonly<Record<string, string>> = {
  groq: 'groq',
  cerebras: 'cerebras',
  together: 'together_ai',
  perplexity: 'perplexity',
}

/** The page with the traces of a library, one section a case; `vitest run <file> --update` writes it. */
export function pageOf(library: string): LibraryPage {
  const name = COMPATIBLE[library]
  return name === undefined
    ? new LibraryPage(new TracePage(`${root}${library}/traces.txt`), '', (text) => text)
    : new LibraryPage(compatible, library, (text) =>
        text
          .replaceAll(`scope: @svc/instrumentation-${library}\n`, 'scope: @svc/instrumentation-VENDOR\n')
          .replaceAll(`provider.name: ${name}\n`, 'provider.name: VENDOR\n'),
      )
}

/** What one library writes on a page. */
class LibraryPage {
  readonly #page: TracePage
  readonly #library: string
  readonly #withoutNames: (text: string) => string
  readonly #written = new Map<string, string>()

  constructor(page: TracePage, library: string, withoutNames: (text: string) => string) {
    this.#page = page
    this.#library = library
    this.#withoutNames = withoutNames
  }

  write(title: string, traces: readonly RecordedTrace[]): void {
    const render = /^50 /.test(title) ? renderedBriefly : (trace: RecordedTrace) => rendered(trace)
    const text = this.#withoutNames(traces.map(render).join('\n').trim())
    // With --update as well: a section is the same for all versions, or it is a case of its own.
    expect(text).toBe(this.#written.get(title) ?? text)
    this.#written.set(title, text)
    this.#page.set(title, this.#library, text)
  }

  compare(): Promise<void> {
    return this.#page.compare()
  }
}

/** Sections, each with a case and, on a page that is shared, the libraries whose traces are these. */
class TracePage {
  readonly #path: string
  /** By case and library. */
  readonly #sections = new Map<string, Map<string, string>>()

  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    for (const section of readFileSync(path, 'utf8').split(/^(?=# )/m)) {
      const [, title = '', libraries = '', text = ''] = /^# (.*?)(?: \((.*)\))?\n([\s\S]*)$/.exec(section) ?? []
      for (const library of libraries.split(', ')) this.set(title, library, text.trim())
    }
  }

  set(title: string, library: string, text: string): void {
    const texts = this.#sections.get(title) ?? new Map()
    this.#sections.set(title, texts.set(library, text))
  }

  async compare(): Promise<void> {
    const sections = [...this.#sections].flatMap(([title, texts]) =>
      [...new Set(texts.values())].map((text) => {
        const libraries = [...texts.keys()].filter((library) => library !== '' && texts.get(library) === text)
        return `# ${title}${libraries.length > 0 ? ` (${libraries.join(', ')})` : ''}\n\n${text}\n`
      }),
    )
    await expect(sections.join('\n')).toMatchFileSnapshot(this.#path)
  }
}

const compatible = new TracePage(`${root}compatible/traces.txt`)
