import { existsSync, readFileSync } from 'node:fs'
import type { Heading } from './tables/members.ts'

/** The page about version 6: that of the repository, or the copy that is published with this package. */
const PAGE = ['../../../../../docs/migrating-from-v5.md', '../../migrating-from-v5.md']
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(path))

const END = '```\n\n'

/** The passage below a heading of the page, without the code of version 5, comments, and targets of links. */
export function passageOf(heading: Heading): string {
  const passages = PAGE ? readFileSync(PAGE, 'utf8').split(/^##+ /m).slice(1) : []
  const passage = passages.find((each) => anchorOf(each.slice(0, each.indexOf('\n'))) === heading) ?? ''
  const [before = '', ...old] = passage.split('```ts v5\n')
  return [before, ...old.map((part) => part.slice(part.indexOf(END) + END.length))]
    .join('')
    .split('\n')
    .filter((line) => !line.startsWith('<!--'))
    .join('\n')
    .replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
    .trim()
}

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
