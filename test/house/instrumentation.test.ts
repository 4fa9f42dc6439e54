import { expect, it } from 'vitest'
import { compareVersions, isWithin, type VersionRange } from '../../packages/instrumentation/src/hook/target.ts'
import { OWN } from '../../packages/register/src/catalogue.ts'
import { AGENTS } from '../apps/agents.ts'
import { files, read, readJson, table, withText } from './repository.ts'

// `vitest run test/house/instrumentation.test.ts --update` writes the tables instead of comparing them.
const PAGE = 'docs/instrumentation.md'

/** What to look for in the traces of a library. */
const CAPTURED: Readonly<Record<string, RegExp>> = {
  'plain and streamed': /^ +input: [\s\S]*first token: known/m,
  'tool calls': /^ +tool calls: |^ +TOOL /m,
  'cached tokens': /"input_cached_tokens":[1-9]/,
  'cache writes': /"input_cache_creation":[1-9]/,
  reasoning: /"output_reasoning_tokens":[1-9]|"type":"thinking"/,
  'status of errors': /http\.response\.status_code: 429/,
  cancelled: /outcome: cancelled/,
  'left early': /outcome: stopped early/,
  abandoned: /outcome: abandoned/,
  embeddings: /^ +EMBEDDING /m,
}

const libraries = Object.entries(OWN).flatMap(([name, targets]) => {
  // Versions that are recorded differently have a folder each: `ai-5`, `ai-5-first`; and so have Amazon's agents and OpenAI's sessions.
  const folder = new RegExp(`^test/instrumentation/${name}(-\\d+)?(-first|-before-[a-z]+|-agent|-realtime|-live)?/`)
  const pages = files('test/instrumentation', 'traces.txt').filter((path) => folder.test(path))
  const manifests = files('test/instrumentation', 'package.json').filter((path) => folder.test(path))
  const devDependencies = manifests.flatMap((path) => {
    const manifest = readJson(path)
    return Object.entries((manifest as { devDependencies: Record<string, string> }).devDependencies)
  })
  // Of these only agents and tools are recorded, beside the clients that ask the models.
  const traces = pages.map(read).join('') + compatible(name)
  const inApps = traces === '' ? AGENTS.flatMap(({ dependencies }) => Object.entries(dependencies)) : []
  const packages = [...new Set(targets.map((target) => target.package))].map((each) => ({
    name: each,
    range: widest(targets.flatMap((target) => (target.package === each && target.versions) || [])),
    tested: [...devDependencies, ...inApps].flatMap(([alias, version]) => {
      const [, dependency = alias, number = ''] = /^(?:npm:(.+)@)?([^@]+)$/.exec(version) ?? []
      return each === dependency || each === `${dependency}-core` ? [number] : []
    }),
  }))
  return [{ name, packages, traces }]
})

/** The sections of a vendor whose API is another's: `# plain (groq, cerebras)`. */
function compatible(vendor: string): string {
  const sections = read('test/instrumentation/compatible/traces.txt').split(/^(?=# )/m)
  return sections.filter((section) => new RegExp(`^# .*[(, ]${vendor}[,)]`).test(section)).join('')
}

/** The page without what is derived. */
const written = read(PAGE).replace(/<!-- table: [\s\S]*?<!-- end of table/g, '')

it.each(libraries)(
  '$name has expected traces or a program, and all of its packages are tested and documented',
  ({ packages }) => {
    for (const { name, tested } of packages) {
      expect(tested.length, name).toBeGreaterThan(0)
      // What users install of the Agents SDK is `@openai/agents`.
      expect(written.includes(code(name)) || written.includes(code(name.replace(/-core$/, ''))), name).toBe(true)
    }
  },
)

it('docs/instrumentation.md has the catalogue and the recorded attributes of the test traces', async () => {
  let page = read(PAGE)
  page = withText(
    page,
    'table: libraries',
    table([
      ['Library', 'Name', 'Versions', 'Tested'],
      ...libraries.flatMap(({ name, packages }) =>
        packages.map((each) => [
          code(each.name),
          code(name),
          each.range ? `>=${each.range.from} <${each.range.below}` : 'any',
          [...new Set(each.tested)].sort(compareVersions).join(', '),
        ]),
      ),
    ]),
  )
  page = withText(
    page,
    'table: captured',
    table([
      ['Name', 'Not in its traces'],
      ...libraries.flatMap(({ name, traces }) => {
        if (traces === '') return []
        const absent = Object.entries(CAPTURED).filter(([, look]) => !look.test(traces))
        const isModel = CAPTURED['plain and streamed']?.test(traces)
        return [[code(name), isModel ? absent.map(([what]) => what).join(', ') : 'anything but searches']]
      }),
    ]),
  )
  await expect(page).toMatchFileSnapshot(`../../${PAGE}`)
})

it('every tested version of a library is in its supported range', () => {
  const tested = libraries
    .flatMap(({ packages }) => packages)
    .flatMap((each) => each.tested.map((one) => [each, one] as const))
  expect(tested.length).toBeGreaterThan(30)
  expect(tested.filter(([each, version]) => !isWithin(each.range, version))).toEqual([])
})

/** The range that several targets of a package have together. */
function widest(ranges: readonly VersionRange[]): VersionRange | undefined {
  const [from] = ranges.map((range) => range.from).sort(compareVersions)
  const below = ranges
    .map((range) => range.below)
    .sort(compareVersions)
    .at(-1)
  return from && below ? { from, below } : undefined
}

function code(text: string): string {
  return `\`${text}\``
}
