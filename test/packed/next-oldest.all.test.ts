import { checkNextProject } from './next-project.ts'

checkNextProject('16.0.11')
