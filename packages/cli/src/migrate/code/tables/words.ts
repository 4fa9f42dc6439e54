import { MEMBERS } from './members.ts'
import { REQUEST_SLOTS } from './request-slots.ts'

const LEAVES = [...Object.keys(MEMBERS), ...Object.keys(REQUEST_SLOTS)].flatMap((path) => path.split('.'))
const WORDS = new Set([
  ...LEAVES.filter((word) => word !== '*' && word !== 'api'),
  'setTraceIO',
  'setActiveTraceIO',
  'updateTrace',
  'link',
])
const CONCERN = new RegExp(`@svc/|\\b(${[...WORDS].join('|')})\\b`)

/** Whether a file may need changes. Most files do not have to be parsed. */
export function mayConcern(text: string): boolean {
  return CONCERN.test(text)
}
