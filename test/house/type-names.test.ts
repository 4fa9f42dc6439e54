import { expect, it } from 'vitest'
import { files, read, sources } from './repository.ts'

// One name, one meaning: who reads a name in one package has not to ask which of several things of that name it is.
// The types of the REST API are named by the service (appendix A of the contract), and left out.
const OF_THE_SERVICE = /^packages\/client\/src\/api\/types\//

/** Names that users import from two packages, or by which two packages mean the same. */
const SHARED: Readonly<Record<string, string>> = {
  ExperimentItem: 'an item of data given to an experiment, and that of a recorded one, for users of @svc/local',
  SvcHealth: 'the state of delivery; that of @svc/nestjs has the form of a health indicator of @nestjs/terminus',
}

it('no two files export types of the same name', () => {
  const places = new Map<string, string[]>()
  for (const { path, text } of [...sources, ...viewer()]) {
    if (OF_THE_SERVICE.test(path)) continue
    for (const [, name = ''] of text.matchAll(/^export (?:abstract class|class|enum|interface|type) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), path])
    }
  }
  const several = [...places].filter(([name, paths]) => !(name in SHARED) && new Set(paths).size > 1)
  expect(Object.fromEntries(several)).toEqual({})
})

function viewer(): { readonly path: string; readonly text: string }[] {
  return files('packages/local/viewer/src', '.ts', '.tsx')
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: read(path) }))
}
