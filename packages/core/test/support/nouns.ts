import type { Noun } from '../../src/delivery/noun.ts'

export const SPANS: Noun = { one: 'span', many: 'spans', made: 'ends' }
export const ITEMS: Noun = { one: 'item', many: 'items', made: 'makes' }
