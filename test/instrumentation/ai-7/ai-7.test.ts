import { checkLibrary } from '../harness/library.ts'

checkLibrary('ai-7')
