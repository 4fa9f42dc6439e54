import { checkNextProject } from './next-project.ts'

// A slow group: see scripts/slow-groups.mjs.
checkNextProject('16.0.11')
